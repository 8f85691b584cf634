import Foundation
import TestSupport
import Testing

/// The types and names that `--type` and `--names` choose.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ColumnTypeTests {
  private let place: PostgresFolder
  private var path: String { place.folder.path("plain.db") }

  init() throws { place = try PostgresFolder() }

  /// A column of a plain database and what becomes of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let declared: String
    let values: String
    let type: String
    /// The column and its type as psql shows them: `type|value,value`.
    var shown: String?
    /// The number of values that fit, if not all do.
    var fitting: String?

    var testDescription: String { "\(declared) \(values) as \(type)" }
  }

  static let cases: [Case] = [
    Case(declared: "INTEGER", values: "(1), (-32768)", type: "smallint", shown: "smallint|1,-32768"),
    Case(declared: "INTEGER", values: "(1), (32768)", type: "smallint", fitting: "1 of 2 values"),
    Case(declared: "INTEGER", values: "(2147483647)", type: "INT", shown: "integer|2147483647"),
    Case(declared: "INTEGER", values: "(2147483648), (NULL)", type: "integer", fitting: "0 of 1 value"),
    Case(declared: "INTEGER", values: "(0), (1)", type: "boolean", shown: "boolean|false,true"),
    Case(declared: "INTEGER", values: "(0), (2)", type: "boolean", fitting: "1 of 2 values"),
    Case(
      declared: "INTEGER", values: "(9007199254740992)", type: "double precision",
      shown: "double precision|9.007199254740992e+15"),
    Case(declared: "INTEGER", values: "(9007199254740993)", type: "double precision", fitting: "0 of 1 value"),
    Case(declared: "REAL", values: "(2), (0.1)", type: "numeric", shown: "numeric|2,0.1"),
    Case(declared: "", values: "(2.0), (0.1)", type: "numeric", fitting: "1 of 2 values"),
    Case(declared: "TEXT", values: "('12'), ('-7')", type: "bigint", shown: "bigint|12,-7"),
    Case(declared: "TEXT", values: "('12'), ('007'), ('x')", type: "bigint", fitting: "1 of 3 values"),
    Case(declared: "VARCHAR(9)", values: "('1.50'), ('0'), ('-0.05')", type: "decimal", shown: "numeric|1.50,0,-0.05"),
    Case(
      declared: "TEXT", values: "('1e3'), ('-0'), ('.5'), ('1.'), ('+1')", type: "numeric", fitting: "0 of 5 values"),
    Case(declared: "INTEGER", values: "(1), ('high'), (2.5)", type: "text", shown: "text|1,high,2.5"),
    Case(declared: "", values: "(1), ('high')", type: "text", fitting: "1 of 2 values"),
    Case(declared: "TEXT", values: "(x'00')", type: "text", fitting: "0 of 1 value"),
    Case(
      declared: "TEXT", values: "('5099f3f1-814b-8e7f-8eae-14e5d367af9c')", type: "uuid",
      shown: "uuid|5099f3f1-814b-8e7f-8eae-14e5d367af9c"),
    Case(
      declared: "TEXT", values: "('5099F3F1-814B-8E7F-8EAE-14E5D367AF9C')", type: "uuid",
      shown: "uuid|5099f3f1-814b-8e7f-8eae-14e5d367af9c"),
    Case(declared: "TEXT", values: "('5099F3F1-814B-8E7F-8EAE-14E5D367Af9c')", type: "uuid", fitting: "0 of 1 value"),
    Case(
      declared: "BLOB", values: "(x'5099f3f1814b8e7f8eae14e5d367af9c')", type: "uuid",
      shown: "uuid|5099f3f1-814b-8e7f-8eae-14e5d367af9c"),
    Case(declared: "BLOB", values: "(x'5099')", type: "uuid", fitting: "0 of 1 value"),
    Case(
      declared: "DATETIME", values: "('2020-01-31 08:15:00'), ('1969-12-31 23:59:59')", type: "timestamptz",
      shown: "timestamp with time zone|2020-01-31 08:15:00+00,1969-12-31 23:59:59+00"),
    Case(
      declared: "DATE", values: "('2020-02-29'), ('0001-01-01')", type: "timestamp with time zone",
      shown: "timestamp with time zone|2020-02-29 00:00:00+00,0001-01-01 00:00:00+00"),
    Case(
      declared: "TEXT", values: "('2020-01-31T08:15:00.120Z')", type: "timestamptz",
      shown: "timestamp with time zone|2020-01-31 08:15:00.12+00"),
    Case(
      declared: "TEXT", values: "('2020-01-31T08:15:00'), ('1999-01-31T08:15:00.000001')", type: "timestamptz",
      shown: "timestamp with time zone|2020-01-31 08:15:00+00,1999-01-31 08:15:00.000001+00"),
    Case(
      declared: "TEXT", values: "('2020-01-31T08:15:00+02:00'), ('2020-02-30'), ('2020-01-31')", type: "timestamptz",
      fitting: "1 of 3 values"),
    Case(
      declared: "INTEGER", values: "(1580458500), (-1)", type: "timestamptz from unix",
      shown: "timestamp with time zone|2020-01-31 08:15:00+00,1969-12-31 23:59:59+00"),
    Case(
      declared: "REAL", values: "(1580458500.25), (5)", type: "timestamptz from unix",
      shown: "timestamp with time zone|2020-01-31 08:15:00.25+00,1970-01-01 00:00:05+00"),
    Case(
      declared: "INTEGER", values: "(1580458500123)", type: "timestamptz from milliseconds",
      shown: "timestamp with time zone|2020-01-31 08:15:00.123+00"),
    Case(
      declared: "REAL", values: "(0), (0.5)", type: "timestamptz from 2001",
      shown: "timestamp with time zone|2001-01-01 00:00:00+00,2001-01-01 00:00:00.5+00"),
    Case(declared: "INTEGER", values: "(1580458500)", type: "timestamptz", fitting: "0 of 1 value"),
    Case(declared: "INTEGER", values: "(9223372036854775807)", type: "timestamptz from unix", fitting: "0 of 1 value"),
    Case(
      declared: "INTEGER", values: "(9224318015999), (0)", type: "timestamptz from unix",
      shown: "timestamp with time zone|294276-12-31 23:59:59+00,1970-01-01 00:00:00+00"),
    Case(declared: "INTEGER", values: "(9224318016000), (0)", type: "timestamptz from unix", fitting: "1 of 2 values"),
  ]

  @Test(arguments: cases) func `a chosen type holds all values unchanged, or is refused`(case chosen: Case) throws {
    _ = try Program.sqlite3(
      path,
      """
      CREATE TABLE Note (id INTEGER PRIMARY KEY, Created \(chosen.declared)); INSERT INTO Note (Created) VALUES \(chosen.values)
      """)
    let copy = ["copy", "plain.db", place.location, "--type", "note.created: \(chosen.type)"]
    if let fitting = chosen.fitting {
      try place.expect(copy, 64, "holds \(fitting) so that they can be read back")
      #expect(try place.visible() == "")
      let run = try place.run(copy + ["--on-error", "reject"])
      #expect(run.status == 3, "\(run.output)\(run.errors)")
      let kept = try place.psql("SELECT count(created) FROM note")
      return #expect(fitting.hasPrefix("\(kept) of"))
    }
    let run = try place.run(copy)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try place.psql("SELECT min(pg_typeof(created)::text), string_agg(created::text, ',' ORDER BY id) FROM note")
        == chosen.shown)
    #expect(try place.expect("verify", "plain.db", place.location).contains("equal"))
    #expect(try place.expect("diff", "plain.db", place.location).contains("equal"))
    try place.expect("copy", place.location, "back.db")
    let rows = "SELECT id, Created, typeof(Created) FROM Note ORDER BY id"
    #expect(
      try Program.sqlite3(place.folder.path("back.db"), rows, isQuoted: true)
        == Program.sqlite3(path, rows, isQuoted: true))
  }

  @Test func `a point in time that an app wrote comes back with all its digits`() throws {
    _ = try Program.sqlite3(
      path,
      """
      CREATE TABLE n (id INTEGER PRIMARY KEY, a DATE, b TEXT, c INTEGER);
      INSERT INTO n VALUES (1, '2020-01-31', '2020-01-31 08:15:00', 5)
      """)
    try place.expect(
      "copy", "plain.db", place.location, "--type", "n.a: timestamptz", "--type", "n.b: timestamptz", "--type",
      "n.c: timestamptz from unix")
    try place.psql("UPDATE n SET a = '2021-02-03 04:05:06+00', b = '2021-02-03 04:05:06.5+00', c = b")
    try place.expect("copy", place.location, "back.db")
    #expect(
      try Program.sqlite3(place.folder.path("back.db"), "SELECT * FROM n")
        == "1|2021-02-03 04:05:06|2021-02-03 04:05:06.5|1580458500")
    try place.psql("UPDATE n SET a = 'infinity'")
    try place.expect(["copy", place.location, "again.db"], 1, "n.a")
  }

  @Test func `attributes of a model have chosen types`() throws {
    try place.expect(
      "copy", "Kitchen.sqlite", place.location, "--type", "Recipe.servings: bigint", "--type",
      "Recipe.createdAt: double precision", "--type", "recipe.price: double precision")
    #expect(
      try place.psql(
        """
        SELECT string_agg(column_name || ' ' || data_type, ', ' ORDER BY column_name) FROM information_schema.columns
        WHERE table_name = 'recipe' AND column_name IN ('servings', 'created_at', 'price', 'updated_at')
        """) == "created_at double precision, price double precision, servings bigint")
    try place.expect("verify", "Kitchen.sqlite", place.location)
    try place.expect("copy", place.location, "back.sqlite")
    #expect(try place.expect("diff", "Kitchen.sqlite", "back.sqlite").contains("equal"))
  }

  @Test(arguments: ["Kitchen.sqlite", "plain.db"]) func `names of the model are kept`(store: String) throws {
    _ = try Program.sqlite3(
      path,
      """
      CREATE TABLE "User Name" (ID INTEGER PRIMARY KEY, "Full Name" TEXT UNIQUE, ctid INT);
      INSERT INTO "User Name" VALUES (1, 'a', 2); CREATE TABLE Pet (Owner INTEGER REFERENCES "User Name" (ID));
      INSERT INTO Pet VALUES (1); CREATE INDEX PetOwner ON Pet (Owner)
      """)
    try place.expect("copy", store, place.location, "--names", "model")
    let query =
      store == "plain.db"
      ? "SELECT \"Full Name\", \"ctid_2\", \"Owner\" FROM \"User Name\", \"Pet\" WHERE \"Owner\" = \"ID\""
      : "SELECT count(\"createdAt\"), count(DISTINCT c.\"name\") FROM \"Recipe\" AS r JOIN \"Category\" AS c ON r.\"category_id\" = c.id"
    #expect(try !place.psql(query).isEmpty)
    try place.expect("verify", store, place.location)
    try place.expect("copy", place.location, "back.db")
    #expect(try place.expect("diff", store, "back.db").contains("equal"))
  }

  @Test func `what cannot be chosen is told`() throws {
    for option in [["--type", "Recipe.title: text"], ["--names", "model"], ["--exact-dates"]] {
      try place.expect(
        ["copy", "Kitchen.sqlite", "new.sqlite"] + option, 64, "\(option[0]) is for new tables in a PostgreSQL")
    }
    let copy = ["copy", "Kitchen.sqlite", place.location, "--type"]
    try place.expect(copy + ["Recipe.titel: text"], 64, "did you mean Recipe.title?")
    try place.expect(copy + ["Recipe.title: varchar(9)"], 64, "the types are smallint")
    try place.expect(copy + ["Recipe.createdAt: timestamptz from noon"], 64, "timestamptz from unix")
    try place.expect(copy + ["Recipe.title"], 64, "write the type as")
    try place.expect(copy + ["Recipe.title: text", "--type", "recipe.TITLE: uuid"], 64, "more than once")
    #expect(try place.visible() == "")
  }
}
