internal import DecantBase
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The checkpoint of a copy, stored in the file being created.
///
/// Its tables are work tables, dropped before the file gets its final name.
struct FileCheckpoint: Checkpoint {
  let connection: Connection
  /// The circumstances that must be the same to resume the work.
  let circumstances: Circumstances

  static let tables = OwnTables.ofWork.filter { $0 != Rejects.table }

  /// Creates the checkpoint of a planned copy.
  ///
  /// - Parameters:
  ///   - connection: The connection that has the created file as `main`.
  ///   - planning: The plan, and the state of the source for which it was made.
  ///   - store: The state of the store that the file will replace; `nil` for a new one.
  init(connection: Connection, _ planning: any PlannedCopy, store: Fingerprint? = nil) {
    self.connection = connection
    circumstances = Circumstances([
      "plan": planning.planHash, "source": planning.fingerprint.description,
      // Commits are not synced, so that some may be lost in a system crash.
      "boot": Files.bootID, "store": store?.description ?? "",
    ])
  }

  /// Records the sums of tables before the copy in which copied rows cannot be told apart by a key.
  package func record(_ sums: ProofSums) throws(SQLiteError) {
    // All or none: a resumed run computes them again if they are missing.
    try connection.transaction { () throws(SQLiteError) in
      for (step, codes) in sums {
        guard let sum = codes[0] else { continue }
        try connection.run("INSERT INTO main.decant_run VALUES (?1, ?2)", .text("sum " + step), .text(sum.stored))
      }
      try connection.run("INSERT INTO main.decant_run VALUES ('sums', 'yes')")
    }
  }

  /// Returns the sums written by `record`; `nil` if there are none.
  package func sums() throws(SQLiteError) -> ProofSums? {
    guard try connection.text("SELECT value FROM main.decant_run WHERE key = 'sums'") != nil else {
      return nil
    }
    var sums: ProofSums = [:]
    try connection.forEachRow("SELECT substr(key, 5), value FROM main.decant_run WHERE key LIKE 'sum %'") { row in
      sums[row.text(at: 0) ?? ""] = RowHash.Sum(stored: row.text(at: 1) ?? "").map { [0: $0] }
    }
    return sums
  }

  /// Creates the work tables and records the circumstances.
  func create() throws(SQLiteError) {
    try FileCheckpoint.createTables(on: connection)
    try recordCircumstances()
  }

  /// Records the circumstances; from then on there is an unfinished copy.
  func recordCircumstances() throws(SQLiteError) {
    for (key, value) in circumstances.values {
      try connection.run("INSERT INTO main.decant_run VALUES (?1, ?2)", .text(key), .text(value))
    }
  }

  /// Returns the names of the circumstances that differ from those of the unfinished copy.
  func differences() throws(SQLiteError) -> [String] {
    try circumstances.differences { key throws(SQLiteError) in
      try connection.text("SELECT value FROM main.decant_run WHERE key = ?1", .text(key))
    }
  }

  /// Returns the position up to which `step` is copied, and the number of rows written.
  package func position(of step: String) throws(SQLiteError) -> (position: RowPosition?, rows: Int64) {
    let statement = try connection.prepare("SELECT position, rows FROM main.decant_checkpoint WHERE step = ?1")
    try statement.bind(.text(step), at: 1)
    guard try statement.step() else { return (nil, 0) }
    return (RowPosition(statement.value(at: 0)), statement.integer(at: 1))
  }

  /// Records that `step` is copied up to `position`, in the batch's transaction.
  package func record(_ step: String, position: RowPosition, rows: Int64, links: [String: LinkCounts])
    throws(SQLiteError)
  {
    try connection.run(
      """
      INSERT INTO main.decant_checkpoint VALUES (?1, ?2, ?3)
      ON CONFLICT (step) DO UPDATE SET position = excluded.position, rows = excluded.rows
      """,
      .text(step),
      position.stored,
      .integer(rows)
    )
    for (relationship, counts) in links { try add(counts, to: relationship) }
  }

  /// Adds to the counts of a relationship's links.
  package func add(_ counts: LinkCounts, to relationship: String) throws(SQLiteError) {
    try connection.run(
      """
      INSERT INTO main.decant_links VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (relationship) DO UPDATE SET copied = copied + excluded.copied,
        cut = cut + excluded.cut, dangling = dangling + excluded.dangling
      """,
      .text(relationship),
      .integer(counts.copied),
      .integer(counts.cut),
      .integer(counts.dangling)
    )
  }

  /// Returns the links copied so far, by relationship.
  package func links() throws(SQLiteError) -> [String: LinkCounts] {
    var links: [String: LinkCounts] = [:]
    try connection.forEachRow("SELECT * FROM main.decant_links") { row in
      links[row.text(at: 0) ?? ""] = LinkCounts(
        copied: row.integer(at: 1),
        cut: row.integer(at: 2),
        dangling: row.integer(at: 3)
      )
    }
    return links
  }

  /// Records that counters, indexes and everything else besides the rows are finished.
  package func setFinished() throws(SQLiteError) {
    try connection.run("INSERT INTO main.decant_run VALUES ('finished', 'yes')")
  }

  /// Returns whether everything besides the rows is finished.
  package func isFinished() throws(SQLiteError) -> Bool {
    try connection.text("SELECT value FROM main.decant_run WHERE key = 'finished'") != nil
  }
}
