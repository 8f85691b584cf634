#!/usr/bin/env python3
"""Makes of a database another one that it can be added to: twin.py DATABASE TWIN.

The twin has the same schema and as many rows under the same integer keys, but every text ends with one
more letter, and numbers that must be unique and are no keys are others. So a copy added to the twin collides
in integer keys and in nothing else. Triggers do not run; what the change makes invalid is written
all the same.
"""
import os
import shutil
import sys

from added import number_key
from database import Database, fold, quote

MARK = "ʹ"


def main(source, twin):
    for suffix in ("", "-wal", "-shm", "-journal"):
        if os.path.exists(twin + suffix):
            os.remove(twin + suffix)
    shutil.copyfile(source, twin)
    database = Database(twin, writable=True)
    run = database.connection.execute
    run("PRAGMA ignore_check_constraints = ON")
    run("PRAGMA foreign_keys = OFF")
    run("BEGIN")
    triggers = database.drop_triggers()
    tables = database.tables()
    for table in tables:
        table.holds_numbers = number_key(table, database) is not None
    leads = links(tables)
    shifted = groups(database, tables, leads)
    for table in tables:
        unique = unique_columns(database, table)[0]
        changes = []
        for column in table.columns:
            if column.is_generated or column.name == table.alias:
                continue
            checked = is_checked(table, database)
            if checked and column.name not in unique:
                continue
            name = quote(column.name)
            place = (fold(table.name), fold(column.name))
            numbers = name
            if place in shifted:
                numbers = f"{name} + 1000000007"
            changes.append(
                f"{name} = CASE typeof({name}) WHEN 'text' THEN {name} || '{MARK}' WHEN 'integer' THEN {numbers} "
                + (f"WHEN 'real' THEN {name} + 1000000007 WHEN 'blob' THEN CAST({name} || x'00' AS BLOB) " if place in shifted else "")
                + f"ELSE {name} END"
            )
        if changes:
            run(f"UPDATE OR ROLLBACK main.{quote(table.name)} SET {', '.join(changes)}")
    for sql in triggers:
        run(sql)
    run("COMMIT")


def links(tables):
    named = {fold(table.name): table for table in tables}
    leads = {}
    for table in tables:
        for link in table.foreign_keys:
            target = named.get(fold(link.table))
            for index, (own, theirs) in enumerate(link.columns):
                if target and (theirs or index < len(target.key)):
                    leads.setdefault((fold(table.name), fold(own)), []).append(
                        (fold(target.name), fold(theirs or target.key[index]))
                    )
    return leads


def groups(database, tables, leads):
    """The columns whose numbers change: unique ones that are no keys, and with them whatever leads to them or
    they lead to, or no link of the twin would lead anywhere."""
    shifted = set()
    for table in tables:
        unique, alone = unique_columns(database, table)
        for column in table.columns:
            place = (fold(table.name), fold(column.name))
            if column.name in (alone if is_checked(table, database) else unique) and not key_of_numbers(place, leads, tables):
                shifted.add(place)
    edges = [(place, target) for place, targets in leads.items() for target in targets]
    while True:
        more = {end for edge in edges if shifted.intersection(edge) for end in edge} - shifted
        more = {place for place in more if not key_of_numbers(place, leads, tables)}
        if not more:
            return shifted
        shifted |= more


def key_of_numbers(place, leads, tables, seen=()):
    """Whether a column's values are renumbered: it is a key of one number, or leads to one."""
    for table in tables:
        if fold(table.name) == place[0] and len(table.key) == 1 and fold(table.key[0]) == place[1]:
            if table.holds_numbers:
                return True
    return any(
        key_of_numbers(target, leads, tables, seen + (place,)) for target in leads.get(place, []) if target not in seen
    )


def is_checked(table, database):
    """Whether a constraint may name a column: then values stay valid only as they are."""
    sql = database.rows("SELECT sql FROM sqlite_schema WHERE name = ? AND type = 'table'", table.name)[0][0]
    return "CHECK" in sql.upper()


def unique_columns(database, table):
    """The columns of unique indexes, and those that are unique by themselves."""
    found, alone = set(), set()
    for name, in database.rows('SELECT name FROM pragma_index_list(?) WHERE "unique"', table.name):
        columns = {row[0] for row in database.rows("SELECT name FROM pragma_index_info(?)", name) if row[0]}
        found |= columns
        alone |= columns if len(columns) == 1 else set()
    return found | set(table.key), alone


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
