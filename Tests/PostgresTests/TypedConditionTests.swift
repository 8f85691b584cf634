import TestSupport
import Testing

/// Conditions and queries on values of a server that are read as texts.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct TypedConditionTests {
  private let place: PostgresFolder

  init() throws {
    place = try PostgresFolder()
    try place.psql(
      """
      CREATE TABLE payment (id serial PRIMARY KEY, amount numeric(10,2), rest numeric, at timestamptz, seen timestamp,
        day date, part uuid, name text);
      INSERT INTO payment (amount, rest, at, seen, day, part, name)
      SELECT g * 10 - 200, (g - 50) * 0.125, timestamptz '2022-06-01 00:00+00' + g * interval '1 hour',
        timestamp '2022-06-01' + g * interval '90 minutes', date '2022-05-28' + g,
        ('00000000-0000-4000-8000-ab00000000' || lpad(to_hex(g), 2, '0'))::uuid, 'n' || g
      FROM generate_series(0, 99) AS g;
      INSERT INTO payment (amount, rest, at, seen, day) VALUES (NULL, 'NaN', 'infinity', '-infinity', '12024-01-01'),
        (5, 12345678901234567890.000001, '-infinity', '0044-03-15 BC', 'infinity'),
        (5.5, 12345678901234567890.000002, '12022-01-01 00:00+00', 'infinity', '0045-03-15 BC')
      """)
  }

  /// Conditions that have the same text and the same meaning on the server.
  private static let conditions = [
    "amount > 500", "500 < amount", "amount >= -50 AND amount < 60", "amount = 90", "amount = '90.0'", "amount <> 90",
    "amount IN (90, 100.0, 7)", "amount BETWEEN 5 AND 100", "amount NOT BETWEEN 5 AND 100", "amount > id * 7",
    "amount > rest", "abs(amount) > 50", "amount * 2 > 100", "amount > '90' AND amount < '1e3'", "amount IS NULL",
    "rest = 1.250", "rest < -1.2", "rest > '12345678901234567890.000001'",
    "amount = (SELECT max(amount) FROM payment)", "amount > (SELECT avg(amount) FROM payment)",
    "at >= '2022-06-01 12:00:00'", "at >= '2022-06-01T12:00:00Z'", "at = '2022-06-01 14:00+02'", "at < '2022-06-02'",
    "at IN ('2022-06-01 12:00', '2022-06-01 13:00:00.000')", "at BETWEEN '2022-06-01 12:00' AND '2022-06-01T15:00:00Z'",
    "at > '9999-12-31'", "at < '0001-01-01'", "at < 'infinity'", "at >= '2022-06-02' AND NOT amount > 500",
    "seen > '2022-06-03T12:00:00'", "seen = '2022-06-01 03:00:00.0'", "seen < '0040-01-01'", "seen <= '2022-06-01'",
    "day > '2022-06-01T00:00:00Z'", "day >= '2022-06-01'", "day < '2022-06-01'", "day > '9999-12-31'",
    "part = '00000000-0000-4000-8000-AB0000000007'", "part > '{00000000000040008000ab0000000050}'",
    "part IN ('00000000000040008000ab0000000007')", "name > 'n5'", "name = '90'",
  ]

  @Test func `a condition selects the rows that the server would`() throws {
    for condition in Self.conditions {
      // A text without a zone is in UTC; exponents are no integers in SQLite.
      let expected = try place.psql("SET TimeZone = 'UTC'; SELECT count(*) FROM payment WHERE \(condition)")
      let found = try place.run(["query", place.location, "SELECT count(*) FROM payment WHERE \(condition)", "--csv"])
      #expect(found.output.split(separator: "\n").last.map(String.init) == expected, "\(condition): \(found.errors)")
      #expect(!found.errors.contains("may hold"), "\(condition): \(found.errors)")
    }
    for (number, condition) in Self.conditions.enumerated() where number.isMultiple(of: 9) {
      let expected = try place.psql(
        "SET TimeZone = 'UTC'; SELECT coalesce(string_agg(p::text, chr(10) ORDER BY id), '') FROM (SELECT id, amount, part FROM payment WHERE \(condition)) AS p"
      )
      try place.expect("copy", place.location, "\(number).db", "--where", "payment: \(condition)")
      // Copies have ordinary columns.
      let rows =
        "SELECT '(' || id || ',' || coalesce(amount, '') || ',' || coalesce(part, '') || ')' FROM payment ORDER BY id"
      #expect(try Program.sqlite3(place.folder.path("\(number).db"), rows) == expected)
      let schema = try Program.sqlite3(place.folder.path("\(number).db"), "SELECT sql FROM sqlite_schema")
      #expect(!schema.contains("COLLATE"))
    }
  }

  @Test(arguments: [
    "SELECT max(amount) FROM payment", "SELECT min(amount) FROM payment",
    "SELECT max(at) FROM payment WHERE at < 'infinity' AND at < '9999-01-01'",
    "SELECT id FROM payment WHERE rest <> 'NaN' ORDER BY rest DESC, id LIMIT 5",
    "SELECT count(*), sum(id) FROM payment GROUP BY round(amount / 100) ORDER BY 1, 2",
    "SELECT id FROM payment WHERE amount IS NOT NULL ORDER BY amount, id LIMIT 40",
    "SELECT count(DISTINCT amount) FROM payment",
    "SELECT count(*) FROM payment AS a JOIN payment AS b ON a.amount = b.rest",
    "WITH p AS (SELECT amount AS a FROM payment) SELECT count(*) FROM p WHERE a > 500",
    "SELECT day FROM payment WHERE day > '2022-08-01' ORDER BY day LIMIT 3",
    "SELECT seen FROM payment ORDER BY seen LIMIT 3",
  ]) func `a query orders the values as the server does`(sql: String) throws {
    let found = try place.run(["query", place.location, sql, "--csv"])
    #expect(found.status == 0, "\(found.errors)")
    let rows = found.output.split(whereSeparator: \.isNewline).dropFirst().map { $0.replacing(",", with: "|") }
    let expected = try place.psql(
      "SET TimeZone = 'UTC'; "
        + sql.replacing("SELECT max(at)", with: "SELECT to_char(max(at), 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"))
    #expect(rows.joined(separator: "\n") == expected)
  }

  /// Statements whose comparison could only be wrong, and what to write instead.
  @Test(arguments: [
    ("at > 'yesterday'", "write a value like '2026-01-31T08:15:00.000000Z'"), ("at > '2022-06'", "write a value like"),
    ("amount > 'much'", "write a number"), ("at > 5", "write a value like"), ("part = 'x'", "write a value like"),
    ("seen BETWEEN '2022-06-01' AND 'now'", "write a value like '2026-01-31 08:15:00'"),
    ("coalesce(amount, 0) > 500", "write coalesce(amount + 0)"), ("5 < max(amount, 1)", "write max(amount + 0)"),
    ("ifnull(at, '') >= '2022-06-01 12:00:00'", "write '2022-06-01T12:00:00.000000Z'"),
  ]) func `a comparison of texts is refused`(condition: String, remedy: String) throws {
    try place.expect(["query", place.location, "SELECT id FROM payment WHERE \(condition)"], 64, remedy)
    try place.expect(["copy", place.location, "out.db", "--where", "payment: \(condition)"], 64, remedy)
  }

  /// The same, where the comparison is not next to the function.
  @Test(arguments: [
    ("SELECT name FROM payment GROUP BY name HAVING max(amount) > 500", "write max(amount + 0)"),
    ("SELECT name, max(amount) AS m FROM payment GROUP BY name HAVING m > 500", "write max(amount + 0)"),
    ("SELECT name, max(amount) m FROM payment GROUP BY name HAVING 500 < m", "write max(amount + 0)"),
    (
      "SELECT count(*) FROM (SELECT max(amount) AS m FROM payment GROUP BY name) WHERE m > 500", "write max(amount + 0)"
    ),
    (
      "WITH p AS (SELECT max(amount) AS m FROM payment GROUP BY name) SELECT count(*) FROM p WHERE p.m > 500",
      "write max(amount + 0)"
    ),
    (
      "SELECT count(*) FROM payment WHERE CASE WHEN id > 5 THEN amount ELSE 0 END > 500", "write amount + 0 in the CASE"
    ),
    ("SELECT count(*) FROM payment WHERE CASE id WHEN 5 THEN 0 ELSE amount END > 500", "write amount + 0 in the CASE"),
    ("SELECT id, CASE WHEN id > 5 THEN amount END AS c FROM payment WHERE c > 500", "write amount + 0 in the CASE"),
    (
      "SELECT count(*) FROM payment WHERE (SELECT amount FROM payment WHERE id = 7) > 500",
      "write amount + 0 in the SELECT"
    ),
    ("SELECT count(*) FROM payment WHERE (SELECT max(amount) FROM payment) > 500", "write max(amount + 0)"),
    ("SELECT count(*) FROM payment WHERE coalesce(max(amount, 1), 0) > 500", "write max(amount + 0)"),
    (
      "SELECT count(*) FROM (SELECT max(amount) OVER (PARTITION BY name) AS m FROM payment) WHERE m > 500",
      "write max(amount + 0)"
    ),
    ("SELECT count(*) FROM payment WHERE (coalesce(amount, 0)) > 500", "write coalesce(amount + 0)"),
    (
      "SELECT count(*) FROM payment WHERE (SELECT max(at) FROM payment) > '2022-06-01 12:00'",
      "write '2022-06-01T12:00:00.000000Z'"
    ),
  ]) func `a comparison of texts elsewhere is refused`(sql: String, remedy: String) throws {
    try place.expect(["query", place.location, sql], 64, remedy)
  }

  /// Statements that have the same text and the same meaning on the server.
  @Test(arguments: [
    "SELECT count(*) FROM (SELECT max(amount + 0) AS m FROM payment GROUP BY name) AS p WHERE m > 500",
    "SELECT count(*) FROM (SELECT amount AS m FROM payment) AS p WHERE m > 500",
    "SELECT count(*) FROM payment WHERE CASE WHEN amount > 500 THEN 1 ELSE 0 END = 1",
    "SELECT count(*) FROM payment WHERE (amount) > 500",
    "SELECT count(*) FROM payment WHERE amount > (SELECT min(amount) FROM payment)",
    "SELECT count(*) FROM (SELECT max(amount) AS m, count(*) AS n FROM payment GROUP BY name) AS p WHERE n > 1",
    "SELECT count(*) FROM payment WHERE (SELECT max(amount + 0) FROM payment) > 500",
  ]) func `a comparison elsewhere that is right is accepted`(sql: String) throws {
    let found = try place.run(["query", place.location, sql, "--csv"])
    #expect(found.status == 0 && !found.errors.contains("may hold"), "\(found.errors)")
    #expect(try found.output.split(separator: "\n").last.map(String.init) == place.psql(sql))
  }

  @Test(arguments: [
    "ifnull(at, '') >= '2022-06-01T12:00:00.000000Z'", "coalesce(amount, 'none') = 'none'", "amount + 0 > 50",
    "coalesce(amount + 0, 0) > 50", "at LIKE '2022-06%'", "substr(at, 1, 10) = '2022-06-02'", "coalesce(at, 0) = 0",
    "date(at) = '2022-06-02'", "max(amount + 0, 5) > 7", "iif(amount > 7, 1, 0) = 1",
  ]) func `what is meant as written is accepted`(condition: String) throws {
    let sql = "SELECT id FROM payment WHERE \(condition)"
    #expect(try place.expect("query", place.location, sql, "--csv").contains("\n"))
  }
}
