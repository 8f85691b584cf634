#!/usr/bin/env python3
"""Edits a database as a user would, and says how; prints nothing where there is nothing of the kind.

edit.py DATABASE value|link|part|removal|two SEED [LINK ...]    where a LINK is "table.column -> table"

value    a value that no key, unique index or link rests on
link     a link to another row of its target
part     a value of a row that is deleted along with another one
removal  a row, and what is deleted along with it
two      two values, of two tables if there are so many
"""
import random
import re
import sqlite3
import sys


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


class Database:
    def __init__(self, path, links):
        self.connection = sqlite3.connect(path)
        # Each statement by itself, so that what breaks a foreign key is refused at once.
        self.connection.isolation_level = None
        self.connection.execute("PRAGMA foreign_keys = ON")
        for (name,) in self.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
            self.connection.execute(f"DROP TRIGGER {quoted(name)}")
        # Virtual tables and what they keep their rows in are no user's.
        self.tables = sorted(
            row[1]
            for row in self.rows("PRAGMA table_list")
            if row[0] == "main" and row[2] == "table" and not row[1].startswith("sqlite_")
        )
        # Of a Core Data store the tables of objects, of which texts are edited that are attributes for certain.
        self.is_core_data = "Z_METADATA" in self.tables
        if self.is_core_data:
            self.tables = [
                table
                for table in self.tables
                if any(row[1] == "Z_PK" for row in self.rows(f"PRAGMA table_info({quoted(table)})"))
            ]
        self.links = {}
        for table in self.tables:
            keys = {}
            for row in self.rows(f"PRAGMA foreign_key_list({quoted(table)})"):
                keys.setdefault(row[0], []).append(row)
            self.links[table] = [
                [(row[3], row[2], row[4], row[6]) for row in key] for key in keys.values()
            ]
        for link in links:
            match = re.fullmatch(r"\s*(\w+)\.(\w+)\s*->\s*(\w+).*", link)
            if match and match[1] in self.links:
                self.links[match[1]].append([(match[2], match[3], None, "NO ACTION")])

    def rows(self, sql, values=()):
        return self.connection.execute(sql, values).fetchall()

    def fixed(self, table):
        """The columns on which a key, a unique index or a link rests."""
        found = {column for key in self.links[table] for column, *_ in key}
        found |= {row[1] for row in self.rows(f"PRAGMA table_info({quoted(table)})") if row[5]}
        for index in self.rows(f"PRAGMA index_list({quoted(table)})"):
            if index[2]:
                found |= {row[2] for row in self.rows(f"PRAGMA index_info({quoted(index[1])})")}
        return found

    def values(self, table):
        """The columns that hold plain values: no identifier, as users do not edit these."""
        fixed = self.fixed(table)
        return [
            row[1]
            for row in self.rows(f"PRAGMA table_xinfo({quoted(table)})")
            if row[1] not in fixed and row[6] == 0 and (not self.is_core_data or row[2] == "VARCHAR") and not re.search(r"(?i)uuid|guid|ident|(_id|Id|rid)$", row[1])
        ]

    def identity(self, table):
        """How a row is found again."""
        info = self.rows(f"PRAGMA table_info({quoted(table)})")
        key = [row[1] for row in sorted(info, key=lambda row: row[5]) if row[5]]
        try:
            self.rows(f"SELECT rowid FROM {quoted(table)} LIMIT 0")
            return ["rowid"]
        except sqlite3.OperationalError:
            return key

    def choose(self, table, chance):
        key = self.identity(table)
        names = ", ".join(map(quoted, key))
        rows = self.rows(f"SELECT {names} FROM {quoted(table)} ORDER BY {names}")
        if not rows:
            return None
        return " AND ".join(f"{quoted(name)} IS ?" for name in key), chance.choice(rows)

    def change_value(self, table, chance):
        columns, row = self.values(table), self.choose(table, chance)
        if not columns or not row:
            return None
        column = chance.choice(columns)
        where, key = row
        ((old,),) = self.rows(f"SELECT {quoted(column)} FROM {quoted(table)} WHERE {where}", key)
        if isinstance(old, (int, float)):
            new = old + 1 if abs(old) < 1 << 40 else 1
        elif isinstance(old, bytes):
            new = old + b"!"
        else:
            new = (old or "") + " (edited)"
        try:
            self.connection.execute(f"UPDATE {quoted(table)} SET {quoted(column)} = ? WHERE {where}", (new, *key))
        except sqlite3.IntegrityError:
            return None
        return f"{table}.{column} of {key}: {old!r:.60} became {new!r:.60}"

    def change_link(self, table, chance):
        keys = [key for key in self.links[table] if len(key) == 1]
        own = {row[1] for row in self.rows(f"PRAGMA table_info({quoted(table)})") if row[5]}
        unique = set()
        for index in self.rows(f"PRAGMA index_list({quoted(table)})"):
            if index[2]:
                unique |= {row[2] for row in self.rows(f"PRAGMA index_info({quoted(index[1])})")}
        keys = [key for key in keys if key[0][0] not in own | unique]
        row = self.choose(table, chance)
        if not keys or not row:
            return None
        column, target, to, _ = chance.choice(keys)[0]
        where, key = row
        to = quoted(to or next(row[1] for row in self.rows(f"PRAGMA table_info({quoted(target)})") if row[5]))
        ((old,),) = self.rows(f"SELECT {quoted(column)} FROM {quoted(table)} WHERE {where}", key)
        others = self.rows(f"SELECT {to} FROM {quoted(target)} WHERE {to} IS NOT ? ORDER BY 1", (old,))
        if not others:
            return None
        (new,) = chance.choice(others)
        try:
            self.connection.execute(f"UPDATE {quoted(table)} SET {quoted(column)} = ? WHERE {where}", (new, *key))
        except sqlite3.IntegrityError:
            return None
        return f"{table}.{column} of {key}: led to {old!r}, now to {new!r}"

    def remove(self, table, chance):
        row = self.choose(table, chance)
        if not row:
            return None
        where, key = row
        try:
            self.connection.execute(f"DELETE FROM {quoted(table)} WHERE {where}", key)
            return f"{table} {key} was removed"
        except (sqlite3.IntegrityError, sqlite3.OperationalError):
            # SQLite cannot follow a foreign key to a table whose name looks quoted, such as "[bracket]".
            return None

    def is_part(self, table):
        return any(action == "CASCADE" for key in self.links[table] for *_, action in key)


def main(path, kind, seed, links):
    database, chance = Database(path, links), random.Random(seed)
    tables = list(database.tables)
    chance.shuffle(tables)
    # Triggers are dropped while rows are edited only.
    triggers = [row[0] for row in sqlite3.connect(path).execute("SELECT sql FROM sqlite_schema WHERE type = 'trigger'")]
    edits = {
        "value": database.change_value,
        "two": database.change_value,
        "link": database.change_link,
        "part": database.change_value,
        "removal": database.remove,
    }
    if database.is_core_data and kind not in ("value", "two"):
        return
    wanted, done = (2 if kind == "two" else 1), []
    for table in tables:
        if kind == "part" and not database.is_part(table):
            continue
        said = edits[kind](table, chance)
        if said:
            done.append(said)
        if len(done) == wanted:
            break
    for sql in triggers:
        database.connection.execute(sql)
    database.connection.commit()
    print("; ".join(done))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:])
