import Foundation
import TestSupport
import Testing

/// Values of a plain database in other spellings than the server's.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct SpelledValueTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  /// A type of the server, and values of SQLite of that type.
  private static let accepted: [(type: String, values: [String])] = [
    (
      "timestamptz",
      [
        "'2024-01-05 08:00:00'", "'2024-01-05T08:00:00Z'", "'2024-01-05T08:00:00.123Z'",
        "'2024-01-05T08:00:00.123000Z'",
        "'2024-01-05 08:00:00+00'", "'2024-01-05T10:00:00+02:00'", "'2024-01-05T03:30:00.5-0430'", "'2024-01-05'",
        "'2024-01-05 08:00'", "'1969-12-31T23:59:59.999999Z'", "'0001-01-01 00:00:00'", "'9999-12-31 23:59:59'",
        "'infinity'",
      ]
    ),
    ("timestamp", ["'2024-01-05T08:00:00'", "'2024-01-05 08:00:00.100000'", "'2024-01-05 08:00:00Z'", "'2024-02-29'"]),
    ("date", ["'2024-01-05'", "'2024-01-05 00:00:00'", "'2024-01-05T00:00:00Z'", "'12024-01-05'", "'0044-03-15 BC'"]),
    ("time", ["'08:00'", "'08:00:00'", "'08:00:00.500'", "'24:00:00'"]),
    (
      "uuid",
      [
        "'6F9619FF-8B86-D011-B42D-00C04FC964FF'", "'6f9619ff8b86d011b42d00c04fc964ff'",
        "'{6F9619FF-8B86-D011-B42D-00C04FC964FF}'", "x'6f9619ff8b86d011b42d00c04fc964ff'",
      ]
    ),
    (
      "jsonb",
      [
        #"'{"a":1}'"#, #"'{"bb":[1,2.50,-0,1e2,1E-3],"a":{},"a":[]}'"#, #"' [ true , null ] '"#,
        #"'"\u00e9\uD83D\uDE00\n\/\u001f é"'"#, "'0.10'", #"'{"ab":1,"b":2,"aa":3,"":4}'"#, "5",
      ]
    ),
    ("numeric(10,2)", ["'5.50'", "'5.5'", "'5'", "5", "5.25", "-0.5", "'+1e3'", "'-0'", "' 7.10 '", "'007'"]),
    ("price", ["'5.50'", "5.5", "'-0'"]), ("special_price", ["'5.50'", "5.5"]),
    ("timestamp(0)", ["'2024-01-05T08:00:00'", "'2024-01-05 08:00:00.000000'"]), ("time(1)", ["'08:00:00.50'"]),
    ("timestamptz(3)", ["'2024-01-05T08:00:00.123000Z'", "'2024-01-05 08:00:00.5'"]),
    ("numeric", ["5", "5.5", "'1.50'", "1e-7", "1e20", "'.5'", "'12345678901234567890.123'", "'1.50e1'", "'NaN'"]),
    ("char(3)", ["'a'", "'a  '", "'abc  '", "'é '"]), ("varchar(3)", ["'a '", "'abc'", "'ééé'"]),
    ("integer", ["5", "'5'", "5.0"]), ("boolean", ["1", "0", "'true'", "'f'", "'1'"]),
    ("bigint", ["'9007199254740993.0'", "'9007199254740993'", "'1e3'", "'-9223372036854775808'"]),
    (
      "double precision",
      ["5", "5.1", "'5.1'", "'0.10000000000000001'", "'1e300'", "'1e-300'", "'1152921504606846976'", "'1e23'"]
    ),
    (
      "real",
      [
        "5", "0.1", "'0.7'", "-1e-30", "16777216", "33570448", "33570448.0", "0.10000000149011612", "67140896",
        "3.4e38",
      ]
    ), ("bytea", ["x'0001'"]),
  ]

  private func make(_ type: String, _ values: [String]) throws {
    let own = type == "jsonb" || type == "uuid" ? "" : type
    try place.psql(
      """
      DROP TABLE IF EXISTS t; DROP DOMAIN IF EXISTS price CASCADE; DROP DOMAIN IF EXISTS minute;
      CREATE DOMAIN price AS numeric(10,2); CREATE DOMAIN special_price AS price; CREATE DOMAIN minute AS timestamp(0)
      """)
    try place.psql(
      "CREATE TABLE t (id bigserial PRIMARY KEY, k text UNIQUE NOT NULL, v \(type))")
    try? FileManager.default.removeItem(atPath: place.folder.path("s.db"))
    let rows = values.enumerated().map { "(\($0.offset + 1), 'k\($0.offset + 1)', \($0.element))" }
    // The declared type must not convert the values.
    _ = try Program.sqlite3(
      place.folder.path("s.db"),
      "CREATE TABLE t (id INTEGER PRIMARY KEY, k TEXT UNIQUE NOT NULL, v\(own.isEmpty ? "" : " BLOB")); INSERT INTO t VALUES "
        + rows.joined(separator: ", "))
  }

  /// The server's own reading of a value, as SQL.
  private static func cast(_ value: String, _ type: String) -> String {
    switch type {
    case "uuid": "'\(value.drop { "x'".contains($0) })"
    case "bytea": "'\\x\(value.dropFirst(2))"
    // The type ignores zones.
    case "timestamp": "\(value)::timestamptz AT TIME ZONE 'UTC'"
    case "jsonb": value.hasPrefix("'") ? value : "'\(value)'"
    // Its own reading takes neither fractions nor exponents.
    case "bigint": "\(value)::numeric"
    default: value
    }
  }

  @Test(arguments: accepted) func `what denotes the same is the same`(type: String, values: [String]) throws {
    try make(type, values)
    try place.expect("merge", "s.db", place.location)
    // The server reads the texts itself.
    for (number, value) in values.enumerated() {
      let cast = Self.cast(value, type)
      #expect(
        try place.psql(
          "SET TimeZone = 'UTC'; SELECT v::text = (\(cast))::\(type)::text FROM t WHERE k = 'k\(number + 1)'") == "t",
        "\(value)")
    }
    // What was merged is equal, in both directions.
    // In a column of a file without a type, 5 and 5.0 are different numbers.
    let isExact = ["double precision", "real"].contains(type)
    for (one, other) in [("s.db", place.location), (place.location, "s.db")] where one == "s.db" || !isExact {
      try place.expect("verify", one, other)
      // The columns are declared otherwise.
      let diff = try place.run(["diff", one, other])
      #expect(diff.output.contains(/t +\d+ +0 +0 +0/), "\(diff.output)")
    }
    let rows = try place.psql("SELECT string_agg(xmin || v::text, ' ' ORDER BY id) FROM t")
    let again = try place.expect("merge", "s.db", place.location, "--merge", "update")
    #expect(again.contains("nothing to do"), "\(again)")
    #expect(try place.psql("SELECT string_agg(xmin || v::text, ' ' ORDER BY id) FROM t") == rows)
  }

  @Test func `objects are known by values in another spelling`() throws {
    try place.psql(
      """
      CREATE TABLE t (id uuid PRIMARY KEY, name text);
      CREATE TABLE u (id bigserial PRIMARY KEY, t uuid REFERENCES t, at timestamptz UNIQUE NOT NULL);
      INSERT INTO t VALUES ('6f9619ff-8b86-d011-b42d-00c04fc964ff', 'old');
      INSERT INTO u (t, at) VALUES ('6f9619ff-8b86-d011-b42d-00c04fc964ff', '2024-01-05 08:00:00+00')
      """)
    _ = try Program.sqlite3(
      place.folder.path("s.db"),
      """
      CREATE TABLE t (id TEXT NOT NULL PRIMARY KEY, name TEXT);
      CREATE TABLE u (id INTEGER PRIMARY KEY, t TEXT REFERENCES t (id), at TEXT UNIQUE NOT NULL);
      INSERT INTO t VALUES ('6F9619FF-8B86-D011-B42D-00C04FC964FF', 'new'), ('A', 'bad');
      INSERT INTO u VALUES (1, '6F9619FF-8B86-D011-B42D-00C04FC964FF', '2024-01-05 08:00:00'),
        (2, '6F9619FF-8B86-D011-B42D-00C04FC964FF', '2024-01-06 08:00:00')
      """)
    try place.expect(["merge", "s.db", place.location], 1, "id is not a value of the type uuid")
    _ = try Program.sqlite3(place.folder.path("s.db"), "DELETE FROM t WHERE id = 'A'")
    try place.expect("merge", "s.db", place.location, "--merge", "update")
    #expect(try place.psql("SELECT string_agg(name, ',') FROM t") == "new")
    for (one, other) in [("s.db", place.location), (place.location, "s.db")] { try place.expect("verify", one, other) }
    try place.psql("UPDATE u SET at = at + interval '1 microsecond' WHERE at > '2024-01-06'")
    #expect(try place.run(["verify", "s.db", place.location]).status == 4)
    try place.psql("UPDATE u SET at = at - interval '1 microsecond' WHERE at > '2024-01-06'")
    #expect(try place.psql("SELECT count(*) || ',' || count(t) FROM u") == "2,2")
  }

  @Test func `numbers with other zeros are equal`() throws {
    try place.psql(
      """
      CREATE TABLE t (id bigserial PRIMARY KEY, code numeric UNIQUE NOT NULL, amount numeric, data jsonb);
      INSERT INTO t (code, amount, data) VALUES (1.50, 7.00, '{"a": [1.0]}'), (2, 8, '2')
      """)
    _ = try Program.sqlite3(
      place.folder.path("s.db"),
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT UNIQUE NOT NULL, amount TEXT, data TEXT);
      INSERT INTO t VALUES (1, '1.5', '7', '{"a":[1]}'), (2, '2.0', '8.000', '2.00')
      """)
    let rows = try place.psql("SELECT string_agg(t::text, ' ' ORDER BY id) FROM t")
    let run = try place.expect("merge", "s.db", place.location, "--merge", "update")
    #expect(run.contains("nothing to do"), "\(run)")
    #expect(try place.psql("SELECT string_agg(t::text, ' ' ORDER BY id) FROM t") == rows)
  }

  @Test(arguments: [
    ("numeric", "12345678901234567890.125", "12345678901234567890.125"), ("jsonb", "true", "true"),
    ("jsonb", "0.1234567890123456789", "0.1234567890123456789"), ("bigint", "9007199254740993", "9007199254740993"),
  ]) func `a decided value keeps its digits`(type: String, value: String, shown: String) throws {
    try place.psql(
      "CREATE TABLE t (id bigserial PRIMARY KEY, k text UNIQUE, v \(type)); INSERT INTO t (k, v) VALUES ('a', '1')")
    for (name, value) in [("b.db", "0"), ("s.db", "2")] {
      _ = try Program.sqlite3(
        place.folder.path(name),
        "CREATE TABLE t (id INTEGER PRIMARY KEY, k TEXT UNIQUE, v); INSERT INTO t VALUES (1, 'a', '\(value)')")
    }
    _ = try place.run(["merge", "s.db", place.location, "--base", "b.db", "--conflicts", "c.jsonl"])
    let list = try String(contentsOfFile: place.folder.path("c.jsonl"), encoding: .utf8)
    try list.replacing("\"take\":null", with: "\"take\":{\"value\":\(value)}")
      .write(toFile: place.folder.path("d.jsonl"), atomically: true, encoding: .utf8)
    try place.expect("merge", "s.db", place.location, "--base", "b.db", "--decisions", "d.jsonl")
    #expect(try place.psql("SELECT v FROM t") == shown)
  }

  /// A type, and a value that is none of it.
  private static let refused = [
    ("timestamptz", "'n/a'", "timestamptz"), ("timestamptz", "'2024-02-30 00:00:00'", "timestamptz"),
    ("timestamptz", "1704441600", "timestamptz"), ("timestamp", "'2024-01-05 08:00:00+02'", "timestamp"),
    ("date", "'2024-01-05 08:00:00'", "date"), ("timestamp(0)", "'2024-01-05 08:00:00.5'", "timestamp"),
    ("timestamptz(3)", "'2024-01-05T08:00:00.1234Z'", "timestamptz"), ("time(1)", "'08:00:00.25'", "time"),
    ("price", "'5.255'", "numeric"), ("special_price", "5.255", "numeric"),
    ("minute", "'2024-01-05 08:00:00.5'", "timestamp"),
    ("date", "'20240105'", "date"), ("timestamp", "'1704441600'", "timestamp"),
    ("timestamptz", "'20240105T080000Z'", "timestamptz"), ("date", "'12024-01'", "date"),
    ("uuid", "'6f96'", "uuid"), ("jsonb", "'{a:1}'", "jsonb"),
    ("jsonb", #"'"\u0000"'"#, "jsonb"), ("numeric(10,2)", "'5.255'", "numeric"), ("numeric", "'1,5'", "numeric"),
    ("integer", "'n/a'", "is not an integer"), ("integer", "3000000000", "is an integer beyond 32 bits"),
    ("integer", "2.5", "is not an integer"), ("bigint", "'12345678901234567.4'", "is not an integer"),
    ("bigint", "'9223372036854775808'", "is not an integer"),
    ("double precision", "'9007199254740993.0'", "is not a number"), ("double precision", "'1e400'", "is not a number"),
    ("double precision", "'1e-400'", "is not a number"),
    ("double precision", "'0.123456789012345678'", "is not a number"),
    ("real", "5.123456789", "real"), ("real", "16777217", "real"), ("real", "1e39", "real"), ("real", "'n/a'", "real"),
    ("boolean", "'maybe'", "is not an integer"), ("varchar(3)", "'abc '", "has more characters than"),
    ("varchar(3)", "'éééé'", "has more characters than"), ("char(2)", "'abc'", "has more characters than"),
    ("text", "'a' || char(0) || 'b'", "contains a NUL character"), ("text", "x'00'", "is not"),
    ("bytea", "'abc'", "is not"),
  ]

  @Test(arguments: refused) func `what is refused is named, and can be left out`(
    type: String, value: String, reason: String
  ) throws {
    try make(type, ["NULL", value, "NULL"])
    let run = try place.run(["merge", "s.db", place.location])
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    let starts = ["v is not", "v has more", "v \(reason)"]
    #expect(starts.contains { run.errors.contains($0) }, "\(run.errors)")
    #expect(run.errors.contains(reason), "\(run.errors)")
    #expect(run.errors.contains(/\bt\b.*\b2\b/), "\(run.errors)")
    #expect(try place.psql("SELECT count(*) FROM t") == "0")
    let left = try place.run(["merge", "s.db", place.location, "--on-error", "reject", "--rejects", "left.decant"])
    #expect(left.status == 3, "\(left.output)\(left.errors)")
    #expect(try place.psql("SELECT string_agg(k, ',' ORDER BY k) FROM t") == "k1,k3")
    #expect(try String(contentsOfFile: place.folder.path("left.decant"), encoding: .utf8).contains("v"))
  }
}
