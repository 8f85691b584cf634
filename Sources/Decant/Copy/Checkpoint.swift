internal import SQLite

/// How far a copy has come, kept in the destination and committed with the rows it speaks of.
///
/// A kill at any instant therefore loses at most the batch in flight, and going on copies every row
/// exactly once. The tables are work tables: they are dropped in the last transaction.
struct Checkpoint {
  let connection: Connection
  /// What must be the same for the work to go on.
  let circumstances: [String: String]

  static let tables = ["decant_run", "decant_checkpoint", "decant_links", "decant_ids"]

  /// The checkpoint of a copy as it is planned.
  ///
  /// - Parameters:
  ///   - connection: The one that has the destination as `main`.
  ///   - planning: The plan, and the state of the source it was made for.
  ///   - isDurable: Whether every commit is on the disk; otherwise a machine that went down may have
  ///     lost some, and the copy is begun anew.
  init(connection: Connection, _ planning: Planning, isDurable: Bool) {
    self.connection = connection
    var circumstances = [
      "plan": planning.plan.hash, "source": planning.fingerprint.description,
    ]
    if !isDurable { circumstances["boot"] = Files.bootID }
    self.circumstances = circumstances
  }

  /// Whether `schema` holds an unfinished copy.
  static func exists(in schema: String, on connection: Connection) throws(SQLiteError) -> Bool {
    guard try names(in: schema, on: connection).isSuperset(of: tables) else { return false }
    return try !isOnlyPrepared(schema, on: connection)
  }

  /// Whether the work tables in `schema` say how the store kept its journal, and nothing of any copy yet.
  private static func isOnlyPrepared(_ schema: String, on connection: Connection)
    throws(SQLiteError) -> Bool
  {
    // A table of an app's own that has the name may have any columns.
    let columns = "SELECT group_concat(name) FROM pragma_table_info('decant_run', ?1)"
    guard try connection.text(columns, .text(schema)) == "key,value" else { return false }
    let keys = "SELECT group_concat(key) FROM \(schema.sqlName).decant_run"
    return try connection.text(keys) == "journal"
  }

  /// Says that the store at `place` holds an unfinished copy, to somebody who does not mean to complete
  /// it.
  static func unfinished(_ place: String) -> DecantError {
    DecantError(
      .failed,
      "“\(place)” holds a part of a copy that was cut off",
      place: "tables decant_…",
      remedy:
        "say --commit batch --resume to complete it, or put the backup back that was made before"
    )
  }

  /// Throws if an app has a table with the name of a work table: it must be neither used nor dropped.
  static func checkNames(on connection: Connection, place: String) throws(DecantError) {
    let taken = try explaining("cannot read “\(place)”") { () throws(SQLiteError) in
      try names(in: "main", on: connection)
    }
    guard let name = taken.min() else { return }
    throw DecantError(
      .failed,
      "“\(place)” has a table \(name) of its own, which is the name of a work table",
      remedy: "copy everything into a new store, without --where, --resume, --on-error and --commit"
    )
  }

  /// The tables in `schema` that have a work table's name.
  private static func names(in schema: String, on connection: Connection) throws(SQLiteError)
    -> Set<
      String
    >
  {
    var names: Set<String> = []
    let list = (tables + [Rejects.table]).map(\.sqlText).joined(separator: ", ")
    try connection.forEachRow(
      "SELECT lower(name) FROM \(schema.sqlName).sqlite_schema WHERE lower(name) IN (\(list))"
    ) { row in
      names.insert(row.text(at: 0) ?? "")
    }
    return names
  }

  /// Returns the keys that the destination had handed out before the unfinished copy in `schema`, or
  /// `nil` where there is none.
  static func counters(in schema: String, on connection: Connection) throws(SQLiteError) -> [String:
    Int64]?
  {
    guard try exists(in: schema, on: connection) else { return nil }
    var counters: [String: Int64] = [:]
    try connection.forEachRow("SELECT entity, counter FROM \(schema.sqlName).decant_ids") { row in
      counters[row.text(at: 0) ?? ""] = row.integer(at: 1)
    }
    return counters
  }

  /// Whether the unfinished copy in `main` was begun before the machine was started the last time.
  ///
  /// What was not synced may be gone then, whatever the checkpoint says.
  static func isFromEarlierBoot(on connection: Connection) throws(SQLiteError) -> Bool {
    let boot = try connection.text("SELECT value FROM main.decant_run WHERE key = 'boot'")
    return boot != Files.bootID
  }

  /// Throws, in words, if anything differs.
  func refuse(_ differences: [String], place: String) throws(DecantError) {
    guard !differences.isEmpty else { return }
    let what =
      differences.contains("plan")
      ? "it was begun with other options or another model"
      : differences.contains("source")
        ? "the source has changed since it was begun" : "the machine was restarted since"
    throw DecantError(
      .failed,
      "cannot resume the copy to “\(place)”: \(what)",
      remedy: differences.contains("boot") || circumstances["boot"] != nil
        ? "say --restart to start over; nothing is at the place itself yet"
        : "put the backup back that was made before, and run the copy anew"
    )
  }

  /// Writes down the keys that had been handed out before.
  func record(counters: [String: Int64]) throws(SQLiteError) {
    for (entity, counter) in counters {
      try connection.run(
        "INSERT INTO main.decant_ids VALUES (?1, ?2)",
        .text(entity),
        .integer(counter)
      )
    }
  }

  /// Writes down what tables held before the copy in which no key tells its rows.
  func record(_ sums: CopyProof.Sums) throws(SQLiteError) {
    // All or none: a resumed run takes them again where they are not there.
    try connection.transaction { () throws(SQLiteError) in
      for (step, codes) in sums {
        guard let sum = codes[0] else { continue }
        try connection.run(
          "INSERT INTO main.decant_run VALUES (?1, ?2)",
          .text("sum " + step),
          .text(sum.stored)
        )
      }
      try connection.run("INSERT INTO main.decant_run VALUES ('sums', 'yes')")
    }
  }

  /// Returns what `record` wrote down; `nil` where nothing was.
  func sums() throws(SQLiteError) -> CopyProof.Sums? {
    guard try connection.text("SELECT value FROM main.decant_run WHERE key = 'sums'") != nil else {
      return nil
    }
    var sums: CopyProof.Sums = [:]
    try connection.forEachRow(
      "SELECT substr(key, 5), value FROM main.decant_run WHERE key LIKE 'sum %'"
    ) { row in
      sums[row.text(at: 0) ?? ""] = RowHash.Sum(stored: row.text(at: 1) ?? "").map { [0: $0] }
    }
    return sums
  }

  /// Returns how the store kept its journal before.
  private static func journalMode(on connection: Connection) throws(SQLiteError) -> String? {
    let mode = try connection.text("SELECT value FROM main.decant_run WHERE key = 'journal'")
    return mode.flatMap { ["wal", "delete", "truncate", "persist"].contains($0) ? $0 : nil }
  }

  /// Makes the work tables, with nothing in them but how the store keeps its journal.
  ///
  /// That has to be on the disk before another journal is taken, as nothing else tells it afterwards. Until
  /// the circumstances are written down there is no unfinished copy, only something to be cleared.
  static func prepare(journalMode: String, on connection: Connection) throws(SQLiteError) {
    try connection.transaction { () throws(SQLiteError) in
      try createTables(on: connection)
      try connection.run(
        "INSERT INTO main.decant_run VALUES ('journal', ?1)",
        .text(journalMode)
      )
    }
  }

  /// Clears what a run that was cut off had only prepared, and gives the store its journal back.
  static func clearPrepared(on connection: Connection) throws(SQLiteError) {
    guard try names(in: "main", on: connection).isSuperset(of: tables),
      try isOnlyPrepared("main", on: connection)
    else { return }
    try finish(on: connection)
  }

  /// Gives the store its journal back, and then drops the work tables, which say which it was.
  static func finish(on connection: Connection) throws(SQLiteError) {
    if let mode = try journalMode(on: connection) {
      _ = try connection.text("PRAGMA main.journal_mode = \(mode)")
    }
    try connection.transaction { () throws(SQLiteError) in
      for table in tables + [Rejects.table] {
        try connection.run("DROP TABLE IF EXISTS main.\(table)")
      }
    }
  }

  /// Makes the work tables and writes down the circumstances.
  func create() throws(SQLiteError) {
    try Checkpoint.createTables(on: connection)
    try recordCircumstances()
  }

  /// Writes down the circumstances: from then on there is an unfinished copy.
  func recordCircumstances() throws(SQLiteError) {
    for (key, value) in circumstances {
      try connection.run("INSERT INTO main.decant_run VALUES (?1, ?2)", .text(key), .text(value))
    }
  }

  private static func createTables(on connection: Connection) throws(SQLiteError) {
    try connection.run("CREATE TABLE main.decant_run (key TEXT PRIMARY KEY, value TEXT)")
    try connection.run(
      "CREATE TABLE main.decant_checkpoint (step TEXT PRIMARY KEY, position, rows INTEGER)"
    )
    try connection.run(
      """
      CREATE TABLE main.decant_links (
        relationship TEXT PRIMARY KEY, copied INTEGER, cut INTEGER, dangling INTEGER)
      """
    )
    try connection.run("CREATE TABLE main.decant_ids (entity TEXT PRIMARY KEY, counter INTEGER)")
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
  func position(of step: String) throws(SQLiteError) -> (position: RowPosition?, rows: Int64) {
    let statement = try connection.prepare(
      "SELECT position, rows FROM main.decant_checkpoint WHERE step = ?1"
    )
    try statement.bind(.text(step), at: 1)
    guard try statement.step() else { return (nil, 0) }
    return (RowPosition(statement.value(at: 0)), statement.integer(at: 1))
  }

  /// Writes down that `step` is copied up to `position`; part of the batch's transaction.
  func record(_ step: String, position: RowPosition, rows: Int64, links: [String: LinkCounts])
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
  func add(_ counts: LinkCounts, to relationship: String) throws(SQLiteError) {
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
  func links() throws(SQLiteError) -> [String: LinkCounts] {
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
  func setFinished() throws(SQLiteError) {
    try connection.run("INSERT INTO main.decant_run VALUES ('finished', 'yes')")
  }

  /// Whether everything beside the rows is done.
  func isFinished() throws(SQLiteError) -> Bool {
    try connection.text("SELECT value FROM main.decant_run WHERE key = 'finished'") != nil
  }
}
