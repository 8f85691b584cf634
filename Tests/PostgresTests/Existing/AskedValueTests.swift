import Foundation
import TestSupport
import Testing

/// Values of types for whose spellings the server is asked: arrays, ranges, intervals and others.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct AskedValueTests {
  private let place: PostgresFolder

  init() throws {
    place = try PostgresFolder()
    try place.psql(
      """
      CREATE EXTENSION hstore; CREATE TYPE mood AS ENUM ('sad', 'fine'); CREATE TYPE pair AS (x integer, y text);
      CREATE DOMAIN tags AS text[] CHECK (cardinality(VALUE) < 3)
      """)
  }

  /// A type of the server, and texts and numbers of SQLite that it accepts.
  private static let accepted: [(type: String, values: [String])] = [
    (
      "text[]",
      ["'{a,b}'", #"'{"a","b"}'"#, "'{a, b}'", "'{}'", #"'{"a b", NULL,"NULL",""}'"#, "'[2:3]={x,y}'", "'{{a},{b}}'"]
    ),
    ("integer[]", ["'{1, 2}'", "'{ 01,+2}'"]), ("numeric(5,2)[]", ["'{1.5}'", "'{1.50,  7}'"]),
    ("varchar(2)[]", [#"'{"ab",c}'"#]), ("mood[]", [#"'{"sad"}'"#]), ("tags", [#"'{"a", b}'"#]),
    ("pair", [#"'(1,"a")'"#]),
    ("date[]", ["'{20240105}'"]), ("timestamp[]", ["'{2024-01-05T08:00:00}'"]), ("boolean[]", ["'{true,no}'"]),
    ("uuid[]", ["'{ABCDEFAB-0000-4000-8000-000000000002}'"]), ("jsonb[]", [#"'{"{\"b\":1,\"a\":2}"}'"#]),
    ("interval", ["'1 day'", "'24:00:00'", "'P1D'", "'1 year 2 mons -3 days 04:05:06.789'", "'90 min'"]),
    ("interval(0)", ["'00:00:02.0'"]), ("int4range", ["'[1,5]'", "'[1,6)'", "'(0,5]'", "'empty'", "'(,5)'"]),
    ("daterange", ["'[2024-01-01,2024-01-05]'"]), ("tstzrange", [#"'["2024-01-01 00:00:00+02",]'"#]),
    ("int4multirange", ["'{[1,3],[2,5]}'"]), ("inet", ["'10.0.0.1/32'", "'10.0.0.1'", "'10.0.0.1/24'"]),
    ("cidr", ["'10.0.0'"]),
    ("macaddr", ["'08-00-2B-01-02-03'"]), ("money", ["'12.5'", "12.5", "12"]), ("bit(3)", ["'101'"]),
    ("varbit(5)", ["'x3'"]),
    ("point", ["'1,2'"]), ("tsvector", ["'b a'"]), ("hstore", ["'b=>2, a=>1'"]), ("timetz", ["'08:00+02'"]),
    ("name", ["'abc'"]), (#""char""#, ["'a'"]),
  ]

  private func make(_ type: String, _ values: [String], key: String = " UNIQUE NOT NULL") throws {
    try place.psql("DROP TABLE IF EXISTS t; CREATE TABLE t (id bigserial PRIMARY KEY, k text\(key), v \(type))")
    try? FileManager.default.removeItem(atPath: place.folder.path("s.db"))
    let rows = values.enumerated().map { "(\($0.offset + 1), 'k\($0.offset + 1)', \($0.element))" }
    _ = try Program.sqlite3(
      place.folder.path("s.db"),
      "CREATE TABLE t (id INTEGER PRIMARY KEY, k TEXT\(key), v BLOB); INSERT INTO t VALUES "
        + rows.joined(separator: ", "))
  }

  /// Expects each row to have the value that the server itself reads.
  private func expectValues(_ type: String, _ values: [String]) throws {
    for (number, value) in values.enumerated() {
      // Only `money` is read from numbers.
      let own = value.hasPrefix("'") ? value : "'\(value)'"
      let isSame = "SELECT string_agg((v::text = \(own)::\(type)::text)::text, ',') FROM t WHERE k = 'k\(number + 1)'"
      #expect(try place.psql(isSame) == "true", "\(type) \(value)")
    }
  }

  @Test(arguments: accepted) func `the server's reading of a text is the value`(type: String, values: [String]) throws {
    try make(type, values)
    try place.expect("merge", "s.db", place.location)
    try expectValues(type, values)
    for (one, other) in [("s.db", place.location), (place.location, "s.db")] {
      try place.expect("verify", one, other)
      let diff = try place.run(["diff", one, other])
      #expect(diff.output.contains(/t +\d+ +0 +0 +0/), "\(diff.output)")
    }
    // A merge again finds nothing to do, whatever its policy is.
    let rows = try place.psql("SELECT string_agg(xmin || v::text, ' ' ORDER BY id) FROM t")
    for policy in ["skip", "update", "replace"] {
      let again = try place.expect("merge", "s.db", place.location, "--merge", policy)
      #expect(again.contains("nothing to do"), "\(again)")
    }
    #expect(try place.psql("SELECT string_agg(xmin || v::text, ' ' ORDER BY id) FROM t") == rows)
    // Another value is one.
    try place.psql("UPDATE t SET v = NULL")
    #expect(try place.run(["verify", "s.db", place.location]).status == 4)
    try place.expect("merge", "s.db", place.location, "--merge", "update")
    try expectValues(type, values)
    try make(type, values, key: "")
    try place.expect("copy", "s.db", place.location, "--append")
    try expectValues(type, values)
  }

  /// A type, a text that it does not accept as it is, and a part of the reason.
  private static let refused = [
    ("text[]", "'[a,b]'", "text[]: malformed array literal"),
    ("integer[]", "'{1,x}'", "integer[]: invalid input syntax"),
    ("mood[]", "'{bad}'", "invalid input value for enum"), ("interval", "'soon'", "interval: invalid input syntax"),
    ("int4range", "'[5,1]'", "range lower bound"), ("inet", "'10.0.0.256'", "inet: invalid input syntax"),
    ("bit(3)", "'1011'", "bit(3): bit string length 4"), ("varchar(2)[]", "'{abc}'", "value too long"),
    ("numeric(5,2)[]", "'{1.555}'", "has more digits or characters than its type numeric(5,2)[] keeps"),
    ("interval(0)", "'1.5 s'", "has more digits or characters than its type interval(0) keeps"),
    (#""char""#, "'ab'", "has more digits or characters than its type"),
    ("money", "'a lot'", "money: invalid input syntax"), ("text[]", "x'00'", "is not a value of the type text[]"),
    ("hstore", "'a'", "hstore"), ("text[]", "'{a' || char(0) || '}'", "contains a NUL character"),
  ]

  @Test(arguments: refused) func `a text that is no value is named, and can be left out`(
    type: String, value: String, reason: String
  ) throws {
    try make(type, ["NULL", value, "NULL"])
    let run = try place.run(["merge", "s.db", place.location])
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(run.errors.contains("v ") && run.errors.contains(reason), "\(run.errors)")
    #expect(run.errors.contains(/\bt\b.*\b2\b/), "\(run.errors)")
    #expect(try place.psql("SELECT count(*) FROM t") == "0")
    let left = try place.run(["merge", "s.db", place.location, "--on-error", "reject", "--rejects", "left.decant"])
    #expect(left.status == 3, "\(left.output)\(left.errors)")
    #expect(try place.psql("SELECT string_agg(k, ',' ORDER BY k) FROM t") == "k1,k3")
  }

  @Test func `many texts are asked for at once, whether they are values or not`() throws {
    try place.psql("CREATE TABLE t (id bigserial PRIMARY KEY, k text UNIQUE, v integer[])")
    _ = try Program.sqlite3(
      place.folder.path("s.db"),
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, k TEXT UNIQUE, v TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO t SELECT i, 'k' || i, CASE WHEN i % 1000 = 7 THEN '{x' || i || '}' ELSE '{' || i || ', 1}' END FROM n
      """)
    let run = try place.run(["merge", "s.db", place.location, "--on-error", "reject"])
    #expect(run.status == 3, "\(run.output)\(run.errors)")
    #expect(try place.psql("SELECT count(*), sum(v[1]), min(v[2]) FROM t") == "4995|12492465|1")
    let again = try place.run(["merge", "s.db", place.location, "--on-error", "reject", "--merge", "update"])
    #expect(again.status == 3, "\(again.output)\(again.errors)")
    #expect(try place.psql("SELECT count(*) FROM t") == "4995")
  }

  @Test(arguments: [
    ("inet", "'10.0.0.1/32'", "10.0.0.1"), ("int4range", "'[1,5]'", "[1,6)"),
    ("macaddr", "'08-00-2B-01-02-03'", "08:00:2b:01:02:03"),
    ("text[]", #"'{"a", b}'"#, "{a,b}"), ("interval", "'1 day'", "P1D"),
  ]) func `rows are known by values in another spelling`(type: String, value: String, own: String) throws {
    try place.psql(
      "CREATE TABLE t (id bigserial PRIMARY KEY, v \(type) UNIQUE NOT NULL, n text); INSERT INTO t (v, n) VALUES ('\(own)', 'old')"
    )
    _ = try Program.sqlite3(
      place.folder.path("s.db"),
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT UNIQUE NOT NULL, n TEXT); INSERT INTO t VALUES (7, \(value), 'new')"
    )
    try place.expect("merge", "s.db", place.location, "--merge", "update")
    #expect(try place.psql("SELECT count(*) || min(n) FROM t") == "1new")
  }

  @Test func `a value of the base in another spelling is unchanged`() throws {
    try place.psql(
      """
      CREATE TABLE t (id bigserial PRIMARY KEY, k text UNIQUE NOT NULL, v text[], u uuid, n text);
      INSERT INTO t (k, v, u, n) VALUES ('a', '{x,y}', 'abcdefab-0000-4000-8000-000000000002', 'old')
      """)
    for (name, text, new) in [("b.db", #"{"x", y}"#, "old"), ("s.db", "{x, y}", "new")] {
      _ = try Program.sqlite3(
        place.folder.path(name),
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, k TEXT UNIQUE NOT NULL, v TEXT, u TEXT, n TEXT);
        INSERT INTO t VALUES (1, 'a', '\(text)', 'ABCDEFAB-0000-4000-8000-000000000002', '\(new)')
        """)
    }
    let run = try place.expect("merge", "s.db", place.location, "--base", "b.db")
    #expect(!run.contains("conflict"), "\(run)")
    #expect(try place.psql("SELECT v, u, n FROM t") == "{x,y}|abcdefab-0000-4000-8000-000000000002|new")
  }

  @Test(arguments: [
    ("uuid", "'ABCDEFAB-0000-4000-8000-000000000002'", "'abcdefab-0000-4000-8000-000000000002'"),
    ("uuid", "x'abcdefab000040008000000000000002'", "'abcdefab-0000-4000-8000-000000000002'"),
    ("numeric", "'1.0'", "'1'"), ("numeric(10,2)", "'1.5'", "'1.50'"), ("citext", "'Abc'", "'aBC'"),
    ("char(5)", "'ab'", "'ab  '"),
    ("timestamptz", "'2024-01-05T08:00:00Z'", "'2024-01-05 08:00:00'"),
    ("date", "'2024-01-05'", "'2024-01-05 00:00:00'"),
    ("inet", "'10.0.0.1'", "'10.0.0.1/32'"), ("int4range", "'[1,5]'", "'[1,6)'"), ("text", "'a'", "'a'"),
  ]) func `a link leads to its target in another spelling`(type: String, target: String, link: String) throws {
    try place.psql(
      """
      CREATE EXTENSION IF NOT EXISTS citext; CREATE TABLE u (id \(type) PRIMARY KEY, n text UNIQUE);
      CREATE TABLE p (id serial PRIMARY KEY, u_id \(type) REFERENCES u, w text UNIQUE NOT NULL)
      """)
    _ = try Program.sqlite3(
      place.folder.path("s.db"),
      """
      CREATE TABLE u (id BLOB PRIMARY KEY, n TEXT UNIQUE);
      CREATE TABLE p (id INTEGER PRIMARY KEY, u_id BLOB REFERENCES u (id), w TEXT UNIQUE NOT NULL);
      INSERT INTO u VALUES (\(target), 'x'); INSERT INTO p VALUES (1, \(link), 'w'), (2, NULL, 'none')
      """)
    let dry = try place.expect("merge", "s.db", place.location, "--dry-run")
    #expect(!dry.contains("dangling"), "\(dry)")
    let run = try place.expect("merge", "s.db", place.location, "--skip-unchanged")
    #expect(!run.contains("dangling") && run.contains(/links +1 copied/), "\(run)")
    #expect(try place.psql("SELECT w, n FROM p JOIN u ON u.id = u_id") == "w|x")
    let again = try place.expect("merge", "s.db", place.location, "--skip-unchanged")
    #expect(again.contains("skipped"), "\(again)")
    // A link that leads nowhere is still one.
    _ = try Program.sqlite3(
      place.folder.path("s.db"), "DELETE FROM u; INSERT INTO p SELECT 3, u_id, 'lost' FROM p WHERE id = 1")
    let lost = try place.expect("merge", "s.db", place.location, "--dry-run")
    #expect(lost.contains("1 dangling"), "\(lost)")
  }
}
