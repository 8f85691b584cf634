"""What the checks share: reading any SQLite file with Python's own module, independent of decant."""
import hashlib
import re
import sqlite3
import urllib.parse

# Collations that programs bring along: here they need only exist, for nothing is looked up by them.
BUILT_IN = {"BINARY", "NOCASE", "RTRIM"}
COLLATION = re.compile(r"""\bCOLLATE\s+("(?:[^"]|"")*"|\[[^]]*\]|`[^`]*`|'[^']*'|\w+)""", re.I)


def quote(name):
    return '"' + name.replace('"', '""') + '"'


def fold(name):
    """SQLite's idea of equal names: ASCII letters alone have case."""
    return "".join(chr(ord(letter) + 32) if "A" <= letter <= "Z" else letter for letter in name)


def parse_link(text):
    """The table, column, target and condition of "table.column -> table [WHERE condition]"."""
    found = re.fullmatch(r"\s*(\w+)\.(\w+)\s*->\s*(\w+)(?:\s+WHERE\s+(.*))?", text)
    if not found:
        raise ValueError(f"no link: {text}")
    return found.groups()


def sql_condition(tables, name, condition):
    """The condition of a link of the table `name` as SQL: "type.model" is a column of the row that "type" leads to."""

    def lookup(found):
        table, (column, *behind) = tables[fold(name)], found.group().split(".")
        value = quote(column)
        for following in behind:
            keys = {key.columns[0][0]: key.table for key in table.foreign_keys if len(key.columns) == 1}
            table = tables[fold(keys[column])]
            value = f"(SELECT {quote(following)} FROM {quote(table.name)} WHERE {quote(table.alias)} = {value})"
            column = following
        return value

    return re.sub(r"\w+(\.\w+)+", lookup, condition) if condition else "1"


class Column:
    def __init__(self, name, declared, key, hidden):
        self.name, self.declared, self.key = name, declared, key
        self.is_generated = hidden in (2, 3)


class ForeignKey:
    def __init__(self, table, columns):
        self.table, self.columns = table, columns  # columns: [(own, target's or None)]


class Table:
    """One ordinary table: its columns, its key and its links."""

    def __init__(self, database, name, without_rowid):
        self.name = name
        self.quoted = quote(name)
        self.without_rowid = bool(without_rowid)
        self.columns = [
            Column(*row)
            for row in database.rows("SELECT name, type, pk, hidden FROM pragma_table_xinfo(?) WHERE hidden <> 1", name)
        ]
        self.key = [column.name for column in sorted(self.columns, key=lambda each: each.key) if column.key]
        self.foreign_keys = []
        for number, target, own, theirs in database.rows(
            'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq', name
        ):
            if not self.foreign_keys or number != last:
                self.foreign_keys.append(ForeignKey(target, []))
                last = number
            self.foreign_keys[-1].columns.append((own, theirs))
        self.alias = self.row_id_alias(database)

    def row_id_alias(self, database):
        """The INTEGER PRIMARY KEY: the column that shows the rowid, told by SQLite having no index for it."""
        if self.without_rowid or len(self.key) != 1:
            return None
        column = next(each for each in self.columns if each.name == self.key[0])
        has_index = database.rows("SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'", self.name)
        return column.name if fold(column.declared) == "integer" and not has_index else None


class Database:
    def __init__(self, path, writable=False):
        mode = "rw" if writable else "ro"
        self.path = path
        place = path if path == ":memory:" else f"file:{urllib.parse.quote(path)}?mode={mode}"
        self.connection = sqlite3.connect(place, uri=True, isolation_level=None)
        # Names are read as they are, also those that are no UTF-8.
        self.connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        self.schema = self.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema")
        for *_, sql in self.schema:
            for match in COLLATION.findall(sql or ""):
                name = match.strip("\"'`[]")
                if name.upper() not in BUILT_IN:
                    self.connection.create_collation(name, lambda a, b: (a > b) - (a < b))

    def rows(self, sql, *values):
        return self.connection.execute(sql, values).fetchall()

    def pragma(self, name):
        return self.rows("PRAGMA " + name)

    def kinds(self):
        """The kind of each table, as SQLite tells it: table, virtual or shadow; views left out."""
        return {
            name: (kind, without_rowid)
            for name, kind, without_rowid in self.rows(
                "SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' AND type <> 'view'"
            )
        }

    def tables(self):
        """The ordinary tables, SQLite's own left out."""
        return [
            Table(self, name, without_rowid)
            for name, (kind, without_rowid) in sorted(self.kinds().items())
            if kind == "table" and not name.startswith("sqlite_")
        ]

    def drop_triggers(self):
        """Drops all triggers; returns the SQL that makes them again."""
        triggers = [(name, sql) for kind, name, _, sql in self.schema if kind == "trigger"]
        for name, _ in triggers:
            self.connection.execute(f"DROP TRIGGER {quote(name)}")
        return [sql for _, sql in triggers]

    def virtual_tables(self):
        """Name and module of each."""
        found = []
        for kind, name, _, sql in self.schema:
            match = re.match(r"\s*CREATE\s+VIRTUAL\s+TABLE.*?\bUSING\s+[\"'`\[]?(\w+)", sql or "", re.I | re.S)
            if kind == "table" and match:
                found.append((name, match.group(1).lower()))
        return sorted(found)


def cells(columns):
    """Expressions that tell values with their storage class, texts as the bytes that are stored."""
    return ", ".join(
        f"typeof({quote(name)}), CASE typeof({quote(name)}) WHEN 'text' THEN CAST({quote(name)} AS BLOB) ELSE {quote(name)} END"
        for name in columns
    )


def values(row):
    """A row of `cells`, each as (storage class, value); reals by their bits, so that -0.0 is not 0.0."""
    return tuple(
        (kind, float(value).hex() if kind == "real" else value) for kind, value in zip(row[0::2], row[1::2])
    )


def scan(database, table, columns, order):
    """All rows of a table as `values`, one at a time."""
    for row in database.connection.execute(f"SELECT {cells(columns)} FROM main.{quote(table)} ORDER BY {order}"):
        yield values(row)


def contents(database, tables):
    """A hash of the rows of tables, in whatever order they lie; flat memory."""
    whole = hashlib.sha256()
    for table in tables:
        names = [column.name for column in table.columns]
        total = 0
        for row in scan(database, table.name, names, "1"):
            # A sum does not depend on the order.
            total += int.from_bytes(hashlib.sha256(repr(row).encode()).digest(), "big")
        whole.update(f"{table.name} {total}\n".encode())
    return whole.hexdigest()
