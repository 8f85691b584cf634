"""What makes a database no sum of two others, whose rows were added under new keys.

New keys follow old ones in the same order. So the rows of a table with an integer key are matched in key
order, which gives the map of its keys; every declared link must lead by the map of the column that it
leads to, through any number of tables. Keys are held in memory.
"""
import sqlite3
from collections import Counter

from copied import short
from database import Database, fold, quote, scan

NUMBER = "integer"


class Maps:
    """Where the values of columns go: (table, column) -> {old: new}, along links."""

    def __init__(self, tables, links):
        self.tables = {fold(table.name): table for table in tables}
        self.keys = {}
        # The column that each column leads to, in declared and other links.
        self.leads = {}
        for table in tables:
            for link in table.foreign_keys:
                target = self.tables.get(fold(link.table))
                if not target:
                    continue
                for index, (own, theirs) in enumerate(link.columns):
                    theirs = theirs or (target.key[index] if index < len(target.key) else None)
                    if theirs:
                        self.lead(table.name, own, target.name, theirs)
        for table, column, target in links:
            self.lead(table, column, target, self.tables[fold(target)].key[0])

    def lead(self, table, column, target, theirs):
        self.leads.setdefault((fold(table), fold(column)), []).append((fold(target), fold(theirs)))

    def of(self, table, column, seen=()):
        """The map of a column's values, or None where they stay as they are."""
        place = (fold(table), fold(column))
        if place in self.keys:
            return self.keys[place]
        for target in self.leads.get(place, []):
            if target not in seen and (found := self.of(*target, seen + (place,))) is not None:
                return found
        return None


def number_key(table, database):
    """The one column of integers that a table's rows are known by, if it has one."""
    if table.alias:
        return table.alias
    if len(table.key) == 1:
        strange = database.rows(
            f"SELECT 1 FROM main.{quote(table.name)} WHERE typeof({quote(table.key[0])}) <> 'integer' LIMIT 1"
        )
        declared = next(column.declared for column in table.columns if column.name == table.key[0])
        if not strange and "INT" in declared.upper():
            return table.key[0]
    return None


def differences(before, source, after, links, ignored):
    old, a, new = Database(before), Database(source), Database(after)
    if Counter(old.schema) != Counter(new.schema):
        yield "schema: it changed"
    tables = [table for table in a.tables() if table.name not in ignored]
    known = {table.name: table for table in new.tables()}
    maps = Maps(tables, links)
    fresh = {}
    for table in tables:
        if table.name not in known:
            if a.rows(f"SELECT 1 FROM main.{quote(table.name)} LIMIT 1"):
                yield f"{table.name}: is not there"
            continue
        columns = [column.name for column in table.columns if not column.is_generated]
        key = number_key(table, a)
        kept = Counter(scan(old, table.name, columns, "1")) if table.name in {t.name for t in old.tables()} else Counter()
        rows = list(scan(new, table.name, columns, quote(key) if key else "1"))
        left = Counter(kept)
        added = []
        for row in rows:
            if left[row] > 0:
                left[row] -= 1
            else:
                added.append(row)
        for row in left.elements():
            yield f"{table.name}: a row that was there is gone or changed: {short(row)}"
            break
        fresh[table.name] = (table, columns, key, added)
        if key:
            index = columns.index(key)
            keys = sorted(row[index][1] for row in added)
            olds = [row[0] for row in a.rows(f"SELECT {quote(key)} FROM main.{quote(table.name)} ORDER BY 1")]
            if len(keys) == len(olds):
                maps.keys[(fold(table.name), fold(key))] = dict(zip(olds, keys))
    for table, columns, key, added in fresh.values():
        yield from moved(a, table, columns, key, added, maps)
    yield from counters(old, a, new)
    yield from soundness(old, a, new)


def moved(a, table, columns, key, added, maps):
    """Holds the rows of one table against the new ones."""
    ways = [maps.of(table.name, column) for column in columns]
    lost = 0
    expected = Counter()
    for row in scan(a, table.name, columns, "1"):
        cells = []
        for (kind, value), way in zip(row, ways):
            if way is not None and kind == NUMBER:
                if value in way:
                    value = way[value]
                elif value > 0:  # It led nowhere before, and must not lead to a stranger now; 0 and below are no keys.
                    kind, value, lost = "null", None, lost + 1
            cells.append((kind, value))
        expected[tuple(cells)] += 1
    found = Counter(added)
    if expected != found:
        missing, strange = list((expected - found).elements()), list((found - expected).elements())
        yield (
            f"{table.name}: {len(missing)} rows are not as expected, as {short(missing[0]) if missing else 'nothing'} "
            f"where {short(strange[0]) if strange else 'nothing'} was found"
        )
    if lost:
        yield f"note: {table.name}: {lost} links lead nowhere"


def counters(old, a, new):
    """AUTOINCREMENT counters: not below what they were, nor below any key."""
    def read(database):
        try:
            return dict(database.rows("SELECT name, seq FROM sqlite_sequence"))
        except sqlite3.Error:
            return {}

    before, after = read(old), read(new)
    for table in new.tables():
        if table.name not in after and table.name not in before:
            continue
        highest = new.rows(f"SELECT max(rowid) FROM main.{quote(table.name)}")[0][0] or 0
        if after.get(table.name, -1) < max(before.get(table.name, 0), highest):
            yield f"{table.name}: its counter is {after.get(table.name)}, its highest key {highest}"


def soundness(old, a, new):
    for name in ("integrity_check", "foreign_key_check"):
        try:
            found = new.pragma(name)
        except sqlite3.Error as error:
            yield f"note: {name}: {error}"
            continue
        if name == "integrity_check":
            known = set(old.pragma(name)) | set(a.pragma(name))
            if strange := [row for row in found if row not in known]:
                yield f"{name}: {strange[:5]}"
        else:
            try:
                allowed = len(old.pragma(name)) + len(a.pragma(name))
            except sqlite3.Error:
                continue
            if len(found) > allowed:
                yield f"{name}: {len(found)} links lead nowhere, of which {allowed} did before: {found[:5]}"
