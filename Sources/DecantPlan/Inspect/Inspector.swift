package import DecantBase
package import DecantStore
internal import DecantSQLite

/// A reader of stores for `Inspection`: every table is read once, and links are looked up at the other end; or its rows
/// are only counted.
///
/// SQLite does all counting, so that memory use does not grow with the store.
package struct Inspector {
  /// The schema of the attached store.
  private static let schema = "source"

  private let source: any SourceStore
  private let cancellation: Cancellation
  private let connection: Connection
  private let depth: StructureCheck.Depth?

  /// Attaches `source` to a new connection.
  ///
  /// `depth` is the extent of the structure check; without it only objects and rows are counted.
  package init(
    _ source: any SourceStore,
    _ depth: StructureCheck.Depth?,
    _ cancellation: Cancellation
  ) throws(DecantError) {
    (self.source, self.depth, self.cancellation) = (source, depth, cancellation)
    connection = try explaining("cannot open a database in memory") { () throws(SQLiteError) in
      let connection = try Connection(":memory:", mode: .create)
      try connection.run("PRAGMA encoding = \(source.textEncoding.sqlText)")
      connection.setBusyTimeout(milliseconds: 2_000)
      return connection
    }
    connection.setProgressCheck(StopCheck(cancellation))
    try source.attach(to: connection, as: Inspector.schema)
  }

  /// Reads everything, in one read transaction.
  package func inspection(_ tell: (WorkEvent) -> Void) throws(DecantError) -> Inspection {
    try reading { () throws(SQLiteError) in try connection.run("BEGIN") }
    let checkProblems = try structureProblems()
    let facts = try source.facts(on: connection, schema: Inspector.schema)
    let isComplete = depth != nil
    var census = Census(model: source.model, layout: source.layout, isComplete: isComplete)
    tell(.began(.resolve))
    // The progress itself counts all rows.
    var progress = isComplete ? try TableProgress(source.layout, in: Inspector.schema, on: connection) : nil
    for relation in source.layout.relations {
      if let event = progress?.begin(relation.root, in: relation.table) { tell(event) }
      try cancellation.check()
      try count(relation, progress?.rowCounts ?? [:], into: &census)
    }
    for links in source.layout.linkRelations where isComplete {
      if let event = progress?.begin(links.relationship.description, in: links.table) { tell(event) }
      try cancellation.check()
      try count(links, into: &census)
    }
    tell(.began(.check))
    try cancellation.check()
    for link in source.layout.nonIntegerKeys where isComplete && source.unknownCollations.isEmpty {
      try count(link, into: &census)
    }
    let externalFiles = isComplete ? try self.externalFiles() : []
    for files in externalFiles { census.add(files) }
    census.shareLinksWithInverses()
    census.nameFaults()
    let identities = Identities(
      model: source.model,
      layout: source.layout,
      schema: Inspector.schema,
      connection: connection,
      canCompare: source.unknownCollations.isEmpty
    )
    var entities = census.entities
    for index in entities.indices where isComplete {
      entities[index].identityCandidates = try reading { () throws(SQLiteError) in
        try identities.candidates(of: entities[index].name, census)
      }
    }
    let problems = isComplete ? checkProblems + census.problems + facts.problems : []
    var identity = source.identity
    if let container = facts.container { identity.kind = container.kind }
    let inspection = Inspection(
      identity: identity,
      size: try size(externalFiles, in: facts.container),
      versionIdentifiers: source.model.versionIdentifiers.filter { !$0.isEmpty },
      entities: entities,
      knowsLinks: source.modelGap == nil,
      isComplete: isComplete,
      externalFiles: externalFiles.filter { $0.referenceCount > 0 },
      facts: facts,
      otherTables: try otherTables(),
      triggerCount: try number("SELECT count(*) FROM source.sqlite_schema WHERE type = 'trigger'"),
      isSound: checkProblems.isEmpty,
      problems: problems,
      notes: source.notes + WorkFolder.notes(on: source.path)
        + source.unknownCollations.map {
          ReportNote(
            .unknownCollation,
            "sorted by \($0): the store can be copied as a whole and compared, but its indexes cannot be checked, "
              + "and nothing can be merged into it"
          )
        }
    )
    try reading { () throws(SQLiteError) in try connection.run("COMMIT") }
    return inspection
  }

  private func count(_ relation: Relation, _ rowCounts: [String: Int64], into census: inout Census) throws(DecantError)
  {
    let counts = EntityCounts(
      relation: relation,
      layout: source.layout,
      model: source.model,
      schema: Inspector.schema,
      countsObjectsOnly: depth == nil,
      rowCounts: rowCounts
    )
    try reading { () throws(SQLiteError) in try counts.count(on: connection, into: &census) }
  }

  private func count(_ links: LinkRelation, into census: inout Census) throws(DecantError) {
    let counts = LinkTableCounts(links: links, layout: source.layout, model: source.model, schema: Inspector.schema)
    try reading { () throws(SQLiteError) in try counts.count(on: connection, into: &census) }
  }

  private func count(_ link: NonIntegerKey, into census: inout Census) throws(DecantError) {
    guard let targets = NonIntegerKeyTargets(link, in: source.layout, schema: Inspector.schema),
      let relation = source.layout.relation(of: link.root)
    else { return }
    let found = try reading { () throws(SQLiteError) -> (all: Int64, there: Int64) in
      let row = try connection.prepare(
        """
        SELECT count(*), coalesce(sum(\(targets.exists(for: "o"))), 0)
        FROM \(relation.sqlTable(in: Inspector.schema)) AS o WHERE \(targets.isSet(in: "o"))
        """
      )
      return try row.step() ? (row.integer(at: 0), row.integer(at: 1)) : (0, 0)
    }
    census.addLinks(found.there, dangling: found.all - found.there, of: link.relationship)
  }

  private func otherTables() throws(DecantError) -> [OtherTable] {
    var tables: [OtherTable] = []
    for table in source.layout.plainTables where !table.isSyncMetadata && !table.isInternal {
      let name = "\(Inspector.schema).\(table.name.sqlName)"
      tables.append(OtherTable(name: table.name, rowCount: try number("SELECT count(*) FROM \(name)")))
    }
    return tables
  }

  private func externalFiles() throws(DecantError) -> [ExternalFileCounts] {
    guard let storage = source.externalStorage else { return [] }
    let census = ExternalFileCensus(storage: storage, schema: Inspector.schema, knowsForms: source.modelGap == nil)
    return try reading { () throws(SQLiteError) in
      try census.counts(in: source.layout, on: connection)
    }
  }

  private func size(_ files: [ExternalFileCounts], in container: StoreContainer?) throws(DecantError) -> StoreSize {
    var size = (database: Int64(0), log: Int64(0))
    if let container {
      size.database = container.byteCount
    } else if let path = source.path {
      size.database = try DatabaseFile.byteCount(path) ?? 0
      size.log = try DatabaseFile.byteCount(path + "-wal") ?? 0
    }
    return StoreSize(
      database: size.database,
      log: size.log,
      externalFiles: files.reduce(0) { $0 + $1.byteCount },
      page: container == nil ? try number("PRAGMA source.page_size") : nil
    )
  }

  private func structureProblems() throws(DecantError) -> [StoreProblem] {
    guard let depth else { return [] }
    // The order of an unknown collation cannot be checked.
    let possible = source.unknownCollations.isEmpty ? depth : .quick
    let complaints = try reading { () throws(SQLiteError) in
      try StructureCheck(of: Inspector.schema, on: connection).findings(possible, limit: 5)
    }
    return complaints.map {
      StoreProblem(.damage, text: "the database is damaged: \($0)")
    }
  }

  private func number(_ sql: String) throws(DecantError) -> Int64 {
    try reading { () throws(SQLiteError) in try connection.integer(sql) ?? 0 }
  }

  private func reading<Result>(_ body: () throws(SQLiteError) -> Result) throws(DecantError) -> Result {
    try explaining("cannot read “\(source.identity.place)”", body)
  }
}

/// The progress of an inspection, which reads one table after the other.
private struct TableProgress {
  private(set) var rowCounts: [String: Int64] = [:]
  private var done: Int64 = 0

  init(_ layout: Layout, in schema: String, on connection: Connection) throws(DecantError) {
    for table in layout.relations.map(\.table) + layout.linkRelations.map(\.table) {
      rowCounts[table] = try explaining("cannot count \(table)") { () throws(SQLiteError) in
        try connection.integer("SELECT count(*) FROM \(schema.sqlName).\(table.sqlName)")
      }
    }
  }

  /// Returns the progress at the start of `table`, which contains the objects or links called `name`.
  mutating func begin(_ name: String, in table: String) -> WorkEvent {
    defer { done += rowCounts[table] ?? 0 }
    return .progress(
      WorkProgress(
        phase: .resolve,
        step: name,
        rowCount: done,
        expectedRowCount: rowCounts.values.reduce(0, +),
        byteCount: 0
      )
    )
  }
}
