internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// Reading and validating the file.
extension KeptIDTable {
  private static let columns = ["entity", "source", "destination", "count", "outcome"]
  /// No model has more entities than this, so that a longer list is invalid.
  private static let entityLimit = 10_000

  /// Reads the rows of `file` into the temporary table; returns its data about the copy, and its entities.
  static func read(_ file: DatabaseFile, into connection: Connection) throws(DecantError)
    -> (about: [String: String], entities: [String: [String]])
  {
    do throws(SQLiteError) {
      let reader = try Connection(file.uri, mode: .readOnly)
      reader.setBusyTimeout(milliseconds: 5_000)
      let names = try reader.text("SELECT group_concat(name, ' ') FROM pragma_table_info('ids', 'main')")
      let list = columns.joined(separator: " ")
      let isMapped = names == list + " became"
      let about = try reader.integer(
        """
        SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name IN ('ids', 'about')
        """
      )
      guard names == list || isMapped, about == 2 else {
        throw SQLiteError(
          code: SQLiteError.corruptCode,
          message: "it has no table ids(\(columns.joined(separator: ", ")))"
        )
      }
      if let fault = try reader.text("PRAGMA main.quick_check(1)"), fault != "ok" {
        throw SQLiteError(code: SQLiteError.corruptCode, message: fault)
      }
      try check(reader, isMapped)
      try fill(connection, from: reader, isMapped)
      return (try Self.about(reader), try entities(reader, isMapped))
    } catch {
      throw DecantError(opening: file.path, error)
    }
  }

  /// Returns the table's data about the copy.
  private static func about(_ reader: Connection) throws(SQLiteError) -> [String: String] {
    var about: [String: String] = [:]
    try reader.forEachRow(
      """
      SELECT key, value FROM about
      WHERE key IN ('source.uuid', 'destination.uuid', 'destination.place', 'plan', 'time')
      """
    ) { row in
      about[row.text(at: 0) ?? ""] = row.text(at: 1, byteLimit: 1_000)
    }
    return about
  }

  /// Returns the entities of the table, each with the entities its objects became.
  private static func entities(_ reader: Connection, _ isMapped: Bool) throws(SQLiteError) -> [String: [String]] {
    var entities: [String: [String]] = [:]
    try reader.forEachRow(
      """
      SELECT DISTINCT entity, \(isMapped ? "coalesce(became, '')" : "''") FROM ids
      LIMIT \(entityLimit + 1)
      """
    ) { row in
      entities[row.text(at: 0) ?? "", default: []].append(row.text(at: 1) ?? "")
    }
    guard entities.count <= entityLimit else {
      throw SQLiteError(code: SQLiteError.corruptCode, message: "it lists more entities than a model can have")
    }
    return entities
  }

  /// Throws unless every row could have been written by a copy.
  private static func check(_ reader: Connection, _ isMapped: Bool) throws(SQLiteError) {
    let odd = try reader.integer(
      """
      SELECT rowid FROM ids WHERE typeof(entity) <> 'text' OR typeof(count) <> 'integer' OR count < 1
      OR typeof(source) NOT IN ('integer', 'text')
      OR typeof(destination) NOT IN ('integer', 'text', 'null')
      OR (typeof(source) = 'integer' AND typeof(source + count) <> 'integer')
      OR (typeof(destination) = 'integer' AND typeof(destination + count) <> 'integer')
      OR (count > 1 AND (typeof(source) <> 'integer' OR typeof(destination) = 'text'))
      LIMIT 1
      """
    )
    if let odd {
      throw SQLiteError(code: SQLiteError.corruptCode, message: "row \(odd) of ids is not one that a copy writes")
    }
    // Two rows for one object would map it to two objects.
    let became = isMapped ? "became" : "NULL"
    let doubled = try reader.integer(
      """
      SELECT EXISTS (SELECT 1 FROM (
        SELECT source, lag(CASE typeof(source) WHEN 'integer' THEN source + count - 1 ELSE source END)
          OVER (PARTITION BY entity, \(became), typeof(source) ORDER BY source) AS before
        FROM ids) WHERE before >= source)
      """
    )
    guard doubled == 0 else {
      throw SQLiteError(code: SQLiteError.corruptCode, message: "rows of ids overlap")
    }
  }

  private static func fill(_ connection: Connection, from reader: Connection, _ isMapped: Bool) throws(SQLiteError) {
    // `root` is the root entity in the destination.
    try connection.run(
      """
      CREATE TEMP TABLE decant_kept_ids
        (entity TEXT, became TEXT, root TEXT, source, destination, count INTEGER, outcome TEXT)
      """
    )
    try connection.transaction { () throws(SQLiteError) in
      let insertion = try connection.prepare("INSERT INTO \(table) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
      try reader.forEachRow(
        """
        SELECT entity, \(isMapped ? "coalesce(became, '')" : "''"),
          \(isMapped ? "coalesce(became, entity)" : "entity"), source, destination, count, outcome
        FROM ids
        """
      ) { row throws(SQLiteError) in
        for column in 0..<7 {
          try insertion.bind(row.value(at: column), at: column + 1)
        }
        defer { insertion.reset() }
        while try insertion.step() {}
      }
      try connection.run("CREATE INDEX temp.decant_kept_by_source ON decant_kept_ids (entity, became, source)")
      try connection.run("CREATE INDEX temp.decant_kept_by_destination ON decant_kept_ids (root, destination)")
      try connection.run(
        """
        CREATE TEMP TABLE decant_given_keys AS
        SELECT root, destination AS first,
          max(destination + count) OVER (PARTITION BY root ORDER BY destination) AS beyond
        FROM decant_kept_ids WHERE typeof(destination) = 'integer'
        """
      )
      try connection.run("CREATE INDEX temp.decant_given_by_key ON decant_given_keys (root, first)")
    }
  }

  static func damaged(_ path: String, _ message: String, _ error: DecantError) -> DecantError {
    DecantError(
      .damaged,
      "cannot read “\(path)” as an ID table: \(message)",
      place: "\(option: .ids)",
      remedy: "pass the file that copy \(option: .keepIDs) wrote",
      cause: error
    )
  }
}
