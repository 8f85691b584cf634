#!/usr/bin/env python3
"""Gives the rows of a database other keys in another order: nothing that a user sees changes.

renumber.py DATABASE [LINK ...]    where a LINK is "table.column -> table [WHERE condition]"

Every integer primary key that is no link itself is renumbered, and every declared foreign key and every LINK
follows. Triggers do not run.
"""
import sys

from database import Database, fold, parse_link, quote, sql_condition


class Link:
    def __init__(self, table, column, target, condition=None):
        self.table, self.column, self.target, self.condition = fold(table), column, fold(target), condition


def main(path, options):
    database = Database(path, writable=True)
    run = database.connection.execute
    run("PRAGMA foreign_keys = OFF")
    run("BEGIN")
    triggers = database.drop_triggers()
    tables = {fold(table.name): table for table in database.tables()}
    links = [
        Link(name, key.columns[0][0], key.table)
        for name, table in tables.items()
        for key in table.foreign_keys
        # A link to other values than the key does not change with it.
        if len(key.columns) == 1 and key.columns[0][1] in (None, tables[fold(key.table)].alias)
    ] + [Link(*parse_link(option)) for option in options]

    def root(name):
        """The table that hands out a table's keys: another one where its key is a link."""
        while True:
            targets = [link.target for link in links if link.table == name and link.column == tables[name].alias]
            if not targets or targets[0] == name:
                return name
            name = targets[0]

    run("CREATE TEMP TABLE renumbered (name, old, new, PRIMARY KEY (name, old))")
    roots = [name for name, table in tables.items() if table.alias and root(name) == name]
    for name in roots:
        key, table = quote(tables[name].alias), quote(tables[name].name)
        run(
            f"INSERT INTO renumbered SELECT ?, {key}, 10 + 3 * row_number() OVER (ORDER BY {key} DESC) FROM {table}",
            (name,),
        )

    def change(table, column, name, condition=None):
        # Two steps, as a new key may be another row's old one; texts of digits are keys, too.
        condition = sql_condition(tables, table, condition)
        column, table = quote(column), quote(tables[table].name)
        key = f"CAST({column} AS INTEGER)"
        for old, new in (("old", "-1000000 - new"), ("-1000000 - new", "new")):
            run(
                f"UPDATE {table} SET {column} = (SELECT {new} FROM renumbered WHERE name = ?1 AND {old} = {key}) "
                f"WHERE CAST({key} AS TEXT) = CAST({column} AS TEXT) AND ({condition}) "
                f"AND {key} IN (SELECT {old} FROM renumbered WHERE name = ?1)",
                (name,),
            )

    # A condition asks for values as they were.
    for link in sorted(links, key=lambda link: link.condition is None):
        change(link.table, link.column, root(link.target), link.condition)
    for name in roots:
        change(name, tables[name].alias, name)
    for sql in triggers:
        run(sql)
    run("COMMIT")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
