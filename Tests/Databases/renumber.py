#!/usr/bin/env python3
"""Gives the rows of a database other keys in another order: nothing that a user sees changes.

renumber.py DATABASE [LINK ...]    where a LINK is "table.column -> table"

Every integer primary key that no other table lends its meaning to is renumbered, and every declared
foreign key and every LINK follows.
"""
import re
import sqlite3
import sys


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def main(path, links):
    database = sqlite3.connect(path)
    database.execute("PRAGMA foreign_keys = OFF")
    tables = [
        row[0]
        for row in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        )
    ]
    keys, referring = {}, []
    for table in tables:
        columns = database.execute(f"PRAGMA table_info({quoted(table)})").fetchall()
        key = [column[1] for column in columns if column[5]]
        if len(key) == 1 and any(c[1] == key[0] and c[2].upper() == "INTEGER" for c in columns):
            keys[table.lower()] = (table, key[0])
        found = {}
        for row in database.execute(f"PRAGMA foreign_key_list({quoted(table)})"):
            found.setdefault(row[0], []).append(row)
        for rows in found.values():
            if len(rows) == 1:
                referring.append((table, rows[0][3], rows[0][2].lower(), rows[0][4]))
    for link in links:
        match = re.fullmatch(r"\s*(\w+)\.(\w+)\s*->\s*(\w+)(\s+WHERE\s+.*)?", link)
        if match:
            referring.append((match[1], match[2], match[3].lower(), None, match[4] or ""))
    lent = {(table.lower(), column) for table, column, *_ in referring}
    roots = {name: key for name, key in keys.items() if (name, key[1]) not in lent}
    triggers = database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        database.execute(f"DROP TRIGGER {quoted(name)}")

    def root(name):
        """The table whose keys a table's own keys are, through tables whose key is a link."""
        while name not in roots:
            following = [
                to
                for table, column, to, *_ in referring
                if table.lower() == name and name in keys and column == keys[name][1]
            ]
            if not following or following[0] == name:
                return None
            name = following[0]
        return name

    maps = {}
    for name, (table, key) in roots.items():
        values = [row[0] for row in database.execute(f"SELECT {quoted(key)} FROM {quoted(table)} ORDER BY 1")]
        count = len(values)
        maps[name] = {value: 10 + 3 * (count - place) for place, value in enumerate(values)}
    database.execute("CREATE TEMP TABLE renumbered (name, old, new, PRIMARY KEY (name, old))")
    for name, numbers in maps.items():
        database.executemany(
            "INSERT INTO renumbered VALUES (?, ?, ?)", [(name, old, new) for old, new in numbers.items()]
        )

    def change(table, column, name, condition=""):
        # Two steps, as a new key may be another row's old one.
        for old, new in (("old", "-1000000 - new"), ("-1000000 - new", "new")):
            database.execute(
                f"UPDATE {quoted(table)} SET {quoted(column)} = (SELECT {new} FROM renumbered WHERE name = ? "
                f"AND {old} = {quoted(column)}) WHERE typeof({quoted(column)}) = 'integer' AND {quoted(column)} IN "
                f"(SELECT {old} FROM renumbered WHERE name = ?) {condition}",
                (name, name),
            )

    # A condition asks for values as they were.
    for table, column, to, target, *rest in sorted(referring, key=lambda link: len(link) == 4):
        name = root(to)
        if name is None or (target and target != keys[to][1]):
            continue
        condition = f"AND ({rest[0].strip()[5:]})" if rest and rest[0] else ""
        change(table, column, name, condition)
    for name, (table, key) in roots.items():
        change(table, key, name)
    for _, sql in triggers:
        database.execute(sql)
    database.commit()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
