#!/usr/bin/env python3
"""Copies databases with decant in every way and has check.py look at the results.

  try.py DECANT FOLDER [NAME…]     all *.sqlite in FOLDER and in FOLDER/sqlitetests, or those named

For each: as pages, row by row, and added to its twin (see twin.py). What looks like an undeclared link is
answered as LINKS says, else with --no-link; a virtual table that rows cannot carry is left out where
decant asks for it. Prints a line for each database, and below it what went wrong.
"""
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

from database import Database

here = os.path.dirname(os.path.abspath(__file__))

# What the authors of these databases know and do not declare.
LINKS = {
    "anki": ["cards.nid -> notes", "cards.did -> decks", "cards.odid -> decks", "revlog.cid -> cards", "notes.mid -> notetypes",
             "fields.ntid -> notetypes", "templates.ntid -> notetypes"],
    "anki11": ["cards.nid -> notes", "revlog.cid -> cards"],
    "beets": ["items.album_id -> albums", "item_attributes.entity_id -> items", "album_attributes.entity_id -> albums"],
    "calibre": [f"{table}.book -> books" for table in (
        "books_authors_link", "books_languages_link", "books_publishers_link", "books_ratings_link", "books_series_link",
        "books_tags_link", "comments", "data", "identifiers", "annotations", "last_read_positions", "metadata_dirtied",
        "books_plugin_data", "conversion_options", "annotations_dirtied")]
    + ["books_authors_link.author -> authors", "books_tags_link.tag -> tags", "books_series_link.series -> series",
       "books_languages_link.lang_code -> languages", "books_publishers_link.publisher -> publishers", "books_ratings_link.rating -> ratings"],
    "places": ["moz_historyvisits.place_id -> moz_places", "moz_historyvisits.from_visit -> moz_historyvisits",
               "moz_bookmarks.fk -> moz_places", "moz_bookmarks.parent -> moz_bookmarks", "moz_keywords.place_id -> moz_places",
               "moz_annos.place_id -> moz_places", "moz_inputhistory.place_id -> moz_places", "moz_places.origin_id -> moz_origins"],
    "repository": [f"{table}.pkgKey -> packages" for table in ("files", "requires", "provides", "conflicts", "obsoletes")],
}
CORNERS = ["undeclared.jar_id -> jar", "undeclared.tagId -> tag", "undeclared.shelf -> shelf"]
for each in ("cornersutf8", "cornersutf16le", "cornersutf16be"):
    LINKS[each] = CORNERS


class Trial:
    def __init__(self, decant, path, folder):
        self.decant, self.path, self.folder = decant, path, folder
        self.name = os.path.basename(path).rsplit(".", 1)[0]
        self.out = os.path.join(folder, "out.sqlite")
        self.notes = []

    def run(self, *arguments):
        """Runs decant, gives the answers that it asks for, and returns what went wrong, or None."""
        answers, self.left_out = [], []
        for _ in range(12):
            done = subprocess.run(
                [self.decant, "copy", "sqlite:" + self.path, "sqlite:" + self.out, "--progress", "none", *arguments, *answers],
                capture_output=True, text=True, errors="replace", timeout=600,
            )
            if done.returncode == 0:
                self.notes += [" ".join(answers)] if answers else []
                return None
            more = []
            lines = done.stderr.strip().splitlines()
            for line in lines:
                if "if it is a foreign key" in line:
                    more += shlex.split(re.search(r"--no-link .* if not", line).group(0)[: -len(" if not")])
                elif match := re.search(r"cannot follow a link to several tables yet: (.*) copies the values", line):
                    more += shlex.split(match.group(1))
                elif match := re.search(r"use --leave-out (.*)$", line):
                    name = shlex.split(match.group(1))[0].rstrip(",")
                    more += ["--leave-out", name]
                    self.left_out += ["--left-out", name]
            if not more:
                return f"exit {done.returncode}: " + " / ".join(lines)[:600]
            answers += more
        return "asks again and again: " + " ".join(answers)[:300]

    def clear(self):
        for suffix in ("", "-wal", "-shm", "-journal", ".decant-partial"):
            if os.path.exists(self.out + suffix):
                os.remove(self.out + suffix)

    def check(self, *arguments):
        done = subprocess.run([sys.executable, os.path.join(here, "check.py"), *arguments], capture_output=True, text=True, errors="replace", timeout=600)
        lines = [line for line in (done.stdout + done.stderr).strip().splitlines() if not line.startswith("note:")]
        return None if done.returncode == 0 else lines[-8:] if done.stderr else lines[:8]

    def pages(self):
        self.clear()
        return self.run() or self.check("new", self.path, self.out, *self.left_out)

    def rows(self, *more):
        self.clear()
        tables = Database(self.path).tables()
        if not tables:
            return None
        table = next((table for table in tables if table.name.strip() and ":" not in table.name), None)
        if not table:
            return None
        problem = self.run("--where", f"{table.name}: 1", *more)
        if problem and "a collation that only its app defines" in problem:
            self.notes.append("refused: " + problem[15:120])
            return None
        return problem or self.check("new", self.path, self.out, *self.left_out) or self.compared()

    def compared(self):
        """What `verify` and `diff` say of the copy."""
        if self.left_out:
            return None
        for verb in ("verify", "diff"):
            done = subprocess.run([self.decant, verb, "sqlite:" + self.path, "sqlite:" + self.out], capture_output=True, text=True, errors="replace", timeout=900)
            if done.returncode:
                return f"{verb} of a copy: exit {done.returncode}: " + " / ".join((done.stderr + done.stdout).strip().splitlines())[:500]
        return None

    def appended(self):
        self.clear()
        before, links = os.path.join(self.folder, "before.sqlite"), []
        for link in LINKS.get(self.name, []):
            links += ["--link", link]
        made = subprocess.run([sys.executable, os.path.join(here, "twin.py"), self.path, before], capture_output=True, text=True, errors="replace")
        if made.returncode:
            self.notes.append("no twin: " + made.stderr.strip().splitlines()[-1])
            return None
        with open(before, "rb") as source, open(self.out, "wb") as copy:
            copy.write(source.read())
        problem = self.run("--append", "--no-triggers", *links)
        # What no twin can avoid: values that are unique by some expression, links that may not be empty and
        # lead nowhere, and keys at the very end of what there is.
        for reason in ("another object has the same", "points to an object that is not copied, and is required", "left above", "a collation that only its app defines"):
            if problem and reason in problem:
                self.notes.append("refused: " + problem[15:120])
                return None
        return problem or self.check("append", before, self.path, self.out, *links)


def main(decant, folder, names):
    found = sorted(glob.glob(os.path.join(folder, "*.sqlite"))) + sorted(glob.glob(os.path.join(folder, "sqlitetests", "*.sqlite")))
    failed = 0
    for path in found:
        if names and os.path.basename(path).rsplit(".", 1)[0] not in names:
            continue
        with tempfile.TemporaryDirectory() as work:
            trial = Trial(decant, path, work)
            results = {}
            for way in ("pages", "rows", "appended"):
                try:
                    results[way] = getattr(trial, way)()
                except Exception as error:
                    results[way] = f"{type(error).__name__}: {error}"
        bad = {way: problem for way, problem in results.items() if problem}
        failed += bool(bad)
        print(f"{trial.name}: " + (", ".join(bad) + " FAILED" if bad else "ok") + (f"  ({'; '.join(trial.notes)[:200]})" if trial.notes else ""), flush=True)
        for way, problem in bad.items():
            for line in [problem] if isinstance(problem, str) else problem:
                print(f"    {way}: {line[:700]}", flush=True)
    print(f"{failed} of {len(found)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2], set(sys.argv[3:])))
