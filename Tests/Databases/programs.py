#!/usr/bin/env python3
"""Runs two builds of decant over the same stores and names where stores, reports, plans or archives differ.

programs.py OLD NEW STORE ...

What differs between two runs of one program is left out: times, memory, places, fingerprints and the identifier
of a new store.
"""
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

from database import Database, contents

HERE = os.path.dirname(os.path.abspath(__file__))
VOLATILE = {"phases", "peakMemoryBytes", "fingerprint", "place", "uuid"}


def plain(value):
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if key not in VOLATILE}
    return [plain(item) for item in value] if isinstance(value, list) else value


def dump(path):
    """What a store holds, with its schema, but for the identifier of a new one; of a missing file nothing."""
    if not os.path.exists(path):
        return None
    database = Database(path)
    tables = [table for table in database.tables() if table.name != "Z_METADATA"]
    return [sorted(map(str, database.schema)), contents(database, tables)]


class Run:
    def __init__(self, program, folder):
        self.program, self.folder, self.found = program, folder, []

    def call(self, name, *arguments, reads=(), files=()):
        run = subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True, timeout=600)
        try:
            output = plain(json.loads(run.stdout))
        except ValueError:
            output = run.stdout.decode(errors="replace")
        words = run.stderr.decode(errors="replace").replace(self.folder, "")
        stores = [dump(os.path.join(self.folder, path)) for path in reads] + [self.bytes(path) for path in files]
        self.found.append((name, run.returncode, output, words, stores))

    def bytes(self, path):
        """A hash of a file, or of what it holds where that is an archive; of a missing one nothing."""
        path = os.path.join(self.folder, path)
        if not os.path.exists(path):
            return None
        whole, hidden = hashlib.sha256(), None
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                for name in sorted(archive.namelist()):
                    whole.update(name.encode() + archive.read(name))
        else:
            with open(path, "rb") as file:
                for line in file:
                    template = re.search(rb'"template":{"blob":"(\w+)"', line)
                    hidden = template[1] if template else hidden
                    # The header has the time, and the last line a hash over all; a template is a new store.
                    if not template and not line.startswith(b'{"end"') and not (hidden and hidden in line):
                        whole.update(line)
        return whole.hexdigest()

    def all(self, store):
        for suffix in ("", "-wal"):
            if os.path.exists(store + suffix):
                shutil.copy(store + suffix, os.path.join(self.folder, "a.sqlite" + suffix))
        self.call("inspect", "inspect", "a.sqlite", "--json")
        self.call("plan", "copy", "a.sqlite", "plan.sqlite", "--dry-run", "--json", "--verbose")
        self.call("copy", "copy", "a.sqlite", "b.sqlite", "--json", "--keep-ids", "b.ids", reads=["b.sqlite"])
        self.call("rows", "copy", "a.sqlite", "c.sqlite", "--json", "--commit", "batch", reads=["c.sqlite"])
        self.call("verify", "verify", "a.sqlite", "b.sqlite", "--ids", "b.ids", "--json")
        self.call("export", "export", "a.sqlite", "e.decant", "--json", files=["e.decant"])
        self.call("import", "import", "e.decant", "i.sqlite", "--json", reads=["i.sqlite"])
        if not os.path.exists(os.path.join(self.folder, "b.sqlite")):
            return self.found
        shutil.copy(os.path.join(self.folder, "b.sqlite"), os.path.join(self.folder, "m.sqlite"))
        edit = [sys.executable, os.path.join(HERE, "edit.py"), os.path.join(self.folder, "m.sqlite"), "two", "1"]
        subprocess.run(edit, stdout=subprocess.DEVNULL, check=False)
        for policy in ("skip", "update", "keep-both"):
            shutil.copy(os.path.join(self.folder, "b.sqlite"), os.path.join(self.folder, "d.sqlite"))
            merge = ["merge", "m.sqlite", "d.sqlite", "--merge", policy, "--json"]
            self.call(f"{policy}, planned", *merge, "--dry-run", "--verbose")
            self.call(policy, *merge, reads=["d.sqlite"])
        self.call("diff", "diff", "m.sqlite", "b.sqlite", "--json")
        self.call("page", "export", "a.sqlite", "page.html", "--json", files=["page.html"])
        self.call("append", "copy", "a.sqlite", "b.sqlite", "--append", "--json", reads=["b.sqlite"])
        return self.found


def compare(old, new, store):
    results = []
    for program in (old, new):
        with tempfile.TemporaryDirectory() as folder:
            try:
                results.append(Run(program, folder).all(store))
            except (OSError, subprocess.TimeoutExpired) as error:
                return store, [f"not compared: {error}"], 0
    differences = []
    for before, after in zip(*results):
        for part, one, other in zip(("exit code", "report", "messages", "stores"), before[1:], after[1:]):
            if one != other:
                differences.append(f"{before[0]}: {part}: {detail(one, other)}")
    return store, differences, len(results[0])


def detail(one, other):
    """The innermost place at which two values differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(set(one) | set(other)):
            if one.get(key) != other.get(key):
                return f"{key}: {detail(one.get(key), other.get(key))}"
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (before, after) in enumerate(zip(one, other)):
            if before != after:
                return f"[{place}] {detail(before, after)}"
    if isinstance(one, str) and isinstance(other, str):
        start = len(os.path.commonprefix([one, other]))
        one, other = one[max(0, start - 40) :], other[max(0, start - 40) :]
    return f"{str(one)[:300]} became {str(other)[:300]}"


def main(old, new, stores):
    calls = differing = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for store, differences, count in pool.map(lambda store: compare(old, new, store), stores):
            calls += count
            differing += bool(differences)
            for line in differences:
                print(f"{os.path.basename(store)}: {line}", flush=True)
    print(f"{len(stores)} stores, {calls} calls, {differing} stores with differences")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]))
