package import DecantBase
package import DecantPlan
internal import DecantStore
package import DecantSQLite

/// A plain SQLite database to write to: an existing one, or a new one like its source.
package struct PlainDestination: DestinationStore {
  package let about: DestinationDescription
  let path: String
  let schema: PlainSchema
  let leftOutTables: [String]
  /// Whether virtual tables are copied unchanged, with their shadow tables, because every row keeps its key.
  let carriesVirtualTables: Bool
  /// The columns, by table, that a new database has after the other ones, in a temporary database; all names are folded.
  package var lastColumns: [String: Set<String>] = [:]
  /// Virtual tables that triggers update while rows are added.
  let triggered: Set<String>

  /// Plans a new database at `path` with the tables of `source`.
  package init(new path: String, like source: PlainSource, options: CopyOptions) {
    carriesVirtualTables = !options.choosesObjects && options.onError == .stop
    var layout = source.layout
    for index in layout.relations.indices {
      layout.relations[index].isFilledByTriggers =
        carriesVirtualTables && source.file.schema.table(layout.relations[index].table)?.virtual != nil
    }
    if !carriesVirtualTables { layout.plainTables = [] }
    layout.plainTables.removeAll { table in
      options.leftOutTables.contains { table.name.foldedName.hasPrefix($0.foldedName + "_") }
    }
    self.path = path
    let schema = source.file.schema
    self.schema = schema
    var about = DestinationDescription(
      StoreIdentity(kind: PlainKind.name, place: path, terms: .rows),
      at: .file(path),
      isNew: true,
      model: source.model,
      layout: layout
    )
    about.canAdoptPages = !schema.tables.contains { $0.mayLoseRowIDs || $0.mayLoseOrder(schema) }
    self.about = about
    leftOutTables = options.leftOutTables
    triggered = []
  }

  /// Opens an existing database for the rows of `source`.
  ///
  /// Links of the source are links here as well: the same column cannot mean two things. Without a source the rows come
  /// from a mapping, which defines their meaning.
  package init(existing file: PlainFile, for source: PlainSource?, options: CopyOptions) throws(DecantError) {
    var schema = file.schema
    for relation in source?.layout.relations ?? [] {
      guard let table = schema.table(relation.root) else { continue }
      for column in relation.columns {
        guard let target = column.targetRoot, !column.isConditional,
          table.column(column.name) != nil, schema.table(target) != nil
        else { continue }
        schema.links.append(CopyOptions.Link(Property(table.name, column.name), to: target))
      }
    }
    if let collation = schema.unknownCollations.first {
      throw DecantError(
        .unknownCollation,
        "“\(file.database.path)” is sorted by \(collation)",
        place: "its indexes would not find the added rows",
        remedy:
          "let the app itself import the rows; decant can inspect such a database and copy "
          + "it as a whole"
      )
    }
    schema.findValueKeys()
    if let source { try PlainDestination.checkKeys(of: source.file, schema, file) }
    for table in source?.file.schema.tables ?? [] {
      guard case .unreadable(let reason) = table.virtual?.content else { continue }
      throw DecantError(
        .unsupportedContent,
        "cannot add the rows of the virtual table \(table.name): \(reason)",
        remedy: "use \(say: .leaveOut, table.name) to exclude it"
      )
    }
    let read = PlainLayout(schema)
    carriesVirtualTables = false
    path = file.database.path
    self.schema = schema
    leftOutTables = options.leftOutTables
    let triggers = try TriggerList(file)
    let depths = options.firesTriggers ? triggers.depths(among: schema.tables) : [:]
    let virtual = schema.tables.filter { $0.virtual != nil }
    triggered = options.firesTriggers ? Set(triggers.adding(to: virtual).keys) : []
    var layout = read.layout
    for index in layout.relations.indices {
      let table = layout.relations[index].table
      layout.relations[index].isFilledByTriggers = triggered.contains(table)
      layout.relations[index].triggerDepth = depths[table] ?? 0
      layout.relations[index].leavesConflictsToTriggers =
        options.firesTriggers && triggers.all.contains { $0.table.isSameName(as: table) }
        && schema.table(table)?.resolvesConflicts == false
    }
    var about = DestinationDescription(
      StoreIdentity(kind: PlainKind.name, place: path, terms: .rows),
      at: .file(path),
      isNew: false,
      model: read.model,
      layout: layout
    )
    about.firesTriggers = options.firesTriggers
    if options.firesTriggers {
      about.addingTriggers = triggers.adding(to: schema.tables.filter { $0.virtual == nil })
      about.removingTriggers = triggers.removing(from: schema.tables.filter { $0.virtual == nil })
    }
    about.notes = PlainDestination.notes(triggers, schema.tables, triggered, options)
    self.about = about
  }

  /// Throws if a column is the key of a table in one database only: its numbers would be lost, and links to it would
  /// lead nowhere.
  private static func checkKeys(of source: PlainFile, _ schema: PlainSchema, _ file: PlainFile) throws(DecantError) {
    for theirs in source.schema.tables where theirs.virtual == nil {
      guard let ours = schema.table(theirs.name), ours.virtual == nil,
        !source.schema.valueKeyTables.contains(theirs.name), !schema.valueKeyTables.contains(ours.name)
      else { continue }
      let key = source.schema.key(of: theirs).flatMap { $0.isShown ? $0.column : nil }
      let other = schema.key(of: ours).flatMap { $0.isShown ? $0.column : nil }
      if let key, let column = ours.column(key), other.map(column.name.isSameName) != true,
        let own = theirs.column(key), try hasValues(own, theirs, source)
      {
        throw try keysDiffer(key, in: source, theirs.name, column, ours, other, in: file)
      } else if key == nil, let other, let column = theirs.column(other),
        try hasValues(column, theirs, source)
      {
        throw try keysDiffer(other, in: file, ours.name, column, theirs, key, in: source)
      }
    }
  }

  private static func hasValues(_ column: ColumnSchema, _ table: TableSchema, _ file: PlainFile)
    throws(DecantError) -> Bool
  {
    let reader = try file.database.reader()
    return try explaining("cannot read “\(file.database.path)”") { () throws(SQLiteError) in
      let rows = "main.\(table.name.sqlName) WHERE \(column.name.sqlName) IS NOT NULL"
      return try reader.integer("SELECT EXISTS (SELECT 1 FROM \(rows))") == 1
    }
  }

  private static func keysDiffer(
    _ key: String,
    in one: PlainFile,
    _ name: String,
    _ column: ColumnSchema,
    _ table: TableSchema,
    _ other: String?,
    in another: PlainFile
  ) throws(DecantError) -> DecantError {
    let reader = try another.database.reader()
    let fault = try explaining("cannot read “\(another.database.path)”") { () throws(SQLiteError) in
      try PlainFile.fault(of: column, in: table, reader)
    }
    return DecantError(
      .modelsDiffer,
      "the key of \(name) is \(key) in “\(one.database.path)”, but not in “\(another.database.path)”",
      place: "\(other.map { "there it is \($0)" } ?? fault ?? "it is a \(column.declaredType) there")",
      remedy: "give each row there an integer of its own in \(column.name), or map the data in a mapping file: "
        + "\(say: .mapping)"
    )
  }

  static func notes(
    _ triggers: TriggerList,
    _ tables: [TableSchema],
    _ triggered: Set<String>,
    _ options: CopyOptions
  ) -> [ReportNote] {
    guard !triggers.all.isEmpty else { return [] }
    let count = Int64(triggers.all.count).counted("trigger")
    guard options.firesTriggers else {
      let kept = triggers.keptColumns(among: tables)
      let names = kept.prefix(10).joined(separator: ", ") + (kept.count > 10 ? ", …" : "")
      return [
        ReportNote(
          .triggersNotRun,
          "\(count) of the destination \(triggers.all.count == 1 ? "does" : "do") not run\(kept.isEmpty ? "" : ", so the values they would set are unchanged: \(names)")"
        )
      ]
    }
    return [
      ReportNote(
        .triggersRun,
        "\(count) of the destination \(triggers.all.count == 1 ? "runs" : "run") for the rows that are written")
    ]
      + (triggered.isEmpty
        ? []
        : [ReportNote(.triggersRun, "filled by triggers, not copied: \(triggered.sorted().joined(separator: ", "))")])
  }

  package func counters(in schema: String, on connection: Connection) throws(DecantError) -> [String: Int64] {
    try explaining("cannot read the keys of “\(path)”") { () throws(SQLiteError) in
      var counters: [String: Int64] = [:]
      func raise(_ root: String, _ key: Int64?) {
        guard let key else { return }
        counters[root] = max(counters[root] ?? key, key)
      }
      let sequences = try sequences(in: schema, on: connection)
      for relation in layout.relations {
        let table = relation.sqlTable(in: schema)
        if relation.keyColumn != nil {
          raise(relation.root, try connection.integer("SELECT max(\(relation.keyName)) FROM \(table)"))
          raise(relation.root, sequences[relation.table.foldedName])
        }
      }
      // A new object must not get the key that a dangling link points to.
      for link in layout.links {
        for end in link.ends {
          raise(end.root, try highest(end.key, in: link.sqlTable(in: schema), connection))
        }
      }
      return counters
    }
  }

  package func takenKeys(of root: String, in schema: String) -> [String]? {
    guard let relation = layout.relation(of: root), relation.keyColumn != nil,
      self.schema.table(relation.table)?.numbersOnce == false
    else { return nil }
    let own = "SELECT \(relation.keyName) AS k FROM \(relation.sqlTable(in: schema))"
    // A new object must not get the key that a dangling link points to.
    let links = layout.links.filter { $0.holder == root || $0.target == root }.flatMap { link in
      link.ends.filter { $0.root == root }.map { end in
        "SELECT \(end.key) AS k FROM \(link.sqlTable(in: schema)) WHERE typeof(\(end.key)) = 'integer'"
      }
    }
    return [own] + links
  }

  private func highest(_ key: String, in table: String, _ connection: Connection) throws(SQLiteError) -> Int64? {
    try connection.integer("SELECT max(\(key)) FROM \(table) WHERE typeof(\(key)) = 'integer'")
  }

  /// Returns the AUTOINCREMENT counters, by the table's folded name.
  private func sequences(in schema: String, on connection: Connection) throws(SQLiteError) -> [String: Int64] {
    var sequences: [String: Int64] = [:]
    guard try hasSequences(schema, connection) else { return sequences }
    try connection.forEachRow("SELECT name, seq FROM \(schema.sqlName).sqlite_sequence") { row in
      guard row.type(at: 1) == .integer else { return }
      sequences[(row.text(at: 0) ?? "").foldedName] = row.integer(at: 1)
    }
    return sequences
  }

  func hasSequences(_ schema: String, _ connection: Connection) throws(SQLiteError) -> Bool {
    try connection.integer("SELECT count(*) FROM \(schema.sqlName).sqlite_schema WHERE name = 'sqlite_sequence'") == 1
  }

  package func prepare(_ connection: Connection) throws(DecantError) {
    guard isNew else { return }
    // Rows that violate a constraint of their table, because they are older than it, are copied.
    try explaining("cannot turn off checks") { () throws(SQLiteError) in
      try connection.run("PRAGMA ignore_check_constraints = ON")
      if !layout.plainTables.isEmpty { try connection.allowShadowTables() }
    }
  }

  package func allocate(_ counters: [String: Int64], on connection: Connection) throws(DecantError) {
    // A new database has the source's counters, which its own rows increase as usual.
    guard !isNew else { return }
    try explaining("cannot write the counters of “\(path)”") { () throws(SQLiteError) in
      guard try hasSequences("main", connection) else { return }
      for (root, counter) in counters {
        guard let relation = layout.relation(of: root),
          let table = schema.table(relation.table), table.numbersOnce
        else { continue }
        try connection.run(
          "UPDATE main.sqlite_sequence SET seq = max(seq, ?1) WHERE name = ?2 COLLATE NOCASE",
          .integer(counter),
          .text(table.name)
        )
        guard connection.changeCount == 0 else { continue }
        try connection.run(
          "INSERT INTO main.sqlite_sequence (name, seq) VALUES (?1, ?2)",
          .text(table.name),
          .integer(counter)
        )
      }
    }
  }
}
