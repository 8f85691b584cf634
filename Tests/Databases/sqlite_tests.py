"""Runs the SQL of SQLite's own tests, each file's into a database of its own: sqlite_tests.py TESTS FOLDER.

The tests are scripts in Tcl. Only what stands in braces after execsql, do_execsql_test, db eval and
the like is taken: SQL without anything to substitute. Statements that fail, as many are meant to, and
those that would leave the file (ATTACH) are passed over. What is kept are databases that have at least
one table and at most 2 MB.
"""
import glob
import os
import re
import sqlite3
import sys
import time

COMMAND = re.compile(r"(?:execsql|do_execsql_test\s+\S+|do_test\s+\S+\s*\{\s*execsql|catchsql|do_catchsql_test\s+\S+|db eval|execsql_pp)\s*\{")
LEFT_OUT = re.compile(r"\b(ATTACH|DETACH|load_extension|writable_schema|mmap_size|VACUUM\s+INTO|journal_mode|locking_mode|hard_heap|soft_heap|temp\.|TEMP|TEMPORARY|BEGIN|COMMIT|ROLLBACK|END|SAVEPOINT|RELEASE)\b", re.I)


def braces(text, start):
    """The end of the word in braces that begins at `start`."""
    depth = 0
    for index in range(start, len(text)):
        if text[index] == "{":
            depth += 1
        elif text[index] == "}":
            depth -= 1
            if depth == 0:
                return index
    return len(text)


def statements(path):
    with open(path, encoding="utf-8", errors="replace") as stream:
        text = stream.read()
    position = 0
    while match := COMMAND.search(text, position):
        end = braces(text, match.end() - 1)
        body, position = text[match.end() : end], end
        buffer = ""
        for piece in body.split(";"):
            buffer += piece + ";"
            if sqlite3.complete_statement(buffer):
                yield buffer.strip()
                buffer = ""
        if buffer.strip(" ;\n\t"):
            yield buffer.strip()


def make(test, place):
    """Runs a test's statements, a second for all of them together at most."""
    connection = sqlite3.connect(place, isolation_level=None)
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    deadline = time.monotonic() + 1.5
    connection.set_progress_handler(lambda: time.monotonic() > deadline, 1000)
    for statement in statements(test):
        if time.monotonic() > deadline:
            break
        if re.match(r"\s*(CREATE|INSERT|REPLACE|UPDATE|ALTER|WITH|PRAGMA\s+(encoding|auto_vacuum|page_size|user_version|application_id|foreign_keys|legacy_alter)|DELETE|DROP|REINDEX|ANALYZE)\b", statement, re.I) is None:
            continue
        if LEFT_OUT.search(re.sub(r"BEGIN.*END", "", statement, flags=re.S | re.I) if "TRIGGER" in statement.upper() else statement):
            continue
        if re.match(r"\s*(DROP\s+(TABLE|VIEW|TRIGGER|INDEX)|DELETE\s+FROM\s+\S+\s*;?\s*$)", statement, re.I):
            continue  # Tests tidy up; here things should stay.
        try:
            connection.execute(statement).fetchall()
        except (sqlite3.Error, sqlite3.Warning, UnicodeError, ValueError, OverflowError):
            continue
    connection.set_progress_handler(None, 0)
    try:
        tables = connection.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'").fetchone()[0]
        sound = connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    except sqlite3.Error:
        tables, sound = 0, False
    connection.close()
    return tables > 0 and sound and os.path.getsize(place) < 2 << 20


def main():
    tests, folder = sys.argv[1], sys.argv[2]
    kept = 0
    pattern = [os.path.join(tests, "*.test")] + [os.path.join(tests, "..", "ext", name, "test", "*.test") for name in ("fts5", "fts3", "rtree", "session")] + [os.path.join(tests, "..", "ext", "rtree", "*.test")]
    for test in sorted(path for each in pattern for path in glob.glob(each)):
        if "corrupt" in os.path.basename(test):
            continue  # These damage what they made.
        place = os.path.join(folder, os.path.basename(test)[:-5] + ".sqlite")
        if make(test, place):
            kept += 1
        else:
            for suffix in ("", "-journal", "-wal", "-shm"):
                if os.path.exists(place + suffix):
                    os.remove(place + suffix)
    print(f"{kept} databases", file=sys.stderr)
    sys.exit(kept == 0)


main()
