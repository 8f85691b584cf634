#!/usr/bin/env python3
"""Does the time grow faster than the data?   scaling.py DECANT [NAME...] [--list]

Each case makes data of a size, then of twice and four times that size, and runs decant on each. The last two columns are
the ratios of processor time from one size to the next: about 2 where the time follows the data, 4 where it follows the
square. A ratio above 3, with at least half a second, is marked “grows”, and the exit status is 1. So is peak memory above
150 MiB that grows by more than half with each size.
"""
import json
import os
import random
import sqlite3
import sys
import tempfile
import uuid

from measure import measure

CASES = {}


def case(size):
    """Registers a function that makes the data of `size` in the working folder and returns the words after `decant`."""

    def register(function):
        CASES[function.__name__.replace("_", "-")] = (function, size)
        return function

    return register


def database(name, schema, *fills):
    if os.path.exists(name):
        os.remove(name)
    with sqlite3.connect(name) as connection:
        connection.executescript(schema)
        for statement, rows in fills:
            connection.executemany(statement, rows)
    connection.close()


def both(schema, fills):
    """Two databases; `fills` gets the distance of the keys, and which of the two it is."""
    database("a.db", schema, *fills(0, 0))
    database("b.db", schema, *fills(1000, 1))
    return ["merge", "a.db", "b.db"]


def named(text):
    return str(uuid.UUID(int=random.Random(text).getrandbits(128)))


NOTES = """CREATE TABLE note (id INTEGER PRIMARY KEY, name TEXT UNIQUE); CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE note_tag (note INTEGER REFERENCES note (id), tag INTEGER REFERENCES tag (id), PRIMARY KEY (note, tag))"""


def tagged(size):
    count = size // 4, max(2, size // 40)

    def fills(distance, _):
        yield "INSERT INTO note VALUES (?, ?)", ((i + distance, f"n{i}") for i in range(count[0]))
        yield "INSERT INTO tag VALUES (?, ?)", ((i + distance, f"t{i}") for i in range(count[1]))
        links = ((i % count[0] + distance, i * 7 % count[1] + distance) for i in range(size))
        yield "INSERT OR IGNORE INTO note_tag VALUES (?, ?)", links

    return both(NOTES, fills)


@case(40_000)
def links_replaced(size):
    return tagged(size) + ["--merge", "replace"]


@case(40_000)
def links_updated(size):
    return tagged(size) + ["--merge", "update"]


STEPS = "CREATE TABLE step (id INTEGER PRIMARY KEY, name TEXT, previous INTEGER REFERENCES step (id))"


@case(20_000)
def chain(size):
    return both(STEPS, lambda distance, _: [
        ("INSERT INTO step VALUES (?, ?, ?)", ((i + distance, f"s{i}", i - 1 + distance if i else None) for i in range(size)))])


@case(20_000)
def one_parent(size):
    return both(STEPS, lambda distance, _: [
        ("INSERT INTO step VALUES (?, ?, ?)", ((i + distance, f"s{i}", distance if i else None) for i in range(size)))])


@case(20_000)
def equal_rows(size):
    return both("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)", lambda distance, which: [
        ("INSERT INTO t VALUES (?, 'x')", ((i + distance,) for i in range(size)))])


@case(40_000)
def conflicts(size):
    schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, uuid TEXT UNIQUE, name TEXT)"
    return both(schema, lambda distance, which: [
        ("INSERT INTO t VALUES (?, ?, ?)", ((i + distance, named(i), f"{which} {i}") for i in range(size)))]) + ["--merge", "update"]


@case(40)
def tables(size):
    schema = ";".join(
        f"CREATE TABLE t{k} (id INTEGER PRIMARY KEY, uuid TEXT UNIQUE, up INTEGER REFERENCES t{max(0, k - 1)} (id))" for k in range(size))
    return both(schema, lambda distance, _: [
        (f"INSERT INTO t{k} VALUES (?, ?, ?)", [(i + 1, named(f"{k} {i}"), 1) for i in range(10)]) for k in range(size)])


def apart(schema, statement, row):
    """Compares two databases in which every row differs; `row` gets a number and which of the two it is."""

    def make(size, verb):
        for which, name in enumerate(("a.db", "b.db")):
            database(name, schema, (statement, (row(number, which) for number in range(size))))
        return [verb, "a.db", "b.db"]

    return make


WORDS = apart("CREATE TABLE t (word TEXT PRIMARY KEY, n) WITHOUT ROWID", "INSERT INTO t VALUES (?, ?)", lambda i, which: (f"w{i}", which))
LINKS = apart("CREATE TABLE r (id INTEGER PRIMARY KEY); CREATE TABLE l (a INTEGER REFERENCES r (id), b INTEGER, PRIMARY KEY (a, b))",
              "INSERT INTO l VALUES (?, ?)", lambda i, which: (i, 2 * i + which))


@case(30_000)
def words_compared(size):
    return WORDS(size, "diff")


@case(30_000)
def words_verified(size):
    return WORDS(size, "verify")


@case(30_000)
def links_compared(size):
    return LINKS(size, "diff")


def recipe(**members):
    value = {"@context": "https://schema.org", "@type": "Recipe", "name": "Soup", "recipeIngredient": ["1 egg"]}
    with open("recipe.json", "w") as file:
        json.dump(value | members, file, ensure_ascii=False)
    return ["import", "recipe.json", "new.db"]


@case(500_000)
def blanks(size):
    return recipe(description="\n" * size + "good" + "\u00a0" * size)


@case(40_000)
def tags(size):
    return recipe(keywords=", ".join(f"tag {number}" for number in range(size)))


@case(20_000)
def ingredients(size):
    return recipe(recipeIngredient=[f"{number % 97} g of flour {number}" for number in range(size)])


@case(4_000)
def shown_ingredients(size):
    lines = "".join(f'<li property="recipeIngredient">{number % 97} g of flour {number}</li>\n' for number in range(size))
    with open("recipe.html", "w") as file:
        file.write(f'<!DOCTYPE html><body vocab="https://schema.org/" typeof="Recipe"><h1 property="name">Soup</h1>'
                   f"<h2>Ingredients</h2><ul>{lines}</ul></body>")
    return ["import", "recipe.html", "new.db"]


@case(2_000)
def one_title(size):
    with open("recipe.html", "w") as file:
        file.write("<!DOCTYPE html>" + "".join(
            '<script type="application/ld+json">%s</script>\n'
            % json.dumps({"@type": "Recipe", "name": "Soup", "recipeIngredient": [f"{number} eggs"]}) for number in range(size)))
    return ["import", "recipe.html", "new.db"]


def main():
    words = [word for word in sys.argv[1:] if word != "--list"]
    if "--list" in sys.argv:
        sys.exit("\n".join(CASES))
    if not words:
        sys.exit(__doc__)
    decant, names = os.path.abspath(words[0]), words[1:] or list(CASES)
    unknown = [name for name in names if name not in CASES]
    if unknown:
        sys.exit(f"scaling: there is no case {unknown[0]}; the cases are {', '.join(CASES)}")
    grew = False
    print(f"  {'':20} {'size':>9} {'CPU s':>24} {'MiB':>15} {'ratios':>12}")
    for name in names:
        make, size = CASES[name]
        runs = []
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for factor in (1, 2, 4):
                if os.path.exists("new.db"):
                    os.remove("new.db")
                runs.append(measure([decant, *make(size * factor)], fine=(0, 3, 4)))
            os.chdir("/")
        pairs = list(zip(runs, runs[1:]))
        ratios = [after.processor / max(before.processor, 0.01) for before, after in pairs]
        grows = any(ratio > 3 and after.processor >= 0.5 for ratio, (_, after) in zip(ratios, pairs))
        swells = runs[-1].memory > 150 and all(after.memory > 1.5 * before.memory for before, after in pairs)
        grew = grew or grows or swells
        print(
            f"  {name:20} {size:9} {' '.join(f'{run.processor:7.2f}' for run in runs):>24} "
            f"{' '.join(f'{run.memory:4.0f}' for run in runs):>15} {' '.join(f'{ratio:5.1f}' for ratio in ratios):>12}"
            f"{'  grows' if grows else ''}{'  memory grows' if swells else ''}", flush=True)
    sys.exit(1 if grew else 0)


if __name__ == "__main__":
    main()
