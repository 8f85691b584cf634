internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// A writer that lets another one change the temporary database, and makes the same changes to the tables on the
/// server, in the transaction that has locked them.
final class ExistingTablesWriter: CopyWriter {
  private let tables: ExistingTables
  private let location: StoreLocation
  /// The writer of the temporary database.
  private let rows: any CopyWriter
  private let options: CopyOptions
  /// Whether a mapping makes the objects, whose keys are not those of the source.
  private var isMapped: Bool { options.mapping != nil }
  private var change: ServerChange?
  private var stop: ProgressCheck?
  private var planning: (any PlannedCopy)?
  private let source: StoreIdentity
  /// The source, if it is to be recorded as merged.
  private var merged: MergedSource?
  /// The ID table, which also records the added rows.
  private var idTable: String?
  /// The columns that the steps write, by table.
  private var given: [String: Set<String>] = [:]
  /// The command and the report for the record of a run in batches.
  private var recorded: (command: String, report: String)?
  /// The run, once its rows are recorded on the server.
  private var run: BatchRun?
  /// Notes on what could not be removed.
  private var cleared: [ReportNote] = []
  /// The links that the source declares.
  private var links: [ServerSchema.Reference] = []

  var notes: [ReportNote] { rows.notes + (change?.notes ?? []) + (run?.notes ?? []) + cleared }
  var isResumable: Bool { run != nil }
  let continuesEarlierWork = false
  /// What is checked are the rows on the server, not those of the temporary database.
  let isTemporary = true
  var holdsCopy: Bool { change?.mayBeDone ?? false }

  init(_ place: ExistingTablesPlace, _ rows: any CopyWriter, from source: StoreIdentity, _ options: CopyOptions) {
    (tables, location, self.rows, self.source, self.options) = (place.tables, place.location, rows, source, options)
  }

  func open(_ source: any SourceStore, _ stop: ProgressCheck) throws(DecantError) -> (
    session: CopySession, fingerprint: Fingerprint
  ) {
    self.stop = stop
    links = tables.references(of: source)
    tables.connection.isStopped = { stop.isStopped() }
    return try rows.open(source, stop)
  }

  func begin(_ planning: any PlannedCopy, on session: CopySession) throws(DecantError) -> (any Checkpoint)? {
    self.planning = planning
    try tables.keys.check(planning.highestKeys(), after: planning.counters, place: planning.sourcePlace)
    for step in planning.steps {
      given[step.table.foldedName, default: []].formUnion(step.assignments.map(\.column.foldedName))
    }
    try checkKeys()
    return try rows.begin(planning, on: session)
  }

  /// Refuses tables with a key of which the source lacks a column: the server would generate its values, by which rows
  /// could neither be found again nor be compared.
  private func checkKeys() throws(DecantError) {
    guard tables.record == nil else { return }
    for table in tables.schema.tables {
      guard let facts = tables.catalog.tables[table.name], let given = given[table.own.foldedName] else { continue }
      let key = facts.key.compactMap { name in table.columns.first { $0.name == name } }
      let missing = key.filter { column in
        facts.columns[column.name]?.hasDefault == true && !given.contains(column.own.foldedName)
      }
      // decant takes the numbers of a single key from its sequence.
      let isNumber = key.count == 1 && key.allSatisfy { [.smallint, .integer, .bigint].contains($0.type) }
      guard let first = missing.first, !isNumber else { continue }
      throw DecantError(
        .modelsDiffer,
        "the key of \(table.name) is (\(facts.key.joined(separator: ", "))), but \(first.name) would get its values from "
          + "the default of the column: the source has no such column, or has another key",
        place: "\(tables.server.place)",
        remedy: "give the source's table the same key, or write the column with \(say: .mapping)"
      )
    }
  }

  func copyFiles(_ planning: any PlannedCopy, from source: any SourceStore, on session: CopySession)
    throws(DecantError) -> CopyReport.FileCounts?
  { try rows.copyFiles(planning, from: source, on: session) }

  func finish(_ planning: any PlannedCopy, on session: CopySession) throws(DecantError) {
    try rows.finish(planning, on: session)
  }

  func reader(_ session: CopySession) throws(DecantError) -> (connection: Connection, schema: String) {
    try rows.reader(session)
  }

  /// The state that the plan is based on; `nil` if others have taken keys since, in which case the plan is made again.
  var heldState: Fingerprint? {
    get throws(DecantError) { tables.keys.hasMoved ? nil : try rows.heldState }
  }

  func note(idTable file: String, partial: String) throws(DecantError) { idTable = partial }

  func note(merged source: MergedSource) { merged = source }

  func note(command: String, _ report: CopyReport) { recorded = (command, report.record) }

  /// Rows that are added in batches are refused when others are there already.
  var mayRefuseRows: Bool { options.commit == .run }

  func refusedRows(_ session: CopySession) throws(DecantError) -> [RefusedRow] {
    try tables.writeOwners(on: session.connection)
    return try makeChange(session).writeAccepted()
  }

  /// Returns the change of the server, which is the same one for all attempts.
  private func makeChange(_ session: CopySession) throws(DecantError) -> ServerChange {
    if let change { return change }
    let change = try ServerChange(tables, session.connection, given: given, stop) {
      [planning, isMapped] table, key throws(DecantError) in
      guard !isMapped, let planning else { return nil }
      for step in planning.steps where step.table.isSameName(as: table) {
        if let name = try ExistingTablesWriter.name(of: key, in: step, planning) { return name }
      }
      return nil
    }
    change.defersConstraints = options.defersConstraints
    change.linkTables = Set(
      (planning?.steps ?? []).compactMap { if case .links = $0.kind { $0.table.foldedName } else { nil } })
    change.remedyAfterCommit =
      options.commit == .batch
      ? "\(.again(with: .resume)) when the server answers: it continues the run if the first batch was committed"
      : options.appends
        ? "compare the stores when the server answers: running it again would add everything twice if it succeeded"
        : "compare the stores when the server answers; a merge can be run again, as it changes nothing twice"
    self.change = change
    return change
  }

  /// Returns the name that a row written by `step` has in the source, by the values of its key; `nil` if it has none.
  private static func name(of key: [String: Int64], in step: CopyStep, _ planning: any PlannedCopy)
    throws(DecantError) -> String?
  {
    func source(_ key: Int64?, _ root: String) throws(DecantError) -> Int64? {
      try key.flatMap { key throws(DecantError) in try planning.sourceKey(of: key, in: root) }
    }
    switch step.kind {
    case .objects(let root):
      return try source(key.count == 1 ? key.values.first : nil, root).map { "\(step.name) \($0)" }
    case .links(let links):
      let ends = step.assignments.prefix(2).map { key[$0.column.foldedName] }
      guard ends.count == 2, let owner = try source(ends[0], links.ownerRoot),
        let target = try source(ends[1], links.targetRoot)
      else { return nil }
      return "the link from \(links.ownerRoot) \(owner) to \(links.targetRoot) \(target)"
    case .unkeyed, .rows: return nil
    }
  }

  func publish(_ session: CopySession) throws(DecantError) {
    try rows.publish(session)
    try discardCompleted()
    let change = try makeChange(session)
    func note() throws(DecantError) {
      if let merged {
        try MergedSources.enter(merged, into: tables)
      } else {
        try MergedSources.forget(source, in: tables)
      }
    }
    if !change.isWritten {
      try change.compare()
      if options.commit == .batch, let run = try divide(change) {
        return try run.finish(location, options, note: note)
      }
      try change.write()
    }
    try change.finish(verifies: options.verifies, recordingIn: idTable, links: links, note: note)
  }

  /// Whether each table has the rows of one entity.
  private var hasOwnTables: Bool { tables.record.map { $0.tables != nil } ?? true }

  /// Returns whether columns of a table identify its rows: those that are given, or otherwise each unique constraint.
  private func isIdentity(_ table: String, _ columns: [String]) -> Bool {
    let rule = options.merge?.rules.first { $0.key.isSameName(as: table) }?.value ?? options.merge?.rule
    switch rule?.policy {
    case .keepBoth, .error: return false
    default: break
    }
    let given = options.merge?.identities.first { $0.key.isSameName(as: table) }?.value
    return given.map { Set($0.map(\.foldedName)) == Set(columns.map(\.foldedName)) } ?? true
  }

  /// Drops the record of a complete run; throws if it is of this command, and would add everything twice.
  private func discardCompleted() throws(DecantError) {
    guard let completed = tables.completed else { return }
    let command = try completed.value(BatchRun.command)
    guard options.matchesObjects(isNew: false) || command != recorded?.command else {
      throw DecantError(
        .nothingToResume,
        "this run is complete: all of \(completed.counts.all.counted("row")) are there, although its end was not confirmed",
        place: "\(tables.server.place)",
        remedy: "\(.again(with: .resume)) for its report and files; after that it would add everything again"
      )
    }
    try completed.discard()
  }

  /// Changes the existing rows and records those to be added, and commits this; returns the run that adds them, `nil` if
  /// all must be one transaction.
  private func divide(_ change: ServerChange) throws(DecantError) -> BatchRun? {
    let known = tables.references(of: options.links) + links + tables.references
    var values = [
      BatchRun.source: source.place.withoutPasswords, BatchRun.sourcePlace: MergedSource.place(of: source),
      BatchRun.command: recorded?.command ?? "", BatchRun.report: recorded?.report ?? "",
      BatchRun.written: BatchRun.text(of: change.changes.filter { !$0.isEmpty }.map { AddedRowsRecord.Table($0) }),
      BatchRun.links: BatchRun.text(of: known),
    ]
    values[BatchRun.sourceUUID] = source.uuid
    let made = try change.divide(
      verifies: options.verifies,
      identities: options.matchesObjects(isNew: false) && hasOwnTables ? isIdentity : nil, links: known, values)
    guard let made else { return nil }
    try TableLock.hold(tables.server, tables.connection)
    try change.commit()
    run = made
    let count = made.steps.reduce(1) { $0 + ($1.count + options.batchSize - 1) / options.batchSize }
    change.notes.append(
      ReportNote(
        .inBatches,
        "committed in \(count) transactions, in place: other sessions could see a partial result meanwhile"))
    return made
  }

  func clear() {
    rows.clear()
    cleared = run?.clear() ?? []
  }

  func abandon(toResume: Bool, after error: DecantError) -> DecantError {
    tables.connection.allowLastStatements()
    if let run {
      _ = try? TableLock.release(tables.server, tables.connection)
      _ = rows.abandon(toResume: false, after: error)
      return run.withProgress(error)
    }
    // The server has already rolled back a lost connection.
    if !holdsCopy { _ = try? tables.connection.run("ROLLBACK") }
    return rows.abandon(toResume: false, after: error)
  }
}
