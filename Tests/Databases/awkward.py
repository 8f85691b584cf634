#!/usr/bin/env python3
"""Makes a database with every value, key and name that has ever been trouble: awkward.py FILE ENCODING"""
import random
import sqlite3
import sys

SCHEMA = """
CREATE TABLE a (id INTEGER PRIMARY KEY, t TEXT, r REAL, n NUMERIC, b BLOB, x);
CREATE TABLE auto (id INTEGER PRIMARY KEY AUTOINCREMENT, v);
CREATE TABLE keyless (p, q);
CREATE TABLE named (k TEXT PRIMARY KEY, v BLOB) WITHOUT ROWID;
CREATE TABLE pairs (a INT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
CREATE TABLE numbers (id INT PRIMARY KEY, name TEXT);
CREATE TABLE mixed (id INT PRIMARY KEY, name TEXT);
CREATE TABLE made (id INTEGER PRIMARY KEY, w INT, h INT, area INT GENERATED ALWAYS AS (w * h) STORED,
  around AS (2 * (w + h)) VIRTUAL);
CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT UNIQUE, parent INTEGER REFERENCES recipe (id));
CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE recipe_tag (recipe INTEGER REFERENCES recipe (id), tag INTEGER REFERENCES tag (id),
  PRIMARY KEY (recipe, tag));
CREATE TABLE image (id INTEGER PRIMARY KEY, recipe INTEGER REFERENCES recipe (id), data BLOB);
CREATE TABLE loose (id INTEGER PRIMARY KEY, recipe REFERENCES recipe (id));
CREATE TABLE late (id INTEGER PRIMARY KEY, twice AS (id * 2), a BLOB, b BLOB, c TEXT);
CREATE VIRTUAL TABLE words USING fts5(title, body);
CREATE INDEX by_text ON a (t);
CREATE INDEX by_recipe ON image (recipe) WHERE data IS NOT NULL;
CREATE VIEW looked AS SELECT * FROM a;
CREATE TRIGGER noted AFTER INSERT ON auto BEGIN INSERT INTO keyless VALUES ('trigger', new.v); END;
CREATE TABLE "od""d na'me" ("col ""x" TEXT, "sel;ect" INT);
CREATE TABLE empty (id INTEGER PRIMARY KEY, v);
"""
VALUES = [
    None, 0, -1, 2**53, 2**53 + 1, -(2**63), 2**63 - 1, 0.0, -0.0, 1e308, 5e-324, float("inf"), float("-inf"), 0.1,
    1 / 3, 1e21, 123456789.125, "", "a", "\u2028 \U0001F600 é", 'q"\\\n\t\x01\x7f</script>', "5", "5.0", "1e3", b"",
    b"\0\xff", b"x" * 65536, b"x" * 65537, "y" * 65536, "y" * 70000, "é" * 40000, "\U0001F600" * 20000,
    bytes(range(256)) * 5000, b"z" * 1_600_000, "nul\0in", "\ufeffmark", "\ufffe",
]
# Bytes that are no text in any encoding, or not in this one.
BROKEN = [b"\xff\xfe bad", b"\xc3", b"\x00\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"a\xc0\x80b", b"\x00\xd8", b"\xd8\x00a\x00"]


def make(path, encoding):
    drawn = random.Random(1)
    c = sqlite3.connect(path)
    c.execute(f"PRAGMA encoding = '{encoding}'")
    c.executescript(SCHEMA)
    for number, value in enumerate(VALUES):
        c.execute("INSERT INTO a VALUES (?, ?, ?, ?, ?, ?)", (number - 3, *[value] * 5))
        c.execute("INSERT INTO keyless VALUES (?, ?)", (value, number))
    for number, value in enumerate(BROKEN):
        c.execute("INSERT INTO a VALUES (?, CAST(? AS TEXT), 1, 1, CAST(? AS TEXT), CAST(? AS TEXT))", (100 + number, *[value] * 3))
    c.execute("INSERT INTO a VALUES (?, 'last', 1, 2, 3, 4)", (2**63 - 1,))
    c.execute("INSERT INTO a VALUES (?, 'first', 1, 2, 3, 4)", (-(2**63),))
    c.executemany("INSERT INTO auto (v) VALUES (?)", [(number,) for number in range(5)])
    c.execute("DELETE FROM auto WHERE id = 5")
    c.execute("INSERT INTO named VALUES ('k', zeroblob(200000)), ('l', NULL), ('', x'00')")
    c.execute("INSERT INTO pairs VALUES (1, 'x'), (1, 'y')")
    c.execute("INSERT INTO numbers VALUES (7, 'a'), (9, 'b')")
    c.execute("INSERT INTO mixed VALUES (7, 'a'), ('u', 'b'), (2.5, 'c'), (NULL, 'd'), (NULL, 'e'), (x'07', 'f')")
    c.execute("INSERT INTO made (w, h) VALUES (3, 4), (NULL, 1)")
    for number in range(1, 300):
        c.execute("INSERT INTO recipe VALUES (?, ?, ?)", (number * 3, f"r{number}", number // 2 * 3 or None))
    c.executemany("INSERT INTO tag VALUES (?, ?)", [(number, f"t{number}") for number in range(1, 50)])
    for number in range(1, 300):
        for tag in drawn.sample(range(1, 50), 5):
            c.execute("INSERT INTO recipe_tag VALUES (?, ?)", (number * 3, tag))
    c.execute("INSERT INTO image VALUES (1, 3, ?), (2, 6, ?), (3, 9, ?)", (drawn.randbytes(2_000_000), b"x" * 70000, b"x" * 70000))
    # Links that lead nowhere, and rows of links whose owner is not there.
    c.execute("INSERT INTO image VALUES (4, 777, NULL), (5, 'nobody', x''), (6, NULL, NULL), (7, 2.5, 0)")
    c.execute("INSERT INTO recipe_tag VALUES (7777, 1), (3, 8888), (6, NULL), ('text', 'other')")
    # Links that are told as something else than the key they lead to.
    c.execute("INSERT INTO loose VALUES (1, '3'), (2, 3.0), (3, 3), (4, x'33'), (5, '3.0')")
    # Behind a column that is computed on reading.
    c.execute("INSERT INTO late (a, b, c) VALUES (?, ?, 'short'), (x'00', ?, NULL)", (b"a" * 2_000_000, b"b" * 1_500_000, b"c" * 1_200_000))
    c.execute("INSERT INTO words (title, body) VALUES ('soup', 'hot water'), ('tea', 'leaf')")
    c.execute("""INSERT INTO "od""d na'me" VALUES ('v', 1)""")
    c.commit()
    c.close()


if __name__ == "__main__":
    make(*sys.argv[1:])
