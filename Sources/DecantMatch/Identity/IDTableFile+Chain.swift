package import DecantBase
internal import DecantStore
internal import DecantSQLite

extension IDTableFile {
  /// Writes the composition of several ID tables: from the first copy's objects to the last copy's destination.
  ///
  /// The source of each copy is the destination of the one before. An object that a later copy left out is missing, as
  /// is one that the first left out.
  package func write(chain tables: [String]) throws(DecantError) {
    remove()
    do throws(DecantError) {
      try makePartial()
      try explaining("cannot write the ID table “\(path)”") { () throws(SQLiteError) in
        try writeChain(tables)
      }
      try publish()
    } catch {
      remove()
      throw error
    }
  }

  private func writeChain(_ tables: [String]) throws(SQLiteError) {
    let connection = try Connection(DatabaseFile.uri(of: partial, "mode=rw"), mode: .readWrite)
    try connection.run(
      """
      CREATE TABLE ids (
        entity TEXT NOT NULL, source, destination, count INTEGER NOT NULL, outcome TEXT NOT NULL, became TEXT)
      """
    )
    try connection.run("CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT)")
    try connection.run("CREATE TEMP TABLE chain AS SELECT * FROM ids")
    for (number, table) in tables.enumerated() {
      try connection.attach(DatabaseFile.uri(of: table, "mode=ro"), as: "step")
      try connection.run("CREATE TEMP TABLE next AS SELECT * FROM main.ids")
      try connection.run("INSERT INTO next \(number == 0 ? IDTableFile.first : IDTableFile.joined)")
      try connection.run("DROP TABLE temp.chain")
      try connection.run("ALTER TABLE temp.next RENAME TO chain")
      try connection.run("CREATE INDEX temp.ends ON chain (became, destination)")
      // Takes the facts on the source from the first copy, and those on the destination from the last.
      try connection.run(
        "INSERT OR REPLACE INTO main.about SELECT * FROM step.about "
          + (number == 0 ? "" : "WHERE key NOT LIKE 'source.%' AND key NOT LIKE 'link %'")
      )
      try connection.detach("step")
    }
    try connection.run("INSERT INTO main.ids SELECT * FROM chain ORDER BY entity, source, became")
  }

  private static let first =
    "SELECT entity, source, destination, count, outcome, became FROM step.ids"

  /// The intersection of the runs so far with those of the next table, and the runs that ended before.
  private static let joined = """
    SELECT a.entity, a.source + max(a.destination, b.source) - a.destination,
      b.destination + max(a.destination, b.source) - b.source,
      min(a.destination + a.count, b.source + b.count) - max(a.destination, b.source), b.outcome, b.became
    FROM step.ids AS b JOIN temp.chain AS a ON a.became = b.entity
      AND a.destination < b.source + b.count AND a.destination + a.count > b.source
    UNION ALL SELECT * FROM temp.chain WHERE destination IS NULL
    """
}
