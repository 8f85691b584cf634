#!/usr/bin/env python3
"""Prints as JSON what a database holds: a hash of all rows in any order, each table's number of rows, and what
SQLite says is wrong.

Core Data's own tables are left out, as a merge may count in them.
"""
import json
import sys

from database import Database, contents

OWN = ("Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", "ACHANGE", "ATRANSACTION")


def main(path):
    database = Database(path)
    tables = [table for table in database.tables() if table.name not in OWN]
    counts = {table.name: database.rows(f"SELECT count(*) FROM {table.quoted}")[0][0] for table in tables}
    complaints = [
        f"{check}: {row!r}"
        for check in ("integrity_check", "foreign_key_check")
        for row in database.pragma(check)
        if row != ("ok",)
    ]
    print(json.dumps({"hash": contents(database, tables), "counts": counts, "complaints": complaints}))


if __name__ == "__main__":
    main(sys.argv[1])
