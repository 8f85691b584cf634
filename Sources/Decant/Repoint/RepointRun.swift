internal import SQLite

/// One run of a re-pointing: lock, look every reference up, back up, write, prove.
///
/// What is to be changed is found first, in a work table; then all of it is written in one transaction. A kill
/// at any moment leaves the store as it was or re-pointed.
final class RepointRun {
  private let repoint: Repoint
  private let store: any ReferringStore
  private let cancellation: Cancellation
  private let sites: [ReferenceSite]
  private let views: EntityViews
  private let sets: [String: [CheckedSetRule]]
  private let target: (any SourceStore)?
  private let isTargetItself: Bool
  /// What is known when the run fails.
  private var backup: String?
  private var isCommitting = false
  private var hasMoved = false
  private var witness: RepointWitness?

  /// Finds everything wrong that can be found without reading objects.
  init(_ repoint: Repoint, _ store: any ReferringStore, _ cancellation: Cancellation)
    throws(DecantError)
  {
    self.repoint = repoint
    self.store = store
    self.cancellation = cancellation
    sites = try ReferenceSites(store: store).sites(at: repoint.places)
    views = EntityViews(model: store.model, layout: store.layout)
    sets = try CheckedSetRule.check(repoint.sets, sites, store, views)
    guard let location = repoint.target else {
      (target, isTargetItself) = (nil, false)
      guard repoint.identities.isEmpty else {
        throw DecantError(
          .usage,
          "--identity speaks of the objects of a store that is not named",
          remedy: "name it: --store STORE --to-identity"
        )
      }
      return
    }
    target = try RepointRun.open(location, repoint)
    isTargetItself = FileStatus(location.place)?.isSame(as: store.path) == true
  }

  /// Opens the store that references lead to; models that were named are for one that holds none.
  private static func open(_ location: StoreLocation, _ repoint: Repoint) throws(DecantError)
    -> any SourceStore
  {
    var options = CopyOptions()
    let store = try repoint.opener.openSource(location, options: options)
    guard store.modelGap != nil, let last = repoint.models.last else { return store }
    for model in repoint.models.dropLast() {
      do throws(DecantError) {
        options.model = model
        return try repoint.opener.openSource(location, options: options)
      } catch {
        guard error.code == .modelMismatch else { throw error }
      }
    }
    options.model = last
    return try repoint.opener.openSource(location, options: options)
  }

  func run(_ progress: (CopyEvent) -> Void) throws(DecantError) -> RepointReport {
    do throws(DecantError) {
      return try repoint.isDryRun ? look(progress) : change(progress)
    } catch {
      throw settled(error)
    }
  }

  /// Counts what would be changed, without opening the store for writing.
  private func look(_ progress: (CopyEvent) -> Void) throws(DecantError) -> RepointReport {
    let file = try DatabaseFile.open(store.path)
    let connection = try connection(file.uri, .readOnly)
    let search = try search(on: connection, nil, progress)
    var report = search.report
    report.isDryRun = true
    report.notes = file.notes + report.notes
    return report
  }

  private func change(_ progress: (CopyEvent) -> Void) throws(DecantError) -> RepointReport {
    try DatabaseFile.recover(store.path)
    let connection = try connection(DatabaseFile.uri(of: store.path, "mode=rw"), .readWrite)
    let lock = StoreLock(path: store.path, place: store.identity.place)
    let search = try search(on: connection, lock, progress)
    var report = search.report
    guard report.changedCount > 0 else { return report }
    if repoint.keepsBackup {
      try checkRoom(on: connection)
      report.backup = try lock.makeBackup(connection)
      backup = report.backup
    }
    try lock.refusing { () throws(SQLiteError) in try connection.run("BEGIN EXCLUSIVE") }
    do throws(DecantError) {
      try write(search, on: connection, progress)
      try prove(search, on: connection, progress)
      try checkIsThere(lock, connection)
      try stopIfAsked()
      connection.setProgressCheck(nil)
      try commit(search, on: connection)
    } catch {
      // Closing the connection undoes it as well.
      if !connection.isAutocommit { try? connection.run("ROLLBACK") }
      throw error
    }
    report.isVerified = true
    // What the log holds goes into the file; should that fail, the store is whole together with its log.
    _ = try? connection.text("PRAGMA main.wal_checkpoint(TRUNCATE)")
    try checkIsThere(lock, connection)
    return report
  }

  /// Throws if the store is certainly not at its place any more.
  private func checkIsThere(_ lock: StoreLock, _ connection: Connection) throws(DecantError) {
    // Whatever cannot be looked at was there when it was written.
    guard (try? lock.hasGone(connection)) == true else { return }
    hasMoved = true
    try lock.checkIsThere(connection)
  }

  private func checkRoom(on connection: Connection) throws(DecantError) {
    let byteCount = try explaining("cannot read “\(store.identity.place)”") {
      () throws(SQLiteError) in
      (try connection.integer("PRAGMA main.page_count") ?? 0)
        * (try connection.integer("PRAGMA main.page_size") ?? 0)
    }
    try Files.checkRoom(
      for: byteCount,
      beside: store.path,
      "its backup needs up to",
      remedy: "make room, or leave --backup away"
    )
  }

  private func connection(_ uri: String, _ mode: Connection.Mode) throws(DecantError) -> Connection
  {
    let connection: Connection
    do throws(SQLiteError) {
      connection = try Connection(uri, mode: mode)
      connection.setBusyTimeout(milliseconds: 2_000)
      try ValueFunctions.register(on: connection)
    } catch {
      throw DecantError(opening: store.path, error)
    }
    try store.prepare(connection)
    return connection
  }

  /// What was found, and what it was found with.
  private struct Search {
    let work: ReferenceWork
    let resolver: ReferenceResolver
    let mark: RepointMark
    let target: TargetStore?
    /// The sites at which bare keys change.
    var keySites: [ReferenceSite] = []
    var report: RepointReport
  }

  /// Looks every reference up; with a `lock`, under it.
  private func search(
    on connection: Connection,
    _ lock: StoreLock?,
    _ progress: (CopyEvent) -> Void
  ) throws(DecantError) -> Search {
    var target: TargetStore?
    if let store = self.target {
      target = try TargetStore(
        store,
        declared: repoint.identities,
        isMain: isTargetItself,
        on: connection
      )
    }
    try lock?.take(connection)
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
    let work = try explaining("cannot make a work table") { () throws(SQLiteError) in
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
        "the objects themselves were not looked at: --store names the store that was copied into"
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

  /// Refuses a store that is damaged, or that holds half a copy.
  private func checkIsWhole(_ connection: Connection) throws(DecantError) {
    let isUnfinished = try explaining("cannot read “\(store.identity.place)”") {
      () throws(SQLiteError) in
      try Checkpoint.exists(in: "main", on: connection)
    }
    guard !isUnfinished else {
      throw DecantError(
        .failed,
        "“\(store.identity.place)” holds a part of a copy that was cut off",
        place: "tables decant_…",
        remedy:
          "complete it with the command that was cut off and --resume, or put the backup back: "
          + "decant rollback \(store.identity.place.shellWord)"
      )
    }
    try StructureCheck(of: "main", on: connection).run(.quick, place: store.identity.place)
    guard let target, !isTargetItself else { return }
    try StructureCheck(of: TargetStore.schema, on: connection)
      .run(.quick, place: target.identity.place)
  }

  private func walk(
    _ search: inout Search,
    on connection: Connection,
    _ progress: (CopyEvent) -> Void
  ) throws(DecantError) {
    var steps = Steps(phase: .resolve, expected: try rowCount(on: connection))
    for site in sites {
      let isMarked = try search.mark.isThere(for: site)
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
          "the keys of \(site.place.property) have followed this copy before: what it gave them stays"
        )
      }
    }
    search.report.objectCount = try explaining("cannot count what is to be changed") {
      () throws(SQLiteError) in
      var count: Int64 = 0
      for sites in tables { count += try search.work.count(of: sites) }
      return count
    }
  }

  /// How many rows are read at most.
  private func rowCount(on connection: Connection) throws(DecantError) -> Int64 {
    try explaining("cannot read “\(store.identity.place)”") { () throws(SQLiteError) in
      var count: Int64 = 0
      for site in sites {
        count += try connection.integer("SELECT count(*) FROM \(site.table)") ?? 0
      }
      return count
    }
  }

  /// The sites of each table, in the order in which the user named the first of them.
  private var tables: [[ReferenceSite]] {
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

  private func write(
    _ search: Search,
    on connection: Connection,
    _ progress: (CopyEvent) -> Void
  ) throws(DecantError) {
    progress(.began(.copy))
    var steps = Steps(phase: .copy, expected: search.report.changedCount)
    let writer = ReferenceWriter(
      connection: connection,
      work: search.work,
      batchSize: repoint.batchSize
    )
    for site in sites {
      try writer.write(site) { count throws(DecantError) in
        try stopIfAsked()
        progress(steps.adding(count, site))
      }
    }
    if !sets.isEmpty { try views.offer(in: "main", on: connection) }
    for (entity, rules) in sets.sorted(by: { $0.key < $1.key }) {
      let own = sites.filter { $0.entity == entity }
      try writer.write(rules, of: own) { _ throws(DecantError) in try stopIfAsked() }
      for rule in rules { try rule.checkValues(of: own, search.work, on: connection) }
    }
    for table in tables { try writer.count(of: table) }
    for site in search.keySites { try search.mark.write(for: site) }
    var written = WrittenObjects()
    for table in tables where try isChanged(table, search) {
      written.updatedKeys[table[0].relation.root] = search.work.keys(of: table)
    }
    try store.finish(written, on: connection)
  }

  private func isChanged(_ sites: [ReferenceSite], _ search: Search) throws(DecantError) -> Bool {
    try explaining("cannot count what was changed") { () throws(SQLiteError) in
      try search.work.count(of: sites) > 0
    }
  }

  private func prove(
    _ search: Search,
    on connection: Connection,
    _ progress: (CopyEvent) -> Void
  ) throws(DecantError) {
    progress(.began(.check))
    var steps = Steps(phase: .check, expected: search.report.changedCount)
    let proof = RepointProof(
      connection: connection,
      resolver: search.resolver,
      place: store.identity.place
    )
    for (site, place) in zip(sites, search.report.places) {
      try proof.check(site, count: place.changedCount) { count throws(DecantError) in
        try stopIfAsked()
        progress(steps.adding(count, site))
      }
    }
  }

  private func commit(_ search: Search, on connection: Connection) throws(DecantError) {
    try explaining("cannot commit to “\(store.identity.place)”") { () throws(SQLiteError) in
      witness = try RepointWitness(sites, on: connection)
      isCommitting = true
      try connection.run("COMMIT")
    }
  }

  private func stopIfAsked() throws(DecantError) {
    guard cancellation.isCancelled else { return }
    throw DecantError(.interrupted, "the work was stopped")
  }

  /// Returns `error` with how the store is left, now that nothing holds it any more.
  ///
  /// A commit that fails may have happened all the same. Where the store is as it was, the backup is taken
  /// away again.
  private func settled(_ error: DecantError) -> DecantError {
    var error = error
    // What is at the place now tells nothing, and the backup may be all that is left.
    guard !hasMoved else {
      if let backup { error.tell("the store as it was: \(backup)") }
      return error
    }
    var found = Aftermath.asItWas
    if isCommitting {
      found = Aftermath.of(store.path) { connection throws(SQLiteError) in
        guard let witness else {
          throw SQLiteError(code: SQLiteError.internalCode, message: "nothing tells the change")
        }
        return try witness.isThere(on: connection)
      }
    }
    switch found {
    case .asItWas:
      // What stays of a backup that nobody needs harms nobody.
      if let backup { try? Files.remove(backup) }
      guard error.code == .interrupted else { return error }
      return DecantError(
        .interrupted,
        "the work was stopped",
        place: "“\(store.identity.place)” is as it was",
        remedy: "run the same command again",
        cause: error
      )
    case .changed:
      error.place =
        "“\(store.identity.place)” is re-pointed all the same, but the disk did not confirm it"
        + (backup.map { "; the store as it was: \($0)" } ?? "")
    case .unknown:
      if let backup { error.tell("the store as it was: \(backup)") }
    }
    return error
  }
}

/// A reference that stands in the store only if the change is there.
private struct RepointWitness {
  let site: ReferenceSite
  let key: Int64
  let value: Binding

  /// Finds one; `nil` where nothing is changed.
  init?(_ sites: [ReferenceSite], on connection: Connection) throws(SQLiteError) {
    for site in sites {
      var found: (Int64, Binding)?
      try connection.forEachRow(
        "SELECT row, value FROM \(ReferenceWork.table) WHERE site = \(site.number) LIMIT 1"
      ) { row throws(SQLiteError) in
        found = (row.integer(at: 0), try row.exactValue(at: 1))
      }
      guard let found else { continue }
      self.site = site
      (key, value) = found
      return
    }
    return nil
  }

  /// Whether it is there.
  func isThere(on connection: Connection) throws(SQLiteError) -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM \(site.table)
      WHERE \(site.relation.keyName) = ?1 AND \(site.column.name.sqlName) IS ?2
      """,
      .integer(key),
      value
    ) != nil
  }
}

/// How far a phase has come, in rows.
private struct Steps {
  let phase: Phase
  let expected: Int64
  private var count: Int64 = 0

  init(phase: Phase, expected: Int64) {
    self.phase = phase
    self.expected = expected
  }

  /// Returns what there is to tell after `count` more rows of `site`.
  mutating func adding(_ count: Int64, _ site: ReferenceSite) -> CopyEvent {
    self.count += count
    return .progress(
      CopyProgress(
        phase: phase,
        step: "\(site.place.property)",
        rowCount: min(self.count, expected),
        expectedRowCount: expected,
        byteCount: 0
      )
    )
  }
}
