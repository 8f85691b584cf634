"""Values: what an archive says, and what a database holds, in one form that tells every bit.

A value is (storage class, content): an int, the bits of a real as text, the bytes of a text in UTF-8, of a blob.
"""
import base64
import datetime
import json
import os
import re
import sqlite3
import urllib.parse
from fractions import Fraction

NULL = ("null", None)
EPOCH = datetime.datetime(2001, 1, 1)


def quote(name):
    return '"' + name.replace('"', '""') + '"'


def real(number):
    return ("real", float(number).hex())


def seconds(text):
    """The double nearest to a date, in seconds since 2001."""
    match = re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z", text)
    if not match:
        raise ValueError(f"no date: {text}")
    whole = datetime.datetime.fromisoformat(match.group(1)) - EPOCH
    exact = Fraction(whole.days * 86400 + whole.seconds)
    if match.group(2):
        exact += Fraction(int(match.group(2)), 10 ** len(match.group(2)))
    return float(exact)


def archived(value, blobs):
    """The value that an archive tells; dates and decimals as ("number", …), which has no storage class."""
    if value is None:
        return NULL
    if isinstance(value, bool):
        return ("integer", int(value))
    if isinstance(value, int):
        return ("integer", value)
    if isinstance(value, float):
        return real(value)
    if isinstance(value, str):
        return ("text", value.encode())
    kinds = set(value) - {"size", "as", "file", "raw"}
    if len(kinds) != 1:
        raise ValueError(f"a value of no kind: {json.dumps(value)[:100]}")
    kind = kinds.pop()
    content = value[kind]
    if kind == "base64":
        return ("blob", base64.b64decode(content, validate=True))
    if kind == "blob":
        return ("text" if value.get("as") == "text" else "blob", blobs.get(content, b""))
    if kind == "text64":
        return ("text", base64.b64decode(content, validate=True))
    if kind == "int":
        if not -(2**63) <= int(content) < 2**63 or abs(int(content)) <= 2**53:
            raise ValueError(f"an int in braces: {content}")
        return ("integer", int(content))
    if kind == "double":
        return real({"nan": "nan", "inf": "inf", "-inf": "-inf"}[content])
    if kind == "uuid":
        if not re.fullmatch(r"[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}", content):
            raise ValueError(f"no UUID: {content}")
        return ("blob", bytes.fromhex(content.replace("-", "")))
    if kind == "uri":
        return ("text", content.encode())
    if kind == "date":
        return ("number", seconds(content))
    if kind == "seconds":
        return ("number", float(content))
    if kind == "decimal":
        return ("number", int(content) if re.fullmatch(r"-?\d+", content) else float(content))
    if kind == "missing":
        return ("missing", content)
    raise ValueError(f"a value of an unknown kind: {kind}")


def same(told, stored):
    """Whether a value of an archive is that of a store."""
    if told[0] != "number":
        return told == stored
    if stored[0] == "integer":
        return told[1] == stored[1] if isinstance(told[1], int) else told[1] == float(stored[1])
    return stored[0] == "real" and real(told[1]) == stored


def shown(value):
    return f"{value[0]} {value[1]!r}"[:80]


class Store:
    """The store, read by Python's sqlite3."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.connection = sqlite3.connect(f"file:{urllib.parse.quote(self.path)}?mode=ro", uri=True)
        self.connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        encoding = self.connection.execute("PRAGMA encoding").fetchone()[0]
        self.wide = {"UTF-8": None, "UTF-16le": "utf-16-le", "UTF-16be": "utf-16-be"}[encoding]

    def rows(self, sql, *values):
        return self.connection.execute(sql, values)

    def value(self, kind, content):
        """A cell as read by `cells`."""
        if kind == "real":
            return real(content)
        if kind == "text" and self.wide:
            return (kind, content.decode(self.wide, "surrogatepass").encode("utf-8", "surrogatepass"))
        return (kind, content)

    def cells(self, table, columns, rest=""):
        """The rows of a table as lists of values."""
        if len(columns) > 900:  # A result may have 2000 columns.
            for left, right in zip(self.cells(table, columns[:900], rest), self.cells(table, columns[900:], rest)):
                yield left + right
            return
        parts = ", ".join(
            f"typeof({name}), CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END"
            for name in map(quote, columns)
        )
        for row in self.rows(f"SELECT {parts} FROM {quote(table)} {rest}"):
            yield [self.value(kind, content) for kind, content in zip(row[0::2], row[1::2])]

    def columns(self, table):
        return [row[0] for row in self.rows("SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 1", table)]

    def tables(self, kind="table"):
        """The ordinary tables."""
        return [
            row[0] for row in self.rows(
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = ? AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
                kind,
            )
        ]
