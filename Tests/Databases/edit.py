#!/usr/bin/env python3
"""Edits a database as a user would, and says how; prints nothing where there is nothing of the kind.

edit.py DATABASE value|link|part|removal|two SEED [LINK ...]    where a LINK is "table.column -> table [WHERE condition]"

value    a value that no key, unique index or link rests on
link     a link to another row of its target
part     a value of a row that is deleted along with another one
removal  a row, and what is deleted along with it
two      two values, of two tables if there are so many

Several databases with as many kinds, with commas between them, are edited one after the other; each gets its line.

Triggers do not run. Of a Core Data store texts are edited, which are attributes for certain.
"""
import collections
import random
import re
import sqlite3
import sys

from database import Database, fold, parse_link, quote, sql_condition

# Users do not edit identifiers.
IDENTIFIER = re.compile(r"(?i)uuid|guid|ident|(_id|Id|rid)$")


class Editor:
    def __init__(self, path, links, chance):
        self.database, self.chance = Database(path, writable=True), chance
        self.database.connection.execute("PRAGMA foreign_keys = ON")
        self.tables = self.database.tables()
        self.is_core_data = any(table.name == "Z_METADATA" for table in self.tables)
        if self.is_core_data:
            self.tables = [table for table in self.tables if table.alias == "Z_PK"]
        self.links = {
            table.name: [(*key.columns[0], key.table, "1") for key in table.foreign_keys if len(key.columns) == 1]
            for table in self.tables
        }
        # A column of which a condition speaks names the table of a key.
        self.types = collections.defaultdict(set)
        tables = {fold(table.name): table for table in self.tables}
        for table, column, target, condition in map(parse_link, links):
            self.links[table].append((column, None, target, sql_condition(tables, table, condition)))
            self.types[table] |= set(re.findall(r"\w+", condition or ""))

    def unique(self, table):
        """The columns of the key and of unique indexes."""
        indexes = self.database.rows("SELECT name FROM pragma_index_list(?) WHERE \"unique\"", table.name)
        found = {name for (index,) in indexes for (name,) in self.database.rows("SELECT name FROM pragma_index_info(?)", index)}
        return found | set(table.key)

    def choose(self, table, condition="1"):
        """How a row that meets the condition is found again, and its values there."""
        key = table.key if table.without_rowid else ["rowid"]
        names = ", ".join(map(quote, key))
        rows = self.database.rows(f"SELECT {names} FROM {quote(table.name)} WHERE {condition} ORDER BY {names}")
        return (" AND ".join(f"{quote(name)} IS ?" for name in key), self.chance.choice(rows)) if rows else None

    def change(self, table, column, row, new):
        """Sets a value; returns the old one, or nothing where the database refuses the new one."""
        where, key = row
        ((old,),) = self.database.rows(f"SELECT {quote(column)} FROM {quote(table.name)} WHERE {where}", *key)
        new = new(old)
        if new is None or not self.run(f"UPDATE {quote(table.name)} SET {quote(column)} = ? WHERE {where}", new, *key):
            return None
        return f"{table.name}.{column} of {key}: {old!r:.60} became {new!r:.60}"

    def run(self, sql, *values):
        try:
            self.database.connection.execute(sql, values)
            return True
        except sqlite3.IntegrityError:
            return False
        except sqlite3.OperationalError as error:
            # SQLite cannot follow a foreign key to a table whose name looks quoted, such as "[bracket]".
            if "no such table" not in str(error):
                raise
            return False

    def edit_value(self, table):
        fixed = self.unique(table) | {column for key in table.foreign_keys for column, _ in key.columns}
        fixed |= {column for column, *_ in self.links[table.name]} | self.types[table.name]
        columns = [
            column.name
            for column in table.columns
            if column.name not in fixed
            and not column.is_generated
            and not IDENTIFIER.search(column.name)
            and (not self.is_core_data or column.declared == "VARCHAR")
        ]
        row = self.choose(table)
        return self.change(table, self.chance.choice(columns), row, other) if columns and row else None

    def edit_link(self, table):
        links = [link for link in self.links[table.name] if link[0] not in self.unique(table)]
        row = self.choose(table)
        if not links or not row:
            return None
        column, target_column, target, condition = self.chance.choice(links)
        row = row if condition == "1" else self.choose(table, condition)
        if not row or column in self.types[table.name]:
            return None
        keys = {each.name: each.key for each in self.tables}
        to = quote(target_column or keys[target][0])

        def another(old):
            others = self.database.rows(f"SELECT {to} FROM {quote(target)} WHERE {to} IS NOT ? ORDER BY 1", old)
            return self.chance.choice(others)[0] if others else None

        return self.change(table, column, row, another)

    def remove(self, table):
        row = self.choose(table)
        if row and self.run(f"DELETE FROM {quote(table.name)} WHERE {row[0]}", *row[1]):
            return f"{table.name} {row[1]} was removed"
        return None

    def is_part(self, table):
        return bool(
            self.database.rows("SELECT 1 FROM pragma_foreign_key_list(?) WHERE on_delete = 'CASCADE'", table.name)
        )


def other(old):
    """A value of the same type, as a user would change it."""
    if isinstance(old, (int, float)):
        return old + 1 if abs(old) < 1 << 40 else 1
    return old + b"!" if isinstance(old, bytes) else (old or "") + " (edited)"


def main(path, kind, seed, links):
    editor = Editor(path, links, random.Random(seed))
    edit = {"link": editor.edit_link, "removal": editor.remove}.get(kind, editor.edit_value)
    if editor.is_core_data and edit != editor.edit_value:
        return print()
    tables = [table for table in editor.tables if kind != "part" or editor.is_part(table)]
    editor.chance.shuffle(tables)
    editor.database.connection.execute("BEGIN")
    triggers = editor.database.drop_triggers()
    done = []
    for table in tables:
        if len(done) < (2 if kind == "two" else 1):
            done += filter(None, [edit(table)])
    for sql in triggers:
        editor.database.connection.execute(sql)
    try:
        editor.database.connection.execute("COMMIT")
    except sqlite3.IntegrityError:
        # A deferred foreign key forbids the edit: there is none.
        editor.database.connection.execute("ROLLBACK")
        done = []
    print("; ".join(done))


if __name__ == "__main__":
    for path, kind in zip(sys.argv[1].split(","), sys.argv[2].split(","), strict=True):
        main(path, kind, int(sys.argv[3]), sys.argv[4:])
