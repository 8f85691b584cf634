#!/usr/bin/env python3
"""Reads archives of decant with Python's own library, and holds them against the store they were made of.

  archive.py [--store STORE] FILE…    the files are one archive, or all of its parts in any order

Written from the specification of the format, it shares no code with decant. Packed files are told by their
content; zstd and lz4 are unpacked by the programs of these names. Prints what is wrong, a line each, and exits
1; what is worth knowing but no fault begins with “note:”.
"""
import argparse
import sys

import archive_lines
import archive_store

# Where everything differs, the first lines tell enough.
MOST = 50


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--store")
    parser.add_argument("files", nargs="+")
    chosen = parser.parse_args(arguments)
    reader = archive_lines.Reader(chosen.files)
    faults = []
    notes = []

    def tell(finding):
        (notes if finding.startswith("note:") else faults).append(finding)

    try:
        check = archive_store.opened(chosen.store, reader, tell) if chosen.store else None
        for found in reader.objects(tell):
            if check:
                check.take(found)
        if check:
            check.finish()
        for entity, count in sorted(reader.dangling(None if check is None else check.exists).items()):
            tell(f"{entity}: {count} links lead to objects that are not there")
    except archive_lines.Fault as fault:
        tell(str(fault))
    for line in notes + faults[:MOST]:
        print(line)
    if len(faults) > MOST:
        print(f"and {len(faults) - MOST} more")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
