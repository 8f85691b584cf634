internal import DecantBase
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The checkpoint of a copy in the file that is made.
///
/// Its tables are work tables: they are dropped before the file gets its name.
struct FileCheckpoint: Checkpoint {
  let connection: Connection
  /// What must be the same for the work to go on.
  let circumstances: [String: String]

  static let tables = OwnTables.ofWork.filter { $0 != Rejects.table }

  /// The checkpoint of a copy as it is planned.
  ///
  /// - Parameters:
  ///   - connection: The one that has the file that is made as `main`.
  ///   - planning: The plan, and the state of the source it was made for.
  ///   - store: The state of the store that the file takes the place of; `nil` for a new one.
  init(connection: Connection, _ planning: any PlannedCopy, store: Fingerprint? = nil) {
    self.connection = connection
    circumstances = [
      "plan": planning.planHash, "source": planning.fingerprint.description,
      // Commits are not synced: a machine that went down may have lost some.
      "boot": Files.bootID, "store": store?.description ?? "",
    ]
  }

  /// Throws, in words, if anything differs.
  func refuse(_ differences: [String], place: String) throws(DecantError) {
    guard !differences.isEmpty else { return }
    let what =
      differences.contains("store")
      ? "the store was changed after the copy started"
      : differences.contains("plan")
        ? "the copy was started with other options or another model"
        : differences.contains("source")
          ? "the source was changed or replaced after the copy started"
          : "the machine was restarted after the copy started"
    throw DecantError(
      .resumeMismatch,
      "cannot resume the copy to “\(place)”: \(what)",
      remedy: circumstances["store"] == ""
        ? "use \(say: .restart) to start over; nothing was written to the destination yet"
        : "use \(say: .restart) to start over; nothing of the copy is in the store yet"
    )
  }

  /// Writes down what tables held before the copy in which no key tells its rows.
  package func record(_ sums: ProofSums) throws(SQLiteError) {
    // All or none: a resumed run takes them again where they are not there.
    try connection.transaction { () throws(SQLiteError) in
      for (step, codes) in sums {
        guard let sum = codes[0] else { continue }
        try connection.run("INSERT INTO main.decant_run VALUES (?1, ?2)", .text("sum " + step), .text(sum.stored))
      }
      try connection.run("INSERT INTO main.decant_run VALUES ('sums', 'yes')")
    }
  }

  /// Returns what `record` wrote down; `nil` where nothing was.
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

  /// Makes the work tables and writes down the circumstances.
  func create() throws(SQLiteError) {
    try FileCheckpoint.createTables(on: connection)
    try recordCircumstances()
  }

  /// Writes down the circumstances: from then on there is an unfinished copy.
  func recordCircumstances() throws(SQLiteError) {
    for (key, value) in circumstances {
      try connection.run("INSERT INTO main.decant_run VALUES (?1, ?2)", .text(key), .text(value))
    }
  }

  /// Returns what differs between the circumstances now and those of the unfinished copy.
  func differences() throws(SQLiteError) -> [String] {
    var differences: [String] = []
    for (key, value) in circumstances.sorted(by: { $0.key < $1.key }) {
      let then = try connection.text("SELECT value FROM main.decant_run WHERE key = ?1", .text(key))
      if then != value { differences.append(key) }
    }
    return differences
  }

  /// Returns up to where `step` is copied, and the rows written up to there.
  package func position(of step: String) throws(SQLiteError) -> (position: RowPosition?, rows: Int64) {
    let statement = try connection.prepare("SELECT position, rows FROM main.decant_checkpoint WHERE step = ?1")
    try statement.bind(.text(step), at: 1)
    guard try statement.step() else { return (nil, 0) }
    return (RowPosition(statement.value(at: 0)), statement.integer(at: 1))
  }

  /// Writes down that `step` is copied up to `position`; part of the batch's transaction.
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

  /// Adds to what is counted of a relationship's links.
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

  /// Notes that counters, indexes and everything else beside the rows are done.
  package func setFinished() throws(SQLiteError) {
    try connection.run("INSERT INTO main.decant_run VALUES ('finished', 'yes')")
  }

  /// Whether everything beside the rows is done.
  package func isFinished() throws(SQLiteError) -> Bool {
    try connection.text("SELECT value FROM main.decant_run WHERE key = 'finished'") != nil
  }
}
