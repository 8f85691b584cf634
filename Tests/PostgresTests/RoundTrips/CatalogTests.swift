import Foundation
import TestSupport
import Testing

/// Tables that other programs made in a database.
struct Catalog: CustomTestStringConvertible {
  let name: String
  let sql: String
  /// A query of the database that is made of it, and what it prints.
  var query = "", rows = ""
  /// What the report says.
  var notes: [String] = []

  var testDescription: String { name }

  static let all: [Catalog] = [
    Catalog(
      name: "types",
      sql: """
        CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN pos AS int CHECK (VALUE > 0); CREATE DOMAIN dd AS pos;
        CREATE TYPE pt AS (x int, y text);
        CREATE TABLE t (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, m mood, d dd, arr int[], arr2 text[][], j json,
          jb jsonb, h int4range, i interval, n numeric, n2 numeric(30, 10), ip inet, mac macaddr, b bit(3), x xml, p pt,
          mny money, tz timetz, ts tsvector, o oid, ch char(5), c "char", nm name, u uuid, dt date, tt time,
          tsn timestamp, tstz timestamptz, by bytea, f4 real, f8 float8, bo bool, lsn pg_lsn);
        INSERT INTO t (m, d, arr, arr2, j, jb, h, i, n, n2, ip, mac, b, x, p, mny, tz, ts, o, ch, c, nm, u, dt, tt, tsn,
          tstz, by, f4, f8, bo, lsn)
        VALUES ('ok', 3, '{1,NULL}', '{{a,b},{c,d}}', '{"a": 1}', '{"b":[1,2]}', '[1,5)', '1 year 2 days 3.5 sec', 'NaN',
          1.5, '::1/128', '08:00:2b:01:02:03', '101', '<a/>', '(1,"x,y")', 12.5, '10:00+02', 'a b', 4294967295, 'ab',
          'x', 'nm', '5099f3f1-814b-8e7f-8eae-14e5d367af9c', '2020-01-01 BC', '24:00', 'infinity', '-infinity',
          '\\x00ff', 0.1, 1e308, true, '16/B374D848');
        INSERT INTO t DEFAULT VALUES;
        """,
      query: "SELECT m, d, arr, jb, h, i, n, n2, ip, b, p, o, u, dt, tsn, tstz, hex(by), f4, f8, bo FROM t ORDER BY id",
      rows: """
        'ok',3,'{1,NULL}','{"b": [1, 2]}','[1,5)','P1Y2DT3.5S','NaN','1.5000000000','::1','101','(1,"x,y")',4294967295,\
        '5099f3f1-814b-8e7f-8eae-14e5d367af9c','2020-01-01 BC','infinity','-infinity','00FF',0.10000000000000000555,\
        9.9999999999999996322e+307,1
        NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'',NULL,NULL,NULL
        """,
      notes: ["t.m (public.mood)", "t.arr (integer[])", "t.jb (jsonb)", "t.i (interval)"]
    ),
    Catalog(
      name: "equal values that are written differently",
      sql: """
        CREATE TABLE day (day date PRIMARY KEY); CREATE TABLE event (id int PRIMARY KEY, at timestamp REFERENCES day);
        INSERT INTO day VALUES ('2020-01-01'); INSERT INTO event VALUES (1, '2020-01-01'), (2, NULL);
        CREATE TABLE host (ip inet, port int, PRIMARY KEY (ip, port));
        CREATE TABLE call (id int PRIMARY KEY, port int, ip cidr, FOREIGN KEY (ip, port) REFERENCES host);
        INSERT INTO host VALUES ('10.0.0.1', 80); INSERT INTO call VALUES (1, 80, '10.0.0.1/32'), (2, 81, NULL);
        CREATE TABLE span (i interval PRIMARY KEY, "decant_target0" interval REFERENCES span);
        CREATE TABLE part (i interval PRIMARY KEY REFERENCES span); CREATE TABLE piece (id int, i interval REFERENCES part);
        INSERT INTO span VALUES ('1 day', '24 hours'); INSERT INTO part VALUES ('24:00:00'); INSERT INTO piece VALUES (1, '1440 min');
        CREATE TABLE key (j jsonb PRIMARY KEY); CREATE TABLE use (id int PRIMARY KEY, j jsonb REFERENCES key);
        INSERT INTO key VALUES ('{"a": 1.0}'); INSERT INTO use VALUES (1, '{"a": 1.00}');
        CREATE TABLE rate (n double precision PRIMARY KEY); CREATE TABLE cost (id int PRIMARY KEY, n numeric(4, 3) REFERENCES rate);
        INSERT INTO rate VALUES (0.5); INSERT INTO cost VALUES (1, 0.5)
        """,
      query: """
        SELECT (SELECT group_concat(at) FROM event), (SELECT group_concat(ip) FROM call), s.decant_target0, part.i, piece.i, use.j
        FROM span AS s, part, piece, use
        """,
      rows: "'2020-01-01','10.0.0.1','P1D','P1D','P1D','{\"a\": 1.0}'",
      notes: [
        "read as the equal values to which they refer",
        "event.at, call.ip, span.decant_target0, part.i, piece.i, use.j",
      ]
    ),
    Catalog(
      name: "reserved names",
      sql: "CREATE TABLE sqlite_foo (id int PRIMARY KEY); INSERT INTO sqlite_foo VALUES (5)",
      query: "SELECT id FROM _sqlite_foo", rows: "5",
      notes: ["SQLite reserves names that begin with sqlite_: sqlite_foo is _sqlite_foo"]
    ),
    Catalog(
      name: "inheritance",
      sql: """
        CREATE TABLE parent (id int PRIMARY KEY, v text); CREATE TABLE child (extra int) INHERITS (parent);
        INSERT INTO parent VALUES (1, 'p'); INSERT INTO child VALUES (2, 'c', 5), (1, 'dup', 6);
        """,
      query: "SELECT v, NULL FROM parent UNION ALL SELECT v, extra FROM child",
      rows: "'p',NULL\n'c',5\n'dup',6"
    ),
    Catalog(
      name: "partitions",
      sql: """
        CREATE TABLE p (id int, region text, v text, PRIMARY KEY (id, region)) PARTITION BY LIST (region);
        CREATE TABLE p_eu PARTITION OF p FOR VALUES IN ('eu') PARTITION BY HASH (id);
        CREATE TABLE p_eu0 PARTITION OF p_eu FOR VALUES WITH (modulus 2, remainder 0);
        CREATE TABLE p_eu1 PARTITION OF p_eu FOR VALUES WITH (modulus 2, remainder 1);
        CREATE TABLE p_def PARTITION OF p DEFAULT;
        INSERT INTO p SELECT i, CASE WHEN i % 2 = 0 THEN 'eu' ELSE 'us' END, 'v' || i FROM generate_series(1, 20) AS i;
        CREATE TABLE r (id int PRIMARY KEY, pid int, preg text, FOREIGN KEY (pid, preg) REFERENCES p);
        INSERT INTO r VALUES (1, 2, 'eu');
        """,
      query: """
        SELECT count(*), sum(p.id), (SELECT count(*) FROM r JOIN p USING (id)),
          (SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1)) FROM p
        """,
      rows: "20,210,1,'p,r'"
    ),
    Catalog(
      name: "names, keys and views",
      sql: """
        CREATE TABLE "MixedCase" ("Id" serial PRIMARY KEY, "select" text, "a""b" int, "ü" text);
        INSERT INTO "MixedCase" ("select", "a""b", "ü") VALUES ('x', 1, 'y');
        CREATE TABLE mixedcase (id serial PRIMARY KEY); CREATE TABLE "sqlite_x" (a int); INSERT INTO sqlite_x VALUES (3);
        CREATE TABLE dropped (a int, b text, c int); ALTER TABLE dropped DROP COLUMN b; INSERT INTO dropped VALUES (1, 2);
        CREATE TABLE nocols (); INSERT INTO nocols DEFAULT VALUES;
        CREATE TABLE gen (a int, b int GENERATED ALWAYS AS (a*2) STORED); INSERT INTO gen (a) VALUES (4);
        CREATE TABLE cols (a int, "A" int, rowid int, _rowid_ int, oid int); INSERT INTO cols VALUES (1, 2, 3, 4, 5);
        CREATE VIEW v AS SELECT * FROM gen; CREATE MATERIALIZED VIEW mv AS SELECT * FROM gen;
        CREATE TABLE pk_text (k text COLLATE "C" PRIMARY KEY); INSERT INTO pk_text VALUES ('a'), ('A'), ('');
        CREATE TABLE defer (id bigint PRIMARY KEY, o bigint REFERENCES defer DEFERRABLE INITIALLY DEFERRED);
        INSERT INTO defer VALUES (1, 2), (2, 1);
        CREATE UNLOGGED TABLE ul (x int); INSERT INTO ul VALUES (1); CREATE SEQUENCE sq;
        CREATE TABLE nulls (a int UNIQUE NULLS NOT DISTINCT); INSERT INTO nulls VALUES (NULL);
        CREATE TABLE numkey (k numeric PRIMARY KEY); INSERT INTO numkey VALUES (1.0), (2.50);
        CREATE TABLE bigs (id bigint PRIMARY KEY);
        INSERT INTO bigs VALUES (-9223372036854775808), (9223372036854775807);
        CREATE SCHEMA other; CREATE TABLE other.t (id int PRIMARY KEY); INSERT INTO other.t VALUES (1);
        CREATE TABLE cross_s (id int PRIMARY KEY REFERENCES other.t); INSERT INTO cross_s VALUES (1);
        """,
      query: """
        SELECT m."a""b", (SELECT b FROM gen), (SELECT c FROM dropped), (SELECT group_concat(k, '|') FROM pk_text),
          (SELECT group_concat(k) FROM numkey), (SELECT min(id) FROM bigs), (SELECT count(*) FROM cross_s),
          (SELECT sum(o) FROM defer), (SELECT a || A_2 || rowid || _rowid_ || oid FROM cols) FROM MixedCase AS m
        """,
      rows: "1,8,2,'a|A|','1.0,2.50',-9223372036854775808,1,3,'12345'",
      notes: [
        "renamed, because SQLite does not distinguish names that differ in case only: mixedcase is mixedcase_2, cols.A is A_2",
        "tables without columns are not read: nocols", "views and foreign tables are not read: v, mv",
      ]
    ),
    Catalog(
      name: "sequences",
      sql: """
        CREATE TABLE s (id bigserial PRIMARY KEY, v text); INSERT INTO s (v) VALUES ('a'), ('b');
        DELETE FROM s WHERE id = 2; SELECT setval('s_id_seq', 500);
        """,
      query: "SELECT * FROM s",
      rows: "1,'a'"
    ),
    Catalog(
      name: "numbers without an end",
      sql: """
        CREATE TABLE f (id int PRIMARY KEY, x float8);
        INSERT INTO f VALUES (1, 'Infinity'), (2, '-Infinity'), (3, '-0'), (4, 1), (5, 5e-324);
        """,
      query: "SELECT group_concat(x) FROM f WHERE id <> 5",
      rows: "'Inf,-Inf,0.0,1.0'"
    ),
    Catalog(
      name: "rights of every row",
      sql: """
        CREATE TABLE secret (id int PRIMARY KEY, owner text); INSERT INTO secret VALUES (1, 'a'), (2, 'b');
        ALTER TABLE secret ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON secret USING (owner = 'a');
        """,
      query: "SELECT count(*) FROM secret",
      rows: "2"
    ),
    Catalog(
      name: "1,600 columns",
      sql: """
        DO $$ BEGIN EXECUTE 'CREATE TABLE w (' || (SELECT string_agg('c' || i || ' int', ',')
          FROM generate_series(1, 1600) AS i) || ')'; END $$;
        INSERT INTO w (c1, c1600) VALUES (1, 2);
        """,
      query: "SELECT c1, c2, c1600 FROM w",
      rows: "1,NULL,2"
    ),
    Catalog(
      name: "reserved words and long texts",
      sql: """
        CREATE TABLE "table" ("group" text, "order" int REFERENCES "table" ("order"), UNIQUE ("order"));
        INSERT INTO "table" VALUES (repeat('é', 1000000), 1), (E'a\\r\\n\\tb''"', NULL);
        """,
      query: "SELECT length(\"group\"), \"order\" FROM \"table\" ORDER BY 1",
      rows: "7,NULL\n1000000,1"
    ),
  ]
}

/// Databases of other programs, read and written again.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct CatalogTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  @Test(arguments: Catalog.all.filter { Effort.isThorough || $0.name != "1,600 columns" })
  func `tables of others are read whole`(catalog: Catalog) throws {
    try place.psql(catalog.sql)
    let report = try place.expect("copy", place.location, "back.db")
    for note in catalog.notes { #expect(report.contains(note), "\(report)") }
    let back = place.folder.path("back.db")
    #expect(try Program.sqlite3(back, catalog.query, isQuoted: true) == catalog.rows)
    #expect(try Program.sqlite3(back, "PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")
    try place.expect("verify", place.location, "back.db")
    if catalog.name.hasPrefix("equal values") {
      #expect(try place.expect("merge", "back.db", place.location).contains("nothing to do"))
    }
    // What was read is a database like any other: it is the same after one more way there and back.
    let again = place.server.location(place.database, schema: "again")
    try place.expect("copy", "back.db", again)
    try place.expect("copy", again, "again.db")
    #expect(try place.expect("diff", "back.db", "again.db").contains("equal"))
  }

  @Test func `unique indexes are read, and what stays on the server is named`() throws {
    try place.psql(
      """
      CREATE TABLE person (id bigserial PRIMARY KEY, mail text NOT NULL, name text DEFAULT 'x', age int CHECK (age > 0));
      CREATE UNIQUE INDEX index_person_on_mail ON person (mail) INCLUDE (age); CREATE UNIQUE INDEX lower_name ON person (lower(name));
      CREATE TABLE pet (id int PRIMARY KEY, mail text REFERENCES person (mail) ON DELETE SET DEFAULT ON UPDATE CASCADE,
        loud text GENERATED ALWAYS AS (upper(mail)) STORED, EXCLUDE USING hash (mail WITH =));
      CREATE UNIQUE INDEX one ON pet (mail) WHERE id > 3;
      INSERT INTO person (mail, age) VALUES ('a', 1)
      """)
    let read = try place.expect("copy", place.location, "back.db")
    #expect(
      read.contains(
        "not read, and so not copied: the unique index lower_name, the unique index one, "
          + "the exclusion of pet, the conditions (CHECK) of person, the expression of pet.loud, the default of person.name"
      ),
      "\(read)")
    let back = place.folder.path("back.db")
    #expect(
      try Program.sqlite3(back, "SELECT group_concat(name) FROM pragma_index_info('sqlite_autoindex_person_1')")
        == "mail")
    #expect(
      try Program.sqlite3(back, "SELECT on_update || ',' || on_delete FROM pragma_foreign_key_list('pet')")
        == "CASCADE,SET DEFAULT")
    // A row is found by what is unique: it is there already.
    try place.expect("merge", "back.db", place.location)
    _ = try Program.sqlite3(back, "UPDATE person SET id = 7")
    #expect(try place.expect("merge", "back.db", place.location).contains("nothing to do"))
    #expect(!(try place.expect("merge", "back.db", place.location)).contains("only on the server"))
  }

  @Test func `large objects that are not read are counted`() throws {
    try place.psql(
      """
      CREATE DOMAIN lo AS oid; CREATE TABLE doc (id int PRIMARY KEY, body oid, "Scan" lo, class oid);
      INSERT INTO doc VALUES (1, lo_from_bytea(0, 'a'), lo_from_bytea(0, 'b'), 1259), (2, lo_from_bytea(0, 'c'), NULL, NULL),
        (3, NULL, NULL, 0)
      """)
    let read = try place.expect("copy", place.location, "back.db")
    #expect(read.contains("large objects are not read, only their numbers: doc.body (2), doc.Scan (1);"), "\(read)")
    // Who may not read which ones there are reads the tables all the same.
    let role = "reader_\(place.database)"
    try place.psql(
      """
      REVOKE SELECT ON pg_largeobject_metadata FROM PUBLIC; CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA public TO \(role);
      GRANT SELECT ON doc TO \(role)
      """)
    try place.expect("copy", place.server.location(place.database, user: role), "other.db")
    try place.psql("SELECT lo_unlink(oid) FROM pg_largeobject_metadata")
    #expect(try !place.expect("copy", place.location, "again.db").contains("large objects"))
  }

  @Test(arguments: ["\"Item\", item", "item, \"Item\""]) func `names that differ in case only are no matter of order`(
    order: String
  ) throws {
    for name in order.split(separator: ", ") {
      try place.psql("CREATE TABLE \(name) (id int PRIMARY KEY, v text); INSERT INTO \(name) VALUES (1, '\(name)')")
    }
    try place.psql("CREATE TABLE item_2 (id int PRIMARY KEY)")
    let read = try place.expect("copy", place.location, "back.db")
    #expect(read.contains("differ in case only: item is item_3"), "\(read)")
    #expect(
      try Program.sqlite3(place.folder.path("back.db"), "SELECT i.v || j.v FROM Item AS i, item_3 AS j")
        == "\"Item\"item")
    _ = try Program.sqlite3(
      place.folder.path("new.db"),
      "CREATE TABLE item (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO item VALUES (9, 'new')")
    for verb in [["copy", "--append"], ["merge"], ["merge", "--dry-run"]] {
      try place.expect(
        [verb[0], "new.db", place.location] + verb.dropFirst(), 1, "item and Item differ in case only")
    }
    #expect(try place.psql("SELECT count(*) FROM \"Item\"") == "1")
  }

  @Test func `a schema without tables is named`() throws {
    try place.psql("CREATE SCHEMA sa; CREATE TABLE sa.a (id int PRIMARY KEY)")
    try place.expect(["copy", place.location, "back.db"], 10, "the schema public has no tables")
  }

  @Test func `rows that a policy hides are an error`() throws {
    try place.psql(
      """
      CREATE TABLE secret (id int PRIMARY KEY, owner text); INSERT INTO secret VALUES (1, 'a'), (2, 'b');
      ALTER TABLE secret ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON secret USING (owner = 'a');
      CREATE ROLE reader_\(place.database) LOGIN; GRANT SELECT ON secret TO reader_\(place.database)
      """)
    let reader = place.server.location(place.database, user: "reader_\(place.database)")
    try place.expect(["copy", reader, "back.db"], 1, "row-level security policy for table \"secret\"")
    #expect(!FileManager.default.fileExists(atPath: place.folder.path("back.db")))
  }
}
