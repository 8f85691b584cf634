package import DecantBase
package import DecantSQLite

/// The structure of a database: that every page of it is where it belongs.
///
/// SQLite reads over many a damage without a word: a page that lost its subtree is a shorter table. Its
/// own check finds that; what its indexes hold, `IndexCheck` finds in less time.
package struct StructureCheck {
  private let connection: Connection
  private let schema: String

  /// How much is checked.
  package enum Depth: Sendable {
    /// Tables and indexes, each by itself: enough where nothing is looked up by an index.
    case quick
    /// Whether the indexes lead to the rows, too.
    case thorough
  }

  /// Checks what is attached as `schema`.
  package init(of schema: String, on connection: Connection) {
    self.schema = schema
    self.connection = connection.reader(of: schema)
  }

  /// Returns the first `limit` findings, in SQLite's words; none for a sound database.
  ///
  /// Values that a column should not hold are no damage: the row is there, and is copied as it is.
  /// `tell` is told how much is done, from 0 to 1.
  package func findings(
    _ depth: Depth,
    limit: Int,
    _ tell: (Double) -> Void = { _ in }
  ) throws(SQLiteError) -> [String] {
    tell(0)
    let quick = try findings("quick_check(\(StructureCheck.enough))", limit: limit)
    guard depth == .thorough, quick.isEmpty else { return quick }
    tell(0.5)
    let indexes = IndexCheck(connection: connection, schema: schema)
    if try indexes.isSound({ tell(0.5 + 0.5 * $0) }) { return [] }
    // What is wrong, or whether it is, only SQLite can say. It looks rows up in indexes that have
    // another order, all over the file.
    try connection.takeCacheForReading(schema)
    return try findings("integrity_check(\(StructureCheck.enough))", limit: limit)
  }

  /// Far more findings than are told, so that those passed over do not hide others.
  private static let enough = 1_000_000

  /// Whether a finding is only about a value that breaks a rule of its table.
  private static func isOfValue(_ finding: String) -> Bool {
    [
      "NULL value in ", "CHECK constraint failed in ", "non-", "TEXT value in ",
      "NUMERIC value in ",
    ]
    .contains { finding.hasPrefix($0) } && !finding.hasPrefix("non-unique")
  }

  private func findings(_ pragma: String, limit: Int) throws(SQLiteError) -> [String] {
    var findings: [String] = []
    do throws(SQLiteError) {
      try connection.longStep { () throws(SQLiteError) in
        try connection.forEachRow("PRAGMA \(schema.sqlName).\(pragma)") { row in
          guard findings.count < limit else { return }
          let lines = (row.text(at: 0) ?? "").split(separator: "\n").map { String($0) }
          findings += lines.filter {
            $0 != "ok" && !$0.hasPrefix("***") && !StructureCheck.isOfValue($0)
          }
        }
      }
    } catch {
      // The check itself may stumble over what it has just named; that says more than the error.
      guard error.isCorrupt, !findings.isEmpty else { throw error }
    }
    return Array(findings.prefix(limit))
  }

  /// Throws if the database, which lies at `place`, is damaged; `tell` is told how much is done, from 0 to 1.
  package func run(_ depth: Depth, place: String, _ tell: (Double) -> Void = { _ in }) throws(DecantError) {
    let findings = try explaining("cannot read “\(place)”") { () throws(SQLiteError) in
      try self.findings(depth, limit: 3, tell)
    }
    try StructureCheck.report(findings, place)
  }

  /// Throws if one of `tables` is damaged, of itself or in its indexes, in a large database at
  /// `place`; of a small one all is checked.
  ///
  /// What a table alone cannot tell is whether it has lost pages that nothing leads to any more. `tell` is told how much is
  /// done, from 0 to 1.
  package func run(
    on tables: [String],
    place: String,
    smallByteCount: Int64 = StructureCheck.smallByteCount,
    _ tell: (Double) -> Void = { _ in }
  ) throws(DecantError) {
    let findings = try explaining("cannot read “\(place)”") { () throws(SQLiteError) -> [String] in
      let pages = try connection.integer("PRAGMA \(schema.sqlName).page_count") ?? 0
      let pageSize = try connection.integer("PRAGMA \(schema.sqlName).page_size") ?? 0
      guard pages * pageSize > smallByteCount else {
        return try self.findings(.quick, limit: 3, tell)
      }
      var findings: [String] = []
      for (number, table) in tables.enumerated() where findings.isEmpty {
        tell(Double(number) / Double(tables.count))
        findings += try self.findings("quick_check(\(table.sqlText))", limit: 3)
      }
      return findings
    }
    try StructureCheck.report(findings, place)
  }

  /// Databases up to this size are checked as a whole where somebody waits for an answer: measured
  /// on 400 MB, with the file in memory, that takes 0.3 s of processor time and seconds of a busy
  /// machine.
  package static let smallByteCount: Int64 = 64 << 20

  private static func report(_ findings: [String], _ place: String) throws(DecantError) {
    guard let first = findings.first else { return }
    throw DecantError(
      .damaged,
      "“\(place)” is damaged: \(first)",
      place: findings.count > 1 ? "also: \(findings.dropFirst().joined(separator: "; "))" : nil,
      remedy: isOnlyOfIndexes(findings)
        ? "its indexes can be rebuilt: make a copy, then run \(shell: "sqlite3 COPY REINDEX", app: "REINDEX of SQLite on it")"
        : Rescue.remedy(place)
    )
  }

  /// Whether `findings` are of indexes alone: whatever an index has lost, the rows are still in their table.
  package static func isOnlyOfIndexes(_ findings: [String]) -> Bool {
    findings.allSatisfy { $0.contains("index") && !$0.contains("page") }
  }
}
