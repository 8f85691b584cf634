#!/usr/bin/env python3
"""Prints as JSON what a database holds: a hash of all rows in any order, each table's number of rows, and what
SQLite says is wrong.

Core Data's own tables are left out, as a merge may count in them.
"""
import hashlib
import json
import sqlite3
import sys


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def main(path):
    database = sqlite3.connect(path)
    database.text_factory = bytes
    tables = [
        row[0].decode()
        for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    ]
    counts, complaints, whole = {}, [], hashlib.sha256()
    for table in tables:
        if table.startswith("sqlite_") or table.startswith("Z_M") or table in ("Z_PRIMARYKEY", "ACHANGE", "ATRANSACTION"):
            continue
        try:
            rows = database.execute(f"SELECT * FROM {quoted(table)}").fetchall()
        except sqlite3.OperationalError:
            continue
        counts[table] = len(rows)
        for text in sorted(map(repr, rows)):
            whole.update(f"{table}\t{text}\n".encode())
    for check in ("integrity_check", "foreign_key_check"):
        try:
            for row in database.execute(f"PRAGMA {check}"):
                if row != (b"ok",):
                    complaints.append(f"{check}: {row!r}")
        except sqlite3.OperationalError as error:
            complaints.append(f"{check}: {error}")
    print(json.dumps({"hash": whole.hexdigest(), "counts": counts, "complaints": complaints}))


if __name__ == "__main__":
    main(sys.argv[1])
