internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The search for all references, before the first is changed.
extension RepointRun {
  /// The results of the search, and the objects used for it.
  struct Search {
    let work: ReferenceWork
    let resolver: ReferenceResolver
    let mark: RepointMark
    let target: TargetStore?
    /// The sites at which bare keys are changed.
    var keySites: [ReferenceSite] = []
    var report: RepointReport
  }

  /// Looks up every reference; with a `change`, under its lock.
  func search(
    on connection: Connection,
    _ change: InPlaceChange?,
    _ progress: (WorkEvent) -> Void
  ) throws(DecantError) -> Search {
    var target: TargetStore?
    if let store = self.target {
      target = try TargetStore(store, declared: repoint.identities, isMain: isTargetItself, on: connection)
    }
    try change?.lock(connection)
    connection.setProgressCheck(StopCheck(cancellation))
    try checkIsWhole(connection)
    let ids = try repoint.idTableFile.flatMap { path throws(DecantError) in
      try KeptIDTable(path, on: connection)
    }
    let resolver = try ReferenceResolver(
      repoint,
      notation: repoint.opener.notation,
      ids: ids,
      target: target,
      on: connection
    )
    let work = try explaining("cannot create a work table") { () throws(SQLiteError) in
      try ReferenceWork(on: connection)
    }
    let copy = ids?.copy ?? "identities of \(self.target?.identity.uuid ?? "a database")"
    var search = Search(
      work: work,
      resolver: resolver,
      mark: RepointMark(copy: copy, on: connection),
      target: target,
      report: RepointReport(
        store: store.identity,
        target: self.target?.identity,
        idTable: repoint.idTableFile,
        isToIdentity: repoint.becomesIdentity
      )
    )
    search.report.notes = store.notes + (self.target?.readingNotes ?? [])
    if ids != nil, target == nil {
      search.report.notes.append(
        ReportNote(
          .targetsNotChecked,
          "the target objects were not checked",
          remedy: "pass the store that was copied into with \(say: .store)",
          after: ": "
        )
      )
    }
    try explaining("cannot read “\(store.identity.place)”") { () throws(SQLiteError) in
      try connection.run("BEGIN")
    }
    progress(.began(.resolve))
    try walk(&search, on: connection, progress)
    try explaining("cannot read “\(store.identity.place)”") { () throws(SQLiteError) in
      try connection.run("COMMIT")
    }
    return search
  }

  /// Throws if a store is damaged.
  func checkIsWhole(_ connection: Connection) throws(DecantError) {
    try StructureCheck(of: "main", on: connection).run(.quick, place: store.identity.place)
    guard let target, !isTargetItself else { return }
    try StructureCheck(of: TargetStore.schema, on: connection)
      .run(.quick, place: target.identity.place)
  }

  func walk(_ search: inout Search, on connection: Connection, _ progress: (WorkEvent) -> Void) throws(DecantError) {
    var steps = RepointSteps(phase: .resolve, expected: try rowCount(on: connection))
    for site in sites {
      let isMarked = try search.mark.isThere(for: site)
      if !isMarked { try search.mark.checkNames(for: site) }
      let walk = ReferenceWalk(
        site: site,
        resolver: search.resolver,
        work: search.work,
        connection: connection,
        isMarked: isMarked,
        batchSize: repoint.batchSize
      )
      let result = try walk.run { count throws(DecantError) in
        try stopIfAsked()
        progress(steps.adding(count, site))
      }
      if result.changesKeys { search.keySites.append(site) }
      search.report.places.append(result.place)
      if isMarked {
        search.report.notes.append(
          ReportNote(
            .alreadyRepointed,
            "the keys of \(site.place.property) were already repointed for this copy: they are unchanged"))
      }
    }
    search.report.objectCount = try explaining("cannot count the changes") {
      () throws(SQLiteError) in
      var count: Int64 = 0
      for sites in tables { count += try search.work.count(of: sites) }
      return count
    }
  }

  /// Returns the maximum number of rows that are read.
  func rowCount(on connection: Connection) throws(DecantError) -> Int64 {
    try explaining("cannot read “\(store.identity.place)”") { () throws(SQLiteError) in
      var count: Int64 = 0
      for site in sites {
        count += try connection.integer("SELECT count(*) FROM \(site.table)") ?? 0
      }
      return count
    }
  }

  /// The sites of each table, in the order in which the user gave the first of them.
  var tables: [[ReferenceSite]] {
    var tables: [[ReferenceSite]] = []
    for site in sites {
      if let index = tables.firstIndex(where: { $0[0].relation.table == site.relation.table }) {
        tables[index].append(site)
      } else {
        tables.append([site])
      }
    }
    return tables
  }
}
