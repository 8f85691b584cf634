#!/usr/bin/env python3
"""Holds decant's three-way merge against an independent reference, on random histories: see README.md.

DECANT=path check.py --seeds 0-999 [--shape NAME] [--keep-failures FOLDER] [--coverage] [--only-keep]

Prints a line for each law that does not hold, and the smallest history that shows it. Exit code 1 where there is one.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

from compare import Comparison, Result
from decisions import DecisionLaws
from histories import SHAPES, History, Maker
from reference import Merge


class Trial:
    """A history as databases in a folder, and the laws that are held against them."""

    def __init__(self, decant, history, folder):
        self.decant, self.history, self.folder = decant, history, pathlib.Path(folder)
        self.states = history.states()
        for name, state in zip(["base", "mine", "theirs"], self.states):
            state.write(self.folder / f"{name}.db")
        self.cells, self.loose = collections.Counter(), collections.Counter()

    def merge(self, store, *options):
        arguments = [self.decant, "merge", "theirs.db", store, "--merge", "three-way", "--base", "base.db", "--json"]
        return subprocess.run(arguments + list(options), cwd=self.folder, capture_output=True, text=True, timeout=120)

    def copy_mine(self, name):
        (self.folder / name).write_bytes((self.folder / "mine.db").read_bytes())
        return name

    def dump(self, name):
        database = sqlite3.connect(self.folder / name)
        try:
            return list(database.iterdump())
        finally:
            database.close()

    def compare(self, name, outcome):
        return Comparison(outcome, self.states, Result(self.folder / name, self.history.shape)).run()

    def keep(self):
        """Without further options: "merged", "clean" and "again"."""
        outcome = Merge(self.states).run()
        self.cells.update(outcome.cells)
        self.loose.update(outcome.loose.values())
        run = self.merge(self.copy_mine("kept.db"))
        if run.returncode != 0:
            return [f"merged: exit code {run.returncode}: {(run.stderr or run.stdout).strip()[:400]}"]
        faults = [f"merged: {fault}" for fault in self.compare("kept.db", outcome)]
        if not outcome.loose and bool(json.loads(run.stdout).get("conflictCount")) != bool(outcome.conflicts):
            named = sorted(conflict.id for conflict in outcome.conflicts)
            faults.append(f"told: {json.loads(run.stdout).get('conflictCount')} conflicts in the report, not {named}")
        faults += [f"clean: {fault}" for fault in Result(self.folder / "kept.db", self.history.shape).faults]
        before = self.dump("kept.db")
        run = self.merge("kept.db")
        if run.returncode != 0:
            faults.append(f"again: exit code {run.returncode}: {run.stderr.strip()[:400]}")
        elif (after := self.dump("kept.db")) != before:
            changed = [f"+ {line}" for line in after if line not in before] + \
                [f"- {line}" for line in before if line not in after]
            faults.append(f"again: changed {changed[:4]}")
        return faults

    def laws(self, only_keep):
        return self.keep() if only_keep else self.keep() + DecisionLaws(self).run()


def run(decant, history, options, folder=None):
    """The faults of a history."""
    if folder:
        os.makedirs(folder, exist_ok=True)
        for file in pathlib.Path(folder).iterdir():
            file.unlink()
        trial = Trial(decant, history, folder)
        return trial.laws(options.only_keep), trial
    with tempfile.TemporaryDirectory() as scratch:
        trial = Trial(decant, history, scratch)
        return trial.laws(options.only_keep), trial


def kind(fault):
    """What two faults of one cause have in common: the law, and its words without names and numbers."""
    words = re.sub(r"[\d.]+|'[^']*'|“[^”]*”|\[.*", "", fault.replace("b-", "")).split()
    return " ".join(words[:12] if "exit" in words else [word for word in words if "-" not in word or ":" in word][:3])


def smallest(decant, history, options, wanted):
    """The history without the edits and rows that the fault does not need."""
    def shows(candidate):
        try:
            return wanted in {kind(fault) for fault in run(decant, candidate, options)[0]}
        except sqlite3.Error:
            return False
    parts = {"mine": list(history.mine), "theirs": list(history.theirs), "base": list(history.base)}
    for side in parts:
        for size in (8, 4, 1) if side == "base" else (4, 1):
            start = 0
            while start < len(parts[side]):
                rest = parts[side][:start] + parts[side][start + size:]
                if shows(History(history.shape, **(parts | {side: rest}))):
                    parts[side] = rest
                else:
                    start += size
    return History(history.shape, **parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0-99", help="a seed, or the first and the last one: 0-999; they take the shapes in turn")
    parser.add_argument("--shape", choices=sorted(SHAPES), action="append", help="this shape alone; may be repeated")
    parser.add_argument("--keep-failures", metavar="FOLDER", help="leave the databases of each failure there")
    parser.add_argument("--coverage", action="store_true", help="say how often each kind of cell occurred")
    parser.add_argument("--only-keep", action="store_true", help="leave out --conflicts and --decisions")
    parser.add_argument("--every-failure", action="store_true", help="make each history small, not one of each kind")
    parser.add_argument("--quick", action="store_true",
                        help="name the faults alone, without the smallest histories")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    decant = os.path.abspath(os.environ.get("DECANT") or parser.error("say in DECANT which program to check"))
    first, _, last = options.seeds.partition("-")
    shapes = options.shape or list(SHAPES)
    histories = [(shapes[seed % len(shapes)], seed) for seed in range(int(first), int(last or first) + 1)]

    def one(pair):
        return run(decant, Maker(SHAPES[pair[0]], pair[1]).make(), options)

    cells, loose, failed, kinds = collections.Counter(), collections.Counter(), 0, collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (shape, seed), (faults, trial) in zip(histories, pool.map(one, histories)):
            cells.update(trial.cells)
            loose.update(trial.loose)
            failed += bool(faults)
            for fault in faults:
                print(f"{shape} {seed}: {fault}", flush=True)
            new = {(shape, kind(fault)) for fault in faults} - (set() if options.every_failure else kinds.keys())
            kinds.update((shape, kind(fault)) for fault in faults)
            for _, which in {} if options.quick else sorted(new):
                history = smallest(decant, Maker(SHAPES[shape], seed).make(), options, which)
                folder = options.keep_failures and \
                    pathlib.Path(options.keep_failures, f"{shape}-{seed}-" + re.sub(r"\W+", "-", which))
                found, _ = run(decant, history, options, folder)
                text = history.sql() + "".join(f"-- {line}\n" for line in found)
                if folder:
                    (folder / "history.sql").write_text(text)
                print(text, flush=True)
    if options.coverage:
        for title, counts in ("cells", cells), ("left open", loose):
            for name, count in sorted(counts.items()):
                print(f"{title}: {name}: {count}")
    for (shape, name), count in kinds.most_common():
        print(f"{count} × {shape}: {name}")
    print(f"{len(histories)} histories, {failed} with faults")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
