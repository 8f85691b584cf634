import Testing

/// A plain database whose names, types, keys or values a server has not.
struct AwkwardDatabase: CustomTestStringConvertible {
  let name: String
  let sql: String
  /// What the error says if it is refused, beside the option that is the way out.
  var refusal: (message: String, wayOut: String)?
  /// Whether it is tried by default.
  var isQuick = true

  var testDescription: String { name }

  static let all: [AwkwardDatabase] = [
    AwkwardDatabase(
      name: "affinities",
      sql: """
        CREATE TABLE ints (r REAL, n NUMERIC, d DECIMAL(10,2), f FLOAT, x, t TEXT);
        INSERT INTO ints VALUES (1, 1, 1.25, 2, 3, 4), (1.5, 2.5, 1e300, 0.1, 7, 'x'),
          (0, -9223372036854775808, 5e-324, 1e15, NULL, ''), (1e21, 1e20, 123456789.123456789, -1e-7, 9007199254740993, NULL);
        CREATE TABLE b (flag BOOL, f2 BOOLEAN); INSERT INTO b VALUES (1, 0), (0, 2), (NULL, 1);
        CREATE TABLE dates (a DATE, b DATETIME, c TIMESTAMP, d TIME);
        INSERT INTO dates VALUES ('2020-01-01', 1577836800, 1577836800.5, '10:00');
        CREATE TABLE strange (a "", b number, c byte[], d VARCHAR(20), e CLOB, f "DOUBLE PRECISION", g JSON, h STRING);
        INSERT INTO strange VALUES (1, 2, x'01', 'd', 'e', 1.5, '{}', 'text'), (2, 3.5, x'02', 'd', 'e', 1, NULL, 'more');
        CREATE TABLE infinite (r REAL, n NUMERIC); INSERT INTO infinite VALUES (9e999, 1), (-9e999, 2.5), (NULL, 9e999);
        """
    ),
    AwkwardDatabase(
      name: "collations",
      sql: """
        CREATE TABLE c (k TEXT COLLATE NOCASE PRIMARY KEY, r TEXT COLLATE RTRIM UNIQUE);
        INSERT INTO c VALUES ('A', 'x '), ('b', 'y');
        CREATE TABLE cc (c TEXT COLLATE NOCASE REFERENCES c (k)); INSERT INTO cc VALUES ('a'), ('B');
        CREATE TABLE long (t TEXT UNIQUE); INSERT INTO long VALUES (hex(randomblob(9000))), ('b');
        CREATE INDEX li ON long (t);
        """
    ),
    AwkwardDatabase(
      name: "composite keys",
      sql: """
        CREATE TABLE p (a INT, b TEXT, c REAL, PRIMARY KEY (b, a)) WITHOUT ROWID;
        INSERT INTO p VALUES (1, 'x', 1.5), (2, 'x', NULL);
        CREATE TABLE q (id INTEGER PRIMARY KEY, pa INT, pb TEXT, FOREIGN KEY (pb, pa) REFERENCES p
          ON DELETE CASCADE ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED);
        INSERT INTO q VALUES (1, 1, 'x'), (2, NULL, 'x'), (3, 2, 'x');
        CREATE TABLE u (x INT, y INT, UNIQUE (x, y)); INSERT INTO u VALUES (1, 2), (NULL, 2), (NULL, 2);
        CREATE TABLE uq (x INT, y INT, FOREIGN KEY (y, x) REFERENCES u (y, x)); INSERT INTO uq VALUES (1, 2), (NULL, 5);
        CREATE TABLE desck (k TEXT PRIMARY KEY DESC, v) WITHOUT ROWID; INSERT INTO desck VALUES ('b', 2), ('a', 1);
        CREATE TABLE three (a INTEGER, b INTEGER, c INTEGER, PRIMARY KEY (c, a, b));
        INSERT INTO three VALUES (1, 2, 3), (NULL, 2, 3), (NULL, 2, 3);
        """
    ),
    AwkwardDatabase(
      name: "defaults",
      sql: """
        CREATE TABLE d (id INTEGER PRIMARY KEY, a TEXT DEFAULT 'it''s', b TEXT DEFAULT "dq", c INTEGER DEFAULT -5,
          d REAL DEFAULT 1e3, e TEXT DEFAULT CURRENT_TIMESTAMP, f BLOB DEFAULT x'00ff', g INTEGER DEFAULT (1+2),
          h TEXT DEFAULT 'null', i TEXT DEFAULT NULL, j INTEGER DEFAULT 0x10, k BOOLEAN DEFAULT TRUE, l NUMERIC DEFAULT .5,
          m INTEGER DEFAULT 1.0, n TEXT DEFAULT 5, o INTEGER DEFAULT '7', p REAL DEFAULT 9e999, q INTEGER DEFAULT +3,
          r TEXT DEFAULT 'back\\slash', t DATE DEFAULT '2020-01-01', u REAL DEFAULT 5, v BOOLEAN DEFAULT 0,
          w INTEGER DEFAULT 9223372036854775808);
        INSERT INTO d (w) VALUES (1);
        """
    ),
    AwkwardDatabase(
      name: "full-text tables",
      sql: """
        CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT); INSERT INTO note VALUES (1, 'soup of day'), (2, 'tea');
        CREATE VIRTUAL TABLE ft USING fts5 (body, content = 'note', content_rowid = 'id');
        INSERT INTO ft (ft) VALUES ('rebuild');
        """
    ),
    AwkwardDatabase(
      name: "a virtual table with own rows",
      sql: "CREATE VIRTUAL TABLE rt USING rtree (id, x0, x1); INSERT INTO rt VALUES (1, 2, 3)",
      refusal: ("the virtual table rt", "--leave-out rt")
    ),
    AwkwardDatabase(
      name: "generated columns, indexes, views",
      sql: """
        CREATE TABLE g (id INTEGER PRIMARY KEY, w INT, h INT, area INT AS (w*h) STORED, per AS (2*(w+h)) VIRTUAL,
          name TEXT AS ('n' || id) UNIQUE);
        INSERT INTO g (id, w, h) VALUES (2, 5, 6), (1, 3, 4);
        CREATE TABLE onlygen (a INT, b AS (a+1)); INSERT INTO onlygen VALUES (1), (2);
        CREATE INDEX gi ON g (area); CREATE INDEX ge ON g (w + h); CREATE UNIQUE INDEX gp ON g (w) WHERE h > 3;
        CREATE INDEX gd ON g (w DESC, h COLLATE NOCASE); CREATE UNIQUE INDEX ux ON g (lower(w));
        CREATE VIEW v AS SELECT * FROM g; CREATE VIEW broken AS SELECT * FROM nothere;
        """
    ),
    AwkwardDatabase(
      name: "names",
      sql: """
        CREATE TABLE "select" ("order" INTEGER PRIMARY KEY, "group by" TEXT, "A""b" TEXT, "ünïcode" TEXT);
        INSERT INTO "select" VALUES (1, 'a', 'b', 'c');
        CREATE TABLE "Mixed Case" ("ID" INTEGER PRIMARY KEY, "Value" TEXT, "value2" TEXT);
        INSERT INTO "Mixed Case" VALUES (1, 'x', 'y');
        CREATE TABLE "a.b" ("c.d" TEXT, "1st" INTEGER); INSERT INTO "a.b" VALUES ('x', 1);
        CREATE TABLE "it's" ("na'me" TEXT PRIMARY KEY, ctid INTEGER, xmin TEXT, tableoid INTEGER, "oid" INTEGER);
        INSERT INTO "it's" VALUES ('k', 5, 'min', 6, 7);
        CREATE TABLE "a_very_long_name_that_has_more_than_sixty_three_bytes_in_it_and_goes_on_and_on" (
          "another_very_long_name_that_has_more_than_sixty_three_bytes_in_it_one" TEXT,
          "another_very_long_name_that_has_more_than_sixty_three_bytes_in_it_two" TEXT);
        INSERT INTO a_very_long_name_that_has_more_than_sixty_three_bytes_in_it_and_goes_on_and_on VALUES ('1', '2');
        CREATE TABLE "ÄÖ" (k INTEGER PRIMARY KEY); INSERT INTO "ÄÖ" VALUES (3);
        CREATE TABLE "äö" (k INTEGER PRIMARY KEY); INSERT INTO "äö" VALUES (4);
        CREATE TABLE "Step" (id INTEGER PRIMARY KEY); CREATE TABLE "Step_2" (id INTEGER PRIMARY KEY);
        CREATE TABLE " space " (" a " TEXT); INSERT INTO " space " VALUES ('s');
        CREATE TABLE "new\nline" ("tab\tx" TEXT); INSERT INTO "new\nline" VALUES ('s');
        """
    ),
    AwkwardDatabase(
      name: "an empty name",
      sql: "CREATE TABLE \"select\" (a TEXT, \"\" TEXT)",
      refusal: ("a column of select has an empty name", "--leave-out select")
    ),
    AwkwardDatabase(name: "no tables", sql: "CREATE VIEW v AS SELECT 1"),
    AwkwardDatabase(name: "no rows", sql: "CREATE TABLE n (a, b, c)"),
    AwkwardDatabase(
      name: "row numbers",
      sql: """
        CREATE TABLE r (v TEXT); INSERT INTO r (rowid, v) VALUES (1, 'a'), (9, 'b'), (3, 'c'), (10, 'd');
        CREATE TABLE rid (rowid TEXT, _rowid_ TEXT, oid TEXT); INSERT INTO rid VALUES ('a', 'b', 'c');
        CREATE TABLE neg (id INTEGER PRIMARY KEY, v TEXT);
        INSERT INTO neg VALUES (-9223372036854775808, 'x'), (0, 'y'), (9223372036854775807, 'z');
        CREATE TABLE autoinc (id INTEGER PRIMARY KEY AUTOINCREMENT);
        INSERT INTO autoinc VALUES (50); DELETE FROM autoinc;
        """
    ),
    AwkwardDatabase(
      name: "circles and keys of other types",
      sql: """
        CREATE TABLE n (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES n, other INTEGER REFERENCES m (id));
        INSERT INTO n VALUES (1, 2, 1), (2, 1, 1), (3, 3, NULL);
        CREATE TABLE m (id INTEGER PRIMARY KEY, n INTEGER REFERENCES n (id)); INSERT INTO m VALUES (1, 1), (2, 3);
        CREATE TABLE lost (a INTEGER REFERENCES nowhere (id), b TEXT REFERENCES n (id)); INSERT INTO lost VALUES (NULL, NULL);
        CREATE TABLE tt (k TEXT UNIQUE); INSERT INTO tt VALUES ('5');
        CREATE TABLE ti (k INTEGER REFERENCES tt (k)); INSERT INTO ti VALUES (5);
        CREATE TABLE nokey (x INT); INSERT INTO nokey VALUES (1);
        CREATE TABLE refs (x INT REFERENCES nokey (x)); INSERT INTO refs VALUES (1);
        """
    ),
    AwkwardDatabase(
      name: "strict tables",
      sql: """
        CREATE TABLE s (id INTEGER PRIMARY KEY, a INT, b TEXT, c BLOB, d REAL, e ANY) STRICT;
        INSERT INTO s VALUES (1, 2, 'x', x'00', 1.5, 7), (2, NULL, NULL, NULL, 2, 8);
        CREATE TABLE sw (a TEXT, b ANY, PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID;
        INSERT INTO sw VALUES ('a', 'b'), ('a', 'c');
        """
    ),
    AwkwardDatabase(
      name: "keys of every type",
      sql: """
        CREATE TABLE a (k INT PRIMARY KEY, v TEXT); INSERT INTO a VALUES (1, 'x'), (NULL, 'y'), (NULL, 'z');
        CREATE TABLE bl (k BLOB PRIMARY KEY, v TEXT); INSERT INTO bl VALUES (x'00', 'x'), (x'0000', 'y');
        CREATE TABLE re (k REAL PRIMARY KEY, v TEXT); INSERT INTO re VALUES (1.5, 'a'), (2, 'b');
        CREATE TABLE nu (k NUMERIC PRIMARY KEY, v TEXT); INSERT INTO nu VALUES (1, 'a'), (1.5, 'b');
        CREATE TABLE dtx (k DATETIME PRIMARY KEY, v INT REFERENCES a); INSERT INTO dtx VALUES (2020, 1);
        CREATE TABLE bo (k BOOLEAN PRIMARY KEY, v TEXT); INSERT INTO bo VALUES (0, 'f'), (1, 't');
        CREATE TABLE empty (k TEXT PRIMARY KEY, v); INSERT INTO empty VALUES (NULL, 'a'), (NULL, 'b');
        """
    ),
    AwkwardDatabase(
      name: "UTF-16",
      sql:
        "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'ünï😀')"
    ),
    AwkwardDatabase(name: "1,200 columns", sql: wide(1_200), isQuick: false),
    AwkwardDatabase(
      name: "1,601 columns",
      sql: wide(1_600),
      refusal: ("w has 1601 columns", "--leave-out w")
    ),
  ]

  private static func wide(_ count: Int) -> String {
    let columns = (0..<count).map { "c\($0) INTEGER" }.joined(separator: ", ")
    return "CREATE TABLE w (id INTEGER PRIMARY KEY, \(columns)); INSERT INTO w (id, c0) VALUES (1, 2)"
  }
}
