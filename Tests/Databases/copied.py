"""What makes a database no exact copy of another."""
import itertools
import sqlite3
from collections import Counter

from database import Database, quote, scan, values

PRAGMAS = ["user_version", "application_id", "encoding", "auto_vacuum", "page_size"]


def differences(source, copy, left_out=()):
    a, b = Database(source), Database(copy)
    yield from schema(a, b, left_out)
    for name in PRAGMAS:
        if a.pragma(name) != b.pragma(name):
            yield f"PRAGMA {name}: {a.pragma(name)} became {b.pragma(name)}"
    kinds = b.kinds()
    for table in a.tables():
        if table.name in kinds and table.name not in left_out:
            yield from rows(a, b, table)
    for name, module in a.virtual_tables():
        if name in left_out:
            continue
        yield from contents(a, b, name, module)
    for name in ("sqlite_sequence", "sqlite_stat1", "sqlite_stat4"):
        for finding in internal(a, b, name):
            yield finding if name == "sqlite_sequence" else "note: " + finding
    yield from soundness(a, b)


def schema(a, b, left_out):
    # sqlite_stat tables and the like are compared by content; ANALYZE makes them at any time.
    # The tables in which virtual ones keep their content are the module's own: renamed, they are quoted anew.
    def named(database):
        shadows = {name for name, (kind, _) in database.kinds().items() if kind == "shadow"}
        return Counter(
            row for row in database.schema
            if not row[1].startswith("sqlite_stat") and row[2] not in left_out and row[2] not in shadows
        )

    for row in (named(a) - named(b)).elements():
        yield f"schema: {row[0]} {row[1]} is missing or changed: {row[3]!r}"
    for row in (named(b) - named(a)).elements():
        yield f"schema: {row[0]} {row[1]} is new: {row[3]!r}"


def rows(a, b, table):
    columns = [column.name for column in table.columns]
    # Generated columns are compared too: they show what they are made of.
    order = quote(table.alias) if table.alias else ", ".join(
        f"typeof({quote(name)}), {quote(name)} COLLATE BINARY" for name in columns
    )
    try:
        pairs = itertools.zip_longest(scan(a, table.name, columns, order), scan(b, table.name, columns, order))
        for number, (left, right) in enumerate(pairs, 1):
            if left != right:
                yield f"{table.name}: row {number} of {order if table.alias else 'all in order'}: {short(left)} became {short(right)}"
                return
    except sqlite3.Error as error:
        yield f"note: {table.name}: cannot be read: {error}"


def short(row):
    if row is None:
        return "nothing"
    text = ", ".join(f"{kind}:{value!r}"[:60] for kind, value in row)
    return f"({text})"[:400]


# How the content of a virtual table is told: its rows, then what its index knows.
INDEXES = {
    "fts5": ("CREATE VIRTUAL TABLE temp.{v} USING fts5vocab(main, {t}, 'instance')", "SELECT * FROM temp.{v} ORDER BY 1, 2, 3, 4"),
    "fts4": ("CREATE VIRTUAL TABLE temp.{v} USING fts4aux(main, {t})", "SELECT * FROM temp.{v} ORDER BY 1, 2, 3, 4"),
}
INDEXES["fts3"] = INDEXES["fts4"]


def contents(a, b, name, module):
    if module == "dbstat":
        return  # It tells of pages, not of rows.
    found = [told(database, name, module) for database in (a, b)]
    if found[0] != found[1] and found[0][:1] == found[1][:1]:
        # Where the source's index has fallen behind its content, a copy's may be up to date.
        found[0] = rebuilt(a, name, module) or found[0]
    if found[0] != found[1]:
        yield f"virtual table {name} ({module}): its {'rows' if found[0][0] != found[1][0] else 'index'} differ"
    elif any(isinstance(part, str) for part in found[0]):
        yield f"note: virtual table {name} ({module}): not compared: {[part for part in found[0] if isinstance(part, str)][0]}"


def rebuilt(database, name, module):
    """What a virtual table tells after its index was built anew, in a copy of the database in memory."""
    copy = Database(":memory:")
    database.connection.backup(copy.connection)
    try:
        copy.connection.execute(f"INSERT INTO {quote(name)} ({quote(name)}) VALUES ('rebuild')")
    except sqlite3.Error:
        return None
    return told(copy, name, module)


def told(database, name, module):
    """Rows and index of a virtual table, each as a text where it cannot be read."""
    parts = []
    try:
        columns = [row[0] for row in database.rows("SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 1", name)]
        shown = ", ".join(["rowid"] + [quote(column) for column in columns])
        parts.append(Counter(map(exact, database.rows(f"SELECT {shown} FROM main.{quote(name)}"))))
    except sqlite3.Error as error:
        parts.append(str(error))
    if module in INDEXES:
        create, read = INDEXES[module]
        vocabulary = quote("v " + name)
        try:
            database.connection.execute(create.format(v=vocabulary, t="'" + name.replace("'", "''") + "'"))
            parts.append(Counter(map(exact, database.rows(read.format(v=vocabulary)))))
        except sqlite3.Error as error:
            parts.append(str(error))
    return parts


def exact(row):
    return tuple((type(value).__name__, value.hex() if isinstance(value, float) else value) for value in row)


def internal(a, b, name):
    def content(database):
        if not database.rows("SELECT 1 FROM sqlite_schema WHERE name = ?", name):
            return Counter()
        # What somebody else wrote there is of no table.
        return Counter(row for row in database.rows(f"SELECT * FROM {name}") if row[0] in database.kinds())

    if content(a) != content(b):
        yield f"{name}: without {sorted(map(str, (content(a) - content(b)).elements()))[:5]}, with {sorted(map(str, (content(b) - content(a)).elements()))[:5]}"


def soundness(a, b):
    """The copy may be no less sound than its source; where rows have no keys, only their number counts."""
    for name in ("integrity_check", "foreign_key_check"):
        results = []
        for database in (a, b):
            try:
                found = database.pragma(name)
            except sqlite3.Error as error:
                found = [(str(error),)]
            if name == "foreign_key_check" and found and len(found[0]) == 4:
                found = [(table, parent, number) for table, _, parent, number in found]
            results.append(Counter(found))
        if results[1] - results[0]:
            yield f"{name}: {list((results[1] - results[0]).elements())[:5]}"
