#!/usr/bin/env python3
"""Holds the order of lists after a three-way merge against an independent reference, on random histories.

DECANT=path orders.py --seeds 0-199

The store is the sample Kitchen.sqlite: recipes with steps in order, each step told by its UUID. Either side moves, adds and
removes steps, and gives some to another recipe, which the other side then leaves in its list. The order of a list is that of
the steps which all three have: changed by one side it is that side's, changed by both in different ways it is a conflict, and
mine stays. A step that one side added, or gave to the recipe, follows the step that it follows there. Exit code 1 where a law
does not hold.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import uuid

SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "samples" / "Kitchen.sqlite"


def lists(path):
    """The texts of the steps of each recipe, in order, by the recipe's key."""
    database = sqlite3.connect(path)
    rows = database.execute("SELECT ZRECIPE, ZTEXT FROM ZSTEP WHERE ZRECIPE IS NOT NULL ORDER BY ZRECIPE, Z_FOK_RECIPE")
    found = collections.defaultdict(list)
    for recipe, text in rows:
        found[recipe].append(text)
    database.close()
    return dict(found)


class Side:
    """A copy of the base, edited."""

    def __init__(self, path, lists, name):
        self.database, self.name = sqlite3.connect(path), name
        self.lists = {recipe: list(texts) for recipe, texts in lists.items()}
        self.count, self.kept = 0, set()

    def give(self, chance, text, recipe, other):
        """Gives a step of a recipe to another one."""
        self.lists[recipe].remove(text)
        self.lists[other].insert(chance.randint(0, len(self.lists[other])), text)

    def edit(self, chance, recipe):
        texts = self.lists[recipe]
        kind = chance.choice(["swap", "swap", "shuffle", "add", "delete"])
        if kind == "swap" and len(texts) > 1:
            place = chance.randrange(len(texts) - 1)
            texts[place], texts[place + 1] = texts[place + 1], texts[place]
        elif kind == "shuffle":
            chance.shuffle(texts)
        elif kind == "add":
            self.count += 1
            texts.insert(chance.randint(0, len(texts)), f"{self.name} {self.count}")
        elif kind == "delete" and len(texts) > 1:
            place = chance.randrange(len(texts))
            if texts[place] not in self.kept:
                texts.pop(place)

    def write(self, chance):
        key = self.database.execute("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Step'").fetchone()[0]
        entity = self.database.execute("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Step'").fetchone()[0]
        for recipe, texts in self.lists.items():
            for text in texts:
                self.database.execute("UPDATE ZSTEP SET ZRECIPE = ? WHERE ZTEXT = ?", (recipe, text))
        for recipe, texts in self.lists.items():
            known = {text for text, in self.database.execute("SELECT ZTEXT FROM ZSTEP WHERE ZRECIPE = ?", (recipe,))}
            for text in known - set(texts):
                self.database.execute("DELETE FROM ZSTEP WHERE ZTEXT = ?", (text,))
            for place, text in enumerate(texts):
                if text in known:
                    self.database.execute("UPDATE ZSTEP SET Z_FOK_RECIPE = ? WHERE ZTEXT = ?", (1024 * place + 2048, text))
                    continue
                key += 1
                values = key, entity, recipe, 1024 * place + 2048, text, uuid.UUID(int=chance.getrandbits(128)).bytes
                self.database.execute(
                    "INSERT INTO ZSTEP (Z_PK, Z_ENT, Z_OPT, ZRECIPE, Z_FOK_RECIPE, ZTEXT, ZUUID) VALUES (?, ?, 1, ?, ?, ?, ?)",
                    values)
        self.database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = 'Step'", (key,))
        self.database.commit()
        self.database.close()


def merged(base, mine, theirs, take="mine"):
    """The list that must come out, and whether its order is in conflict."""
    there = [text for text in mine if text in theirs or text not in base]
    added = [text for text in theirs if text not in base]
    common = set(base) & set(mine) & set(theirs)
    orders = [[text for text in texts if text in common] for texts in (base, mine, theirs)]
    if orders[2] in orders[:2] or orders[1] != orders[0] and take == "mine":
        is_conflict = orders[2] not in orders[:2] and orders[1] != orders[0]
        # What theirs added comes behind the step of mine that it follows in theirs, or first.
        last, followers = None, collections.defaultdict(list)
        for text in theirs:
            if text in there:
                last = text
            elif text in added:
                followers[last].append(text)
        return sum(([text, *followers[text]] for text in there), followers[None]), is_conflict
    wanted = [text for text in theirs if text in mine or text in added]
    for place, text in enumerate(there):
        if text not in wanted:
            wanted.insert(wanted.index(there[place - 1]) + 1 if place else 0, text)
    return wanted, orders[1] != orders[0]


def dump(path):
    database = sqlite3.connect(path)
    try:
        return list(database.iterdump())
    finally:
        database.close()


class Trial:
    def __init__(self, decant, seed, folder):
        self.decant, self.folder, self.chance = decant, pathlib.Path(folder), random.Random(f"orders {seed}")
        for name in "base", "mine", "theirs":
            shutil.copyfile(SAMPLE, self.path(name))
            with sqlite3.connect(self.path(name)) as database:  # what a picture leads to is not deleted
                database.execute("DELETE FROM ZIMAGE WHERE ZSTEP IS NOT NULL")
            database.close()
        self.base = lists(self.path("base"))
        sides = [Side(self.path(name), self.base, name) for name in ("mine", "theirs")]
        recipes = self.chance.sample(sorted(self.base), 5)
        for _ in range(self.chance.randint(0, 3)):
            recipe, other = self.chance.sample(recipes, 2)
            text = self.chance.choice(self.base[recipe])
            if len(self.base[recipe]) > 1 and text not in sides[0].kept:
                for side in sides:
                    side.kept.add(text)
                self.chance.choice(sides).give(self.chance, text, recipe, other)
        for recipe in recipes:
            for side in self.chance.choice([sides, sides, sides[:1], sides[1:]]):
                for _ in range(self.chance.randint(1, 3)):
                    side.edit(self.chance, recipe)
        for side in sides:
            side.write(self.chance)
        self.mine, self.theirs = (side.lists for side in sides)

    def path(self, name):
        return self.folder / f"{name}.sqlite"

    def merge(self, name, *options):
        arguments = [self.decant, "merge", "theirs.sqlite", f"{name}.sqlite", "--merge", "three-way", "--base",
                     "base.sqlite", "--json", *options]
        return subprocess.run(arguments, cwd=self.folder, capture_output=True, text=True, timeout=120)

    def compare(self, title, name, takes=None):
        found = lists(self.path(name))
        for recipe in self.base:
            wanted, _ = merged(self.base[recipe], self.mine[recipe], self.theirs[recipe], (takes or {}).get(recipe, "mine"))
            if found.get(recipe, []) != wanted:
                yield f"{title}: recipe {recipe}: {found.get(recipe, [])}, not {wanted}; base {self.base[recipe]}, " \
                      f"mine {self.mine[recipe]}, theirs {self.theirs[recipe]}"

    def laws(self):
        conflicts = {recipe for recipe in self.base
                     if merged(self.base[recipe], self.mine[recipe], self.theirs[recipe])[1]}
        shutil.copyfile(self.path("mine"), self.path("kept"))
        run = self.merge("kept")
        if run.returncode != 0:
            yield f"merged: exit code {run.returncode}: {run.stderr[:300]}"
            return
        yield from self.compare("merged", "kept")
        if json.loads(run.stdout).get("conflictCount", 0) != len(conflicts):
            yield f"told: {json.loads(run.stdout).get('conflictCount')} conflicts, not {len(conflicts)}"
        before = dump(self.path("kept"))
        self.merge("kept")
        if dump(self.path("kept")) != before:
            yield "again: the same merge a second time changes something"
        shutil.copyfile(self.path("mine"), self.path("listed"))
        run = self.merge("listed", "--conflicts", "c.jsonl")
        if run.returncode != (3 if conflicts else 0):
            yield f"lines: exit code {run.returncode}: {run.stderr[:300]}"
            return
        yield from self.compare("lines", "listed")
        if conflicts:
            yield from self.decide(conflicts)

    def decide(self, conflicts):
        lines = [json.loads(line) for line in (self.folder / "c.jsonl").read_text().splitlines()]
        if {line["key"]["mine"] for line in lines} != conflicts or len(lines) != len(conflicts):
            yield f"lines: {lines}, not {sorted(conflicts)}"
            return
        for line in lines:
            recipe = line["key"]["mine"]
            common = set(self.base[recipe]) & set(self.mine[recipe]) & set(self.theirs[recipe])
            for side, state in ("base", self.base), ("mine", self.mine), ("theirs", self.theirs):
                keys = dict(sqlite3.connect(self.path(side)).execute("SELECT Z_PK, ZTEXT FROM ZSTEP"))
                shown = [keys[element["key"]] for element in line[side]]
                if shown != [text for text in state[recipe] if text in common]:
                    yield f"lines: {side} is {shown}: {line}"
            if (line["kind"], line["entity"], line["attribute"], line["take"]) != ("order", "Recipe", "steps", None):
                yield f"lines: {line}"
            line["take"] = self.chance.choice(["mine", "theirs"])
        (self.folder / "d.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        takes = {line["key"]["mine"]: line["take"] for line in lines}
        shutil.copyfile(self.path("mine"), self.path("decided"))
        for title, name in ("decide at once", "decided"), ("decide after --conflicts", "listed"):
            run = self.merge(name, "--decisions", "d.jsonl")
            if run.returncode != 0:
                yield f"{title}: exit code {run.returncode}: {run.stderr[:300]}"
                continue
            wanted = {recipe: merged(self.base[recipe], self.mine[recipe], self.theirs[recipe], take)[0]
                      for recipe, take in takes.items()}
            found = lists(self.path(name))
            for recipe, texts in wanted.items():
                common = [text for text in texts if text in self.base[recipe]]
                # What theirs added stands behind already where it was merged before.
                if [text for text in found.get(recipe, []) if text in common] != common or sorted(found.get(recipe, [])) != sorted(texts):
                    yield f"{title}: recipe {recipe}, {takes[recipe]}: {found.get(recipe, [])}, not {texts}"
        undecided = [lines[0] | {"take": None}, *lines[1:]]
        (self.folder / "d.jsonl").write_text("".join(json.dumps(line) + "\n" for line in undecided))
        shutil.copyfile(self.path("mine"), self.path("refused"))
        before = dump(self.path("refused"))
        if self.merge("refused", "--decisions", "d.jsonl").returncode != 64 or dump(self.path("refused")) != before:
            yield "refuse: an undecided line was no error, or something changed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0-99", help="a seed, or the first and the last one")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    decant = os.path.abspath(os.environ.get("DECANT") or parser.error("say in DECANT which program to check"))
    first, _, last = options.seeds.partition("-")

    def one(seed):
        with tempfile.TemporaryDirectory() as folder:
            return seed, list(Trial(decant, seed, folder).laws())

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for seed, faults in pool.map(one, range(int(first), int(last or first) + 1)):
            failed += bool(faults)
            for fault in faults:
                print(f"{seed}: {fault}", flush=True)
    print(f"{int(last or first) + 1 - int(first)} histories, {failed} with faults")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
