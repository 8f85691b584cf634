"""Writes the hostile files into a folder, and what has to become of each: make.py FOLDER [SUBJECT …]"""
import json
import pathlib
import sys

import counts
import lines
import packed
import shared
import templates
import values

SUBJECTS = {"lines": lines, "counts": counts, "values": values, "packed": packed, "shared": shared, "templates": templates}

folder = pathlib.Path(sys.argv[1])
manifest = []
for subject in sys.argv[2:] or SUBJECTS:
    for number, case in enumerate(SUBJECTS[subject].cases()):
        file = f"{subject}{number:03}{case.suffix}"
        (folder / file).write_bytes(case.data)
        manifest.append({"subject": subject, "name": case.name, "file": file, "status": case.status,
                         "message": case.message, "arguments": case.arguments})
(folder / "manifest.json").write_text(json.dumps(manifest))
