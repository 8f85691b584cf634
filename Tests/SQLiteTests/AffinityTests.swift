import DecantSQLite
import Testing

@Suite struct AffinityTests {
  /// Types of all kinds, with what makes one look like another.
  private static let types = [
    "", "INT", "INTEGER", "tinyint", "POINT", "CHARINT", "VARCHAR(9)", "nCLOB", "TextBlob", "BLOB",
    "REAL", "DOUBLE PRECISION", "floa", "DECIMAL(10,5)", "BOOLEAN", "DATETIME", "ANY", "ınt",
    "STRİNG",
  ]

  /// What SQLite itself makes of a number, a text of digits and a real of a column's.
  private static func kept(_ type: String, isStrict: Bool) throws -> [String] {
    let connection = try Connection(":memory:", mode: .create)
    try connection.run("CREATE TABLE t (x \(type)) \(isStrict ? "STRICT" : "")")
    try connection.run("INSERT INTO t VALUES (7), ('7'), (7.0), ('7.5')")
    var kinds: [String] = []
    try connection.forEachRow("SELECT typeof(x) FROM t ORDER BY rowid") { row in
      kinds.append(row.text(at: 0) ?? "")
    }
    return kinds
  }

  private static func kinds(_ affinity: Affinity) -> [String] {
    switch affinity {
    case .integer, .numeric: ["integer", "integer", "integer", "real"]
    case .real: ["real", "real", "real", "real"]
    case .text: ["text", "text", "text", "text"]
    case .blob: ["integer", "text", "real", "text"]
    }
  }

  @Test(arguments: types)
  func `a declared type is read as SQLite reads it`(type: String) throws {
    let affinity = Affinity(type, isStrict: false)
    #expect(try Self.kept(type, isStrict: false) == Self.kinds(affinity))
  }

  @Test func `in a strict table any value stays what it is`() throws {
    #expect(try Self.kept("Any", isStrict: true) == Self.kinds(Affinity("Any", isStrict: true)))
    #expect(Affinity("ANY", isStrict: false) == .numeric)
  }
}
