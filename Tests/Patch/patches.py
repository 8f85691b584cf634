#!/usr/bin/env python3
"""Patches of `decant diff --sql`, applied by the sqlite3 program and checked by a reader that shares no code with either.

    patches.py DECANT FOLDER FIRST COUNT

For each seed a database A of every kind of table is made, and B as a copy with random edits. The patch must make A equal to B,
value by value, kind of value and row number included; then there must be nothing left to patch. A patch that was cut off, or that
fails, must change nothing.
"""

import os
import random
import shutil
import sqlite3
import struct
import subprocess
import sys

SCHEMA = [
    """CREATE TABLE plain(id INTEGER PRIMARY KEY AUTOINCREMENT, a, b TEXT, c REAL, d BLOB, e INTEGER UNIQUE, n NUMERIC,
       g TEXT GENERATED ALWAYS AS (b || '!') VIRTUAL, h TEXT GENERATED ALWAYS AS (upper(b)) STORED)""",
    "CREATE TABLE textkey(k TEXT COLLATE NOCASE PRIMARY KEY, v, u TEXT UNIQUE)",
    "CREATE TABLE wr(x TEXT, y INTEGER, v BLOB, PRIMARY KEY(x, y)) WITHOUT ROWID",
    "CREATE TABLE wru(x REAL PRIMARY KEY, v, u INTEGER UNIQUE) WITHOUT ROWID",
    "CREATE TABLE nokey(a, b)",
    "CREATE TABLE shadowed(rowid TEXT, _rowid_ TEXT, v)",
    "CREATE TABLE nullkey(k TEXT PRIMARY KEY, v)",
    "CREATE TABLE pair(a TEXT NOT NULL, b INTEGER NOT NULL, v, PRIMARY KEY(a, b))",
    "CREATE TABLE rep(id INTEGER PRIMARY KEY, u TEXT UNIQUE ON CONFLICT REPLACE)",
    "CREATE TABLE parent(id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    "CREATE TABLE child(id INTEGER PRIMARY KEY, p INTEGER REFERENCES parent ON DELETE CASCADE ON UPDATE CASCADE, v)",
    'CREATE TABLE "we ird""name"("col umn" TEXT, "select" INT, "quo""te" TEXT, PRIMARY KEY("select"))',
    "CREATE TABLE strict(id INTEGER PRIMARY KEY, t TEXT, r REAL, x ANY) STRICT",
    "CREATE TABLE log(t)",
    "CREATE UNIQUE INDEX plain_b ON plain(b) WHERE b > 'z'",
    "CREATE INDEX plain_expr ON plain(length(a))",
    "CREATE VIEW seen AS SELECT b FROM plain",
    "CREATE TRIGGER t1 AFTER INSERT ON plain BEGIN INSERT INTO log VALUES('insert ' || new.id); END",
    "CREATE TRIGGER t2 AFTER UPDATE ON plain BEGIN INSERT INTO log VALUES('update'); UPDATE plain SET a = 'spoiled' WHERE id = new.id + 1; END",
    "CREATE TRIGGER t3 AFTER DELETE ON parent BEGIN INSERT INTO log VALUES('delete'); END",
    "CREATE TRIGGER t4 BEFORE DELETE ON nokey BEGIN SELECT raise(ABORT, 'never'); END",
    "CREATE VIRTUAL TABLE ft USING fts5(body)",
    "CREATE VIRTUAL TABLE found USING fts5(v, u, content='textkey')",
    "CREATE VIRTUAL TABLE place USING rtree(id, x0, x1)",
]

TEXTS = [
    "", "it's", "''", "a\nb", "\n", "a\r\nb", "\r", "tab\there", "back\\nslash", "\\n\n", "nul\0in", "ümläut", "日本語", "👩‍🍳",
    "\ufeffbom", "\uffff", "\ufffe", "\x1b[31m", "\x7f", "\x85", ".bail off", "\n.quit\n", "\n/\n", "\ngo\n", "-- no", "/* no", '"',
    "COMMIT;", "x" * 3000, "1", "1.0", "0x10", "e" * 70 + "\n",
]


def real(rng):
    kind = rng.randrange(8)
    if kind == 0:
        return rng.choice([0.0, -0.0, 1.0, -1.0, 0.1, 1e16, 1e15, 123456789012345680.0, 5e-324, 2.2250738585072014e-308,
                           1.7976931348623157e308, float("inf"), float("-inf"), 0.30000000000000004])
    if kind == 1:
        return rng.random()
    if kind == 2:
        return float(rng.randrange(-10**9, 10**9)) / 100
    value = struct.unpack("<d", rng.randbytes(8))[0]
    return value if value == value else 0.5


def value(rng):
    kind = rng.randrange(9)
    if kind == 0:
        return None
    if kind == 1:
        return rng.choice([0, 1, -1, 2**63 - 1, -2**63, rng.randrange(-10**12, 10**12)])
    if kind in (2, 3):
        return real(rng)
    if kind == 4:
        return rng.choice([b"", b"\0", rng.randbytes(rng.randrange(40)), b"it's"])
    if kind == 5:
        return "t%d" % rng.randrange(30)
    return rng.choice(TEXTS)


def text(rng):
    return rng.choice(TEXTS) if rng.randrange(2) else "w%d" % rng.randrange(1000)


def insert(db, rng):
    """Adds a row somewhere; what a constraint refuses is no row."""
    table = rng.randrange(16)
    try:
        if table <= 2:
            db.execute("INSERT INTO plain(id, a, b, c, d, e, n) VALUES(?,?,?,?,?,?,?)",
                       (rng.choice([None, rng.randrange(60)]), value(rng), text(rng), rng.choice([None, real(rng)]),
                        rng.choice([None, rng.randbytes(9)]), rng.choice([None, rng.randrange(40)]), value(rng)))
        elif table == 3:
            db.execute("INSERT INTO textkey VALUES(?,?,?)", (text(rng), value(rng), rng.choice([None, text(rng)])))
        elif table == 4:
            db.execute("INSERT INTO wr VALUES(?,?,?)", (text(rng), rng.randrange(3), value(rng)))
        elif table == 5:
            db.execute("INSERT INTO wru VALUES(?,?,?)", (real(rng), value(rng), rng.randrange(30)))
        elif table == 6:
            db.execute("INSERT INTO nokey VALUES(?,?)", (value(rng), value(rng)))
        elif table == 7:
            db.execute("INSERT INTO shadowed VALUES(?,?,?)", (text(rng), text(rng), value(rng)))
        elif table == 8:
            db.execute("INSERT INTO nullkey VALUES(?,?)", (rng.choice([None, text(rng)]), value(rng)))
        elif table == 9:
            db.execute("INSERT INTO pair VALUES(?,?,?)", (text(rng), rng.randrange(4), value(rng)))
        elif table == 10:
            db.execute("INSERT OR ABORT INTO rep(u) VALUES(?)", (text(rng),))
        elif table == 11:
            key = db.execute("INSERT INTO parent(name) VALUES(?)", (text(rng),)).lastrowid
            db.execute("INSERT INTO child(p, v) VALUES(?,?)", (key, value(rng)))
        elif table == 12:
            db.execute('INSERT INTO "we ird""name" VALUES(?,?,?)', (text(rng), rng.randrange(50), text(rng)))
        elif table == 13:
            db.execute("INSERT INTO strict VALUES(NULL,?,?,?)", (text(rng), real(rng), value(rng)))
        elif table == 14:
            db.execute("INSERT INTO ft(body) VALUES(?)", (text(rng),))
            low = rng.random() * 100
            db.execute("INSERT INTO place VALUES(NULL,?,?)", (low, low + rng.random()))
        else:
            # No text at all: bytes that are no characters, under the name of one.
            db.execute("INSERT INTO nokey VALUES(CAST(? AS TEXT), CAST(? AS TEXT))",
                       (rng.choice([b"\xff\xfe", b"a\x80", b"\xed\xa0\x80", b"\xc3"]), rng.randbytes(6)))
    except sqlite3.IntegrityError:
        pass


PLAIN = ["plain", "textkey", "wr", "wru", "nokey", "shadowed", "nullkey", "pair", "rep", "parent", "child", '"we ird""name"', "strict"]
KEYS = {"textkey": "k", "wr": "x, y", "wru": "x", "pair": "a, b", "shadowed": "oid"}


def edit(db, rng):
    """Changes, removes or swaps something."""
    kind = rng.randrange(6)
    table = rng.choice(PLAIN)
    key = KEYS.get(table, "rowid")
    some = "(%s) IN (SELECT %s FROM %s ORDER BY random() LIMIT 1)" % (key, key, table)
    try:
        if kind == 0:
            db.execute("DELETE FROM %s WHERE %s" % (table, some))
        elif kind in (1, 2):
            columns = [row[1] for row in db.execute("PRAGMA table_info(%s)" % table) if row[1] not in ("id", "g", "h")]
            column = '"%s"' % rng.choice(columns).replace('"', '""')
            db.execute("UPDATE OR ABORT %s SET %s = ? WHERE %s" % (table, column, some), (value(rng),))
        elif kind == 3:
            # What is unique changes hands.
            for table, column in [("plain", "e"), ("textkey", "u"), ("wru", "u"), ("rep", "u")]:
                key = KEYS.get(table, "rowid")
                rows = db.execute("SELECT %s, %s FROM %s WHERE %s IS NOT NULL AND typeof(%s) <> 'text' ORDER BY 1 LIMIT 2" % (key, column, table, column, key)).fetchall()
                if len(rows) == 2:
                    for k, v in [(rows[0][0], None), (rows[1][0], rows[0][1]), (rows[0][0], rows[1][1])]:
                        db.execute("UPDATE OR ABORT %s SET %s = ? WHERE %s = ?" % (table, column, key), (v, k))
        elif kind == 4:
            db.execute("UPDATE textkey SET k = upper(k) WHERE rowid % 3 = 0")
            db.execute("UPDATE nokey SET a = CAST(a AS REAL) WHERE typeof(a) = 'integer' AND rowid % 2 = 0")
        else:
            insert(db, rng)
    except sqlite3.IntegrityError:
        pass


def dump(path):
    """Everything in a database: statements, rows with their numbers, kinds and bytes of values, counters."""
    db = sqlite3.connect(path)
    db.text_factory = bytes
    schema = sorted((str(row[0]), str(row[1])) for row in db.execute("SELECT name, sql FROM sqlite_schema WHERE sql NOT NULL"))
    content = {}
    for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").fetchall():
        name = name.decode()
        if name.startswith("found_"):
            continue
        quoted = '"%s"' % name.replace('"', '""')
        info = db.execute("SELECT name FROM pragma_table_xinfo(?)", (name,)).fetchall()
        columns = ['"%s"' % column[0].decode().replace('"', '""') for column in info]
        # A key of texts tells rows; what number they have besides is nobody's content.
        numbered = name not in ("textkey", "pair", "we ird\"name", "sqlite_sequence") and not db.execute(
            "SELECT wr FROM pragma_table_list WHERE name = ? AND schema = 'main'", (name,)).fetchone()[0]
        number = {"shadowed": "oid"}.get(name, "rowid") if numbered else "0"
        parts = ", ".join("typeof({0}), CASE typeof({0}) WHEN 'real' THEN {0} ELSE hex(CAST({0} AS BLOB)) END".format(c) for c in columns)
        rows = []
        for row in db.execute("SELECT %s, %s FROM %s" % (number, parts, quoted)):
            rows.append(tuple(struct.pack("<d", item) if isinstance(item, float) else item for item in row))
        content[name] = sorted(rows, key=repr)
    db.execute("CREATE VIRTUAL TABLE temp.word USING fts5vocab(main, 'found', 'instance')")
    # Its texts are rows of textkey, whose numbers are nobody's content.
    content["found"] = sorted(db.execute("SELECT term, k, col, offset FROM word JOIN textkey ON textkey.rowid = doc").fetchall(), key=repr)
    db.execute("INSERT INTO found(found, rank) VALUES('integrity-check', 1)")
    db.rollback()
    # An empty ft has written this and that; what it finds counts as well.
    assert db.execute("PRAGMA integrity_check").fetchall() == [(b"ok",)], path
    db.close()
    return schema, content


def run(decant, folder, seed):
    rng = random.Random(seed)
    a, b, patch = (os.path.join(folder, name) for name in ("a.db", "b.db", "patch.sql"))
    for path in (a, b):
        if os.path.exists(path):
            os.remove(path)
    db = sqlite3.connect(a, isolation_level=None)
    if seed % 4 == 1:
        db.execute("PRAGMA encoding = 'UTF-16%s'" % rng.choice(["le", "be"]))
    if seed % 5 == 2:
        db.execute("PRAGMA journal_mode = WAL")
    for statement in SCHEMA:
        db.execute(statement)
    for _ in range(rng.randrange(200)):
        insert(db, rng)
    db.execute("INSERT INTO found(found) VALUES('rebuild')")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    shutil.copy(a, b)
    db = sqlite3.connect(b, isolation_level=None)
    for _ in range(rng.randrange(80)):
        edit(db, rng)
    if seed % 7 == 3:
        large = rng.randbytes(3_000_000)
        db.execute("INSERT INTO plain(a, d) VALUES(?, ?)", ("y" * 2_000_000 + "\n", large))
    if seed % 6 == 4:
        db.execute("UPDATE sqlite_sequence SET seq = 5000")
    db.execute("UPDATE textkey SET rowid = rowid + 1000 WHERE rowid % 5 = 0")
    db.execute("INSERT INTO found(found) VALUES('rebuild')")
    db.close()

    def diff():
        with open(patch, "wb") as file:
            return subprocess.run([decant, "diff", a, b, "--sql"], stdout=file, stderr=subprocess.PIPE)

    def apply(path):
        with open(path, "rb") as file:
            return subprocess.run(["sqlite3", a], stdin=file, capture_output=True)

    before, wanted = dump(a), dump(b)
    made = diff()
    assert made.returncode == (0 if before == wanted else 4), (made.returncode, made.stderr)
    text = open(patch, "rb").read()
    assert (text == b"") == (before == wanted)
    if before == wanted:
        return
    # Cut off it changes nothing.
    cut = patch + ".cut"
    with open(cut, "wb") as file:
        file.write(text[: text.rindex(b"COMMIT;")])
    apply(cut)
    assert dump(a) == before, "a patch that was cut off changed something"
    # So it does where a statement fails.
    with open(cut, "wb") as file:
        file.write(text.replace(b"COMMIT;\n", b"INSERT INTO nowhere VALUES(1);\nCOMMIT;\n"))
    assert apply(cut).returncode != 0 and dump(a) == before, "a patch that failed changed something"
    applied = apply(patch)
    assert applied.returncode == 0 and not applied.stderr, applied.stderr
    # The program repeats its settings, and says nothing else.
    assert applied.stdout.split() == b"enable_trigger off enable_fkey off defensive off".split(), applied.stdout
    now = dump(a)
    assert now[0] == before[0], "the schema changed"
    for name in wanted[1]:
        assert now[1][name] == wanted[1][name], "%s differs" % name
    again = diff()
    assert again.returncode == 0 and os.path.getsize(patch) == 0, (again, open(patch, "rb").read(500))


def main():
    decant, folder, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    failed = 0
    for seed in range(first, first + count):
        try:
            run(decant, folder, seed)
        except AssertionError as error:
            failed += 1
            print("seed %d: %s" % (seed, str(error)[:600]))
    print("%d of %d patches right" % (count - failed, count))
    sys.exit(1 if failed else 0)


main()
