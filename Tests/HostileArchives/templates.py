"""Templates, the databases that travel in archives, that are none, or do what nobody asked for."""
import os
import pathlib
import sqlite3
import tempfile
from made import Case, archive, header, large, line, pieces

MODEL = {"fromTables": True, "entities": [
    {"name": "soup", "key": "id", "attributes": [{"name": "title", "type": "string"}], "relationships": []}]}
TABLE = "CREATE TABLE soup (id INTEGER PRIMARY KEY, title TEXT)"
ROWS = [{"e": "soup", "id": 1, "v": {"id": 1, "title": "Leek"}}]


def database(*statements, before=(), forced=None):
    """The bytes of a database; `forced` is put into its schema past all checks."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.sqlite")
        connection = sqlite3.connect(path, isolation_level=None)
        for sql in (*before, *statements):
            connection.execute(sql)
        if forced:
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute("INSERT INTO sqlite_schema VALUES (?, ?, ?, 0, ?)", forced)
        connection.close()
        return pathlib.Path(path).read_bytes()


def with_template(data, kind="sqlite", model=MODEL, rows=ROWS, **more):
    head = header(model=model, source={"kind": kind, "template": {**large(data), **more}})
    return archive(rows, head=head, before=b"".join(map(line, pieces(data, 90_000))))


def cases():
    sound = database(TABLE)
    yield Case("a template", with_template(sound), status=0)
    for name, data, told in [
            ("is no database", b"soup" * 5000, "tables"), ("is one byte", b"S", "tables"),
            ("is only the head of one", sound[:100], "tables"), ("is cut off", sound[:4096], "tables"),
            ("has an odd page size", sound[:16] + b"\x03\xe7" + sound[18:], "tables"),
            ("is of zeros behind its head", sound[:100] + bytes(len(sound) - 100), "tables"),
            ("has a schema of rubbish", sound[:2000] + b"\xff" * 2096 + sound[4096:], "tables"),
            ("has other tables", database("CREATE TABLE bread (id)"), "no table for"),
            ("lacks the key", database("CREATE TABLE soup (title TEXT)"), "key"),
            ("holds rows", database(TABLE, "INSERT INTO soup VALUES (7, 'x')"), "hold objects"),
            ("has a view for a table", database("CREATE VIEW soup AS SELECT 1 AS id, 'x' AS title"), "no table for"),
            ("has an index of an unknown function", database(TABLE, forced=("index", "i", "soup", "CREATE INDEX i ON soup (readfile(title))")), ""),
            ("has a virtual table for a table", database(forced=("table", "soup", "soup", "CREATE VIRTUAL TABLE soup USING csv(filename='/etc/passwd')")), ""),
            ("has a schema that is no SQL", database(TABLE, forced=("table", "x", "x", "soup soup soup")), "tables")]:
        yield Case(f"a template that {name}", with_template(data), told)
    yield from harmless()
    yield from of_another_kind(sound)


def harmless():
    """What travels as it is, and is never run; what is told is the file that none may make."""
    touch = "writefile('decant-escaped', 'x')"
    for name, statements in [
            ("triggers", [f"CREATE TRIGGER t AFTER INSERT ON soup BEGIN UPDATE soup SET title = 'changed'; END"]),
            ("triggers that call functions", [f"CREATE TRIGGER t AFTER INSERT ON soup BEGIN SELECT {touch}, edit('x'), load_extension('x'); END"]),
            ("triggers that delete", ["CREATE TRIGGER t AFTER INSERT ON soup BEGIN DELETE FROM soup; END"]),
            ("views of functions", [f"CREATE VIEW v AS SELECT {touch}, readfile('/etc/passwd'), load_extension('x')"]),
            ("a view of nothing", ["CREATE VIEW v AS SELECT * FROM nowhere"]),
            ("a CHECK that fails", [])]:
        table = TABLE[:-1] + ", CHECK (title = 'x'))" if "CHECK" in name else TABLE
        yield Case(f"a template with {name}", with_template(database(table, *statements)), status=None)
    loads = database(TABLE[:-1] + ", CHECK (load_extension('x')))")
    yield Case("a template with a CHECK that loads", with_template(loads), status=None)
    forced = database(TABLE, forced=("table", "sqlite_soup", "sqlite_soup", "CREATE TABLE sqlite_soup (a)"))
    yield Case("a template with a table of SQLite's own", with_template(forced), status=None)
    wide = database(TABLE, *[f"CREATE TABLE t{n} (a)" for n in range(300)])
    yield Case("a template of 300 tables", with_template(wide), status=0)


def of_another_kind(sound):
    yield Case("a template of another kind", with_template(sound, kind="coredata"), "")
    books = ["CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
             "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
             "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
             "CREATE TABLE ZSOUP (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR)"]
    model = {"entities": [{"name": "Soup", "attributes": [{"name": "title", "type": "string", "optional": True}], "relationships": []}]}
    rows = [{"e": "Soup", "id": 1, "v": {"title": "Leek"}}]
    for name, statements in [
            ("rubbish", [f"INSERT INTO Z_METADATA VALUES (1, 'x', {value})" for value in ["x'" + "ff" * 500 + "'"]]),
            ("nothing", []), ("a text", ["INSERT INTO Z_METADATA VALUES (1, 'x', 'soup')"]),
            ("a property list of nothing", ["INSERT INTO Z_METADATA VALUES (1, 'x', x'62706c69737430300000')"]),
            ("a model cache of rubbish", ["INSERT INTO Z_MODELCACHE VALUES (x'789c00ff')"])]:
        data = database(*books, "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Soup', 0, 0)", *statements)
        yield Case(f"a template whose metadata is {name}", with_template(data, "coredata", model, rows), status=None)
    for name, entries in [("lacks the entity", []), ("numbers two entities alike", [(1, "Soup"), (2, "Soup")]),
                          ("numbers it 2^63-1", [(2**63 - 1, "Soup")]), ("numbers it -1", [(-1, "Soup")])]:
        data = database(*books, *[f"INSERT INTO Z_PRIMARYKEY VALUES ({n}, '{e}', 0, 0)" for n, e in entries])
        yield Case(f"a Core Data template that {name}", with_template(data, "coredata", model, rows), status=None)
