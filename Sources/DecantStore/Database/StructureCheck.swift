package import DecantBase
package import DecantSQLite

/// A check of the structure of a database, page by page.
///
/// SQLite reads damaged databases silently: a page that lost its subtree makes a table shorter. Its own check finds
/// that; `IndexCheck` checks the content of indexes in less time.
package struct StructureCheck {
  private let connection: Connection
  private let schema: String

  /// The extent of the check.
  package enum Depth: Sendable {
    /// Tables and indexes, each separately: sufficient if no index is used for look-ups.
    case quick
    /// Also whether the indexes match the rows.
    case thorough
  }

  /// Prepares a check of the database attached as `schema`.
  package init(of schema: String, on connection: Connection) {
    self.schema = schema
    self.connection = connection.reader(of: schema)
  }

  /// Finds damage and describes it in SQLite's words.
  ///
  /// Values that a column should not contain are not damage: the row exists, and is copied unchanged.
  ///
  /// - Parameters:
  ///   - depth: The extent of the check.
  ///   - limit: The maximum number of findings.
  ///   - shared: The tables whose indexes another thread checks; it has to find them sound as well.
  ///   - tell: Receives the completed share, from 0 to 1.
  /// - Returns: The findings; none for a sound database.
  /// - Throws: `SQLiteError`.
  package func findings(
    _ depth: Depth,
    limit: Int,
    sharing shared: SharedTables? = nil,
    _ tell: (Double) -> Void = { _ in }
  ) throws(SQLiteError) -> [String] {
    tell(0)
    let quick = try findings("quick_check(\(StructureCheck.enough))", limit: limit)
    guard depth == .thorough, quick.isEmpty else { return quick }
    tell(0.5)
    let indexes = IndexCheck(connection: connection, schema: schema, shared: shared)
    guard try !indexes.isSound({ tell(0.5 + 0.5 * $0) }), shared?.takeAll() != false else { return [] }
    return try slowFindings(limit: limit)
  }

  /// Returns SQLite's findings, for indexes that `IndexCheck` does not find sound: only SQLite can say what is wrong,
  /// or whether anything is.
  package func slowFindings(limit: Int) throws(SQLiteError) -> [String] {
    // This looks up rows in the order of other indexes, all over the file.
    try connection.takeCacheForReading(schema)
    return try findings("integrity_check(\(StructureCheck.enough))", limit: limit)
  }

  /// Checks the indexes of tables that no other thread has taken; returns whether they are sound.
  package func areIndexesSound(sharing shared: SharedTables) throws(SQLiteError) -> Bool {
    try IndexCheck(connection: connection, schema: schema, shared: shared).isSound()
  }

  /// More findings than are reported, so that ignored findings do not hide others.
  private static let enough = 1_000_000

  /// Returns whether a finding is only about a value that violates a rule of its table.
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
      // The check itself may fail at the damage that it has just reported; the findings say more than the error.
      guard error.isCorrupt, !findings.isEmpty else { throw error }
    }
    return Array(findings.prefix(limit))
  }

  /// Throws if the database at `place` is damaged; `tell` receives the completed share, from 0 to 1.
  package func run(_ depth: Depth, place: String, _ tell: (Double) -> Void = { _ in }) throws(DecantError) {
    let findings = try explaining("cannot read “\(place)”") { () throws(SQLiteError) in
      try self.findings(depth, limit: 3, tell)
    }
    try StructureCheck.report(findings, place)
  }

  /// Throws if one of `tables` or its indexes is damaged; a small database at `place` is checked completely.
  ///
  /// A check of single tables cannot find lost pages. `tell` receives the completed share, from 0 to 1.
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

  /// The size up to which a database is checked completely while a user waits: for 400 MB, cached in memory, that takes
  /// 0.3 s of processor time, and seconds on a busy machine.
  package static let smallByteCount: Int64 = 64 << 20

  /// Throws if there are `findings` of the database at `place`.
  package static func report(_ findings: [String], _ place: String) throws(DecantError) {
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

  /// Returns whether all `findings` are about indexes: then the rows are still in their table.
  package static func isOnlyOfIndexes(_ findings: [String]) -> Bool {
    findings.allSatisfy { $0.contains("index") && !$0.contains("page") }
  }
}
