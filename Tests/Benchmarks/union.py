#!/usr/bin/env python3
"""Is MERGED what MINE and THEIRS hold together?   union.py MINE THEIRS MERGED

For stores of the generator, in which every object has a UUID: objects of both are those of MINE; links are
followed to UUIDs, keys do not count. BENCH names the folder of the generator. Exit status 0: it is; 1: not,
with what differs. Shares no code with decant.
"""
import os
import sqlite3
import sys

sys.path.insert(0, os.environ["BENCH"])
sys.dont_write_bytecode = True
from schema import PK, TABLES


def read(path):
    """Every row by its UUID, links of a join table by themselves; for each table."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    found = {}
    for table, columns in TABLES.items():
        names = [name for name in columns if name not in ("Z_PK", "Z_OPT")]
        values, joins = [], []
        for number, name in enumerate(names):
            target = columns[name]
            if target and target != PK:
                values.append(f"hex(r{number}.ZUUID)")
                joins.append(f"LEFT JOIN {target} r{number} ON r{number}.Z_PK = t.{name}")
            else:
                values.append(f"t.{name}")
        rows = connection.execute(
            f"SELECT {', '.join(values)} FROM {table} t {' '.join(joins)}"
        ).fetchall()
        by = names.index("ZUUID") if "ZUUID" in names else None
        found[table] = {row if by is None else row[by]: row for row in rows}
        if len(found[table]) < len(rows):
            sys.exit(f"{path}: {table} has an object twice")
    check = connection.execute("PRAGMA integrity_check").fetchone()[0]
    if check != "ok":
        sys.exit(f"{path}: {check}")
    return found


mine, theirs, merged = map(read, sys.argv[1:4])
wrong = 0
for table in mine:
    want = {**theirs[table], **mine[table]}
    if want != merged[table]:
        wrong += 1
        print(f"{table}: {len(merged[table])} rows, {len(want)} expected, or other values")
print("WRONG" if wrong else "RIGHT")
sys.exit(1 if wrong else 0)
