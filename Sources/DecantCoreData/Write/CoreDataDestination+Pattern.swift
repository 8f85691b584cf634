internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

extension CoreDataDestination {
  /// Returns the initial rows of `Z_PRIMARYKEY` of a store for the objects of `source`.
  ///
  /// Keys allocated in the source stay allocated, although numbers and tables are those of the pattern.
  static func entries(
    after pattern: StorePattern,
    for source: CoreDataSource?,
    as identityTransfer: IdentityTransfer?
  ) -> [Bookkeeping.Entry] {
    pattern.model.entities.map { entity in
      let parent = entity.superentity.flatMap { pattern.numbers[$0] } ?? 0
      // A plain database has no key counters; the counters of its original store may be in the pattern.
      let counter =
        if let identityTransfer {
          identityTransfer.counters[entity.name] ?? 0
        } else if let source {
          source.file.numbers[entity.name].flatMap { source.file.counters[$0] } ?? 0
        } else {
          pattern.counters[entity.name] ?? 0
        }
      return Bookkeeping.Entry(
        number: pattern.numbers[entity.name] ?? 0,
        name: entity.name,
        parent: parent,
        counter: parent == 0 ? counter : 0
      )
    }
  }

  /// Returns notes about what is not copied to a store made from `pattern`.
  static func notes(after pattern: StorePattern, for source: CoreDataSource?, isMapped: Bool) -> [ReportNote] {
    var notes = pattern.notes
    if pattern.modelCache?.isEmpty ?? true {
      notes.append(
        ReportNote(
          .modelNotStored,
          "the store does not contain its model",
          remedy: "pass it with \(say: .model)",
          after: ": "
        )
      )
    }
    guard let source else { return notes }
    let (here, there) = (source.file.traits.versionHashes, pattern.versionHashes)
    if !isMapped, !here.isEmpty, !there.isEmpty, here != there {
      notes.append(
        ReportNote(
          .otherVersion,
          "the template has a different model version than the source: only apps of that version can open the result"))
    }
    let left = SyncMetadata.names(in: source.file)
    if !left.isEmpty { notes.append(ReportNote(.syncMetadataNotCopied, "not copied: \(left.joined(separator: ", "))")) }
    return notes
  }

  /// Returns notes about the app's changes to Core Data's tables, which a store made from a pattern does not get.
  static func notesOnSchema(of source: CoreDataSource, after pattern: StorePattern) throws(DecantError) -> [ReportNote]
  {
    let tables = Set(
      (source.layout.relations.map(\.table) + source.layout.linkRelations.map(\.table)
        + CoreDataFile.books).map { $0.lowercased() }
    )
    let own = CoreDataNames(source.model)
    let there = Set(pattern.template.items.map { [$0.type, $0.name] })
    var names: [String] = []
    do throws(SQLiteError) {
      let connection = try Connection(source.file.database.uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      try connection.forEachRow(
        """
        SELECT type, name, tbl_name FROM sqlite_schema
        WHERE type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY name
        """
      ) { row in
        let (type, name) = (row.text(at: 0) ?? "", row.text(at: 1) ?? "")
        let table = (row.text(at: 2) ?? "").lowercased()
        guard tables.contains(table), !own.contains(name, of: table), !there.contains([type, name])
        else { return }
        names.append("\(type) \(name)")
      }
    } catch {
      throw DecantError(opening: source.file.database.path, error)
    }
    guard !names.isEmpty else { return [] }
    return [
      ReportNote(
        .schemaNotCopied, "not copied, because the tables are created from scratch: \(names.joined(separator: ", "))")
    ]
  }

  /// Creates the tables of a new store from `pattern`.
  func createTables(after pattern: StorePattern, on connection: Connection, source: String) throws(SQLiteError) {
    try pattern.settings.apply(to: connection)
    if isSourceCoreData {
      // Core Data does not use these numbers, so they are the app's.
      for pragma in ["user_version", "application_id"] {
        let own = try connection.integer("PRAGMA \(source.sqlName).\(pragma)") ?? 0
        if own != 0 { try connection.run("PRAGMA main.\(pragma) = \(own)") }
      }
    }
    let own = try sourceTemplate(source, connection)
    let template = pattern.template(with: layout, from: own, hasUnique: false)
    try template.checkSearchTables(of: layout)
    try connection.transaction { () throws(SQLiteError) in
      for table in template.tables { try connection.run(table.sql) }
      // Duplicates are rejected row by row, while the object still has a name.
      for index in template.uniqueIndexes { try connection.run(index.sql) }
      for entry in entries {
        try connection.run(
          "INSERT INTO main.Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, ?3, ?4)",
          .integer(entry.number),
          .text(entry.name),
          .integer(entry.parent),
          .integer(entry.counter)
        )
      }
      try metadata.write(on: connection)
      if isSourceCoreData { try copySequences(from: source, on: connection) }
      if let cache = pattern.modelCache, !cache.isEmpty {
        try connection.run("INSERT INTO main.Z_MODELCACHE (Z_CONTENT) VALUES (?1)", .blob(cache))
      }
    }
  }
}
