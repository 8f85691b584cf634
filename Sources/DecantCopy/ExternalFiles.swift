internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The copying of values in external files.
///
/// Files are put in place before the rows that refer to them become visible, since surplus files are harmless. A copy
/// that fails removes its own files; a killed one leaves them, and the next run recognises them by name and content.
struct ExternalFiles {
  let connection: Connection
  /// The names of the destination's files, in a separate database that survives a rolled-back transaction.
  let names: FileNames
  let source: any ExternalStorage
  let destination: any ExternalStorage
  /// The layout of the source's objects, since a mapping may rename everything.
  let sourceLayout: Layout
  /// Whether the destination is new, so that an existing file can only be a leftover.
  let isNew: Bool

  /// Creates the copying of files between two stores; `nil` if either kind has no external files.
  ///
  /// `note` is the database that records the created files, so that the record survives a kill.
  static func between(
    _ source: any SourceStore,
    _ destination: any DestinationStore,
    on session: CopySession,
    notedIn note: String? = nil
  ) throws(DecantError) -> ExternalFiles? {
    guard let from = source.externalStorage, let to = destination.externalStorage else {
      return nil
    }
    return ExternalFiles(
      connection: session.connection,
      names: try FileNames(in: to.folder, notedIn: note),
      source: from,
      destination: to,
      sourceLayout: source.layout,
      isNew: destination.isNew
    )
  }

  /// Copies the files of added objects, and of those that took the source's values; counts the files found and missing.
  func copy(in layout: Layout, _ planning: any PlannedCopy) throws(DecantError) -> CopyReport.FileCounts {
    var counts = CopyReport.FileCounts()
    let before = Before(layout: layout, counters: planning.counters)
    for relation in layout.relations {
      let isUpdated = planning.changesObjects(of: relation.root)
      guard let here = sourceLayout.relation(of: relation.root) else { continue }
      for column in relation.columns where column.isExternal {
        // The result of an expression is stored in the row.
        guard let from = here.column(column.columnRole), from.isExternal else { continue }
        let value = SourceValue(relation: here, column: from)
        try copy(value, column, of: relation, before, &counts)
        if isUpdated { try copyUpdated(value, column, of: relation, before, &counts) }
      }
    }
    if counts.copied > 0 {
      do throws(SystemError) { try Files.syncFolder(destination.folder) } catch {
        throw DecantError(error)
      }
    }
    return counts
  }

  /// The place of a value in the source.
  private struct SourceValue {
    let relation: Relation
    let column: RelationColumn

    var table: String { relation.sqlTable(in: CopySession.source) }
    var key: String { relation.keyName }
    var name: String { column.name.sqlName }
  }

  /// The objects that the destination had before: those with keys up to these, by root entity.
  private struct Before {
    let layout: Layout
    let counters: [String: Int64]
  }

  /// Records the files that existing objects refer to.
  private func noteReferences(_ before: Before) throws(DecantError) {
    names.knowsReferences = true
    guard !isNew else { return }
    for relation in before.layout.relations {
      guard let counter = before.counters[relation.root] else { continue }
      for column in relation.columns where column.isExternal {
        let name = column.name.sqlName
        try explaining("cannot read the external files of \(relation.root)") {
          () throws(SQLiteError) in
          try names.note { note throws(SQLiteError) in
            try connection.forEachRow(
              """
              SELECT \(name) FROM main.\(relation.table.sqlName)
              WHERE \(relation.keyName) <= ?1 AND typeof(\(name)) = 'blob' AND length(\(name)) < 128
              """,
              .integer(counter)
            ) { row throws(SQLiteError) in
              let value = row.bytes(at: 0)
              if let name = value.withUnsafeBytes({ destination.fileName(in: $0) }) {
                try note(name)
              }
            }
          }
        }
      }
    }
  }

  private func copy(
    _ from: SourceValue,
    _ column: RelationColumn,
    of relation: Relation,
    _ before: Before,
    _ counts: inout CopyReport.FileCounts
  ) throws(DecantError) {
    let counter = before.counters[relation.root] ?? Int64.min
    let (table, name) = ("main.\(relation.table.sqlName)", column.name.sqlName)
    let key = relation.keyName
    let text = "cannot read the external files of \(relation.root)"
    // The length is known without reading the value, so that inline pictures are not read.
    let next = try explaining(text) { () throws(SQLiteError) in
      try connection.prepare(
        """
        SELECT d.\(key), d.\(key), s.\(from.name), d.\(name) FROM \(table) AS d
        JOIN \(from.table) AS s
          ON s.\(from.key) = origin(\(relation.root.sqlText), d.\(key))
        WHERE d.\(key) > ?1 AND typeof(d.\(name)) = 'blob' AND length(d.\(name)) < 128
        ORDER BY d.\(key) LIMIT 1000
        """
      )
    }
    try copy(next, after: counter, column, of: relation, before, &counts)
  }

  /// Copies the files of existing objects whose files changed.
  private func copyUpdated(
    _ from: SourceValue,
    _ column: RelationColumn,
    of relation: Relation,
    _ before: Before,
    _ counts: inout CopyReport.FileCounts
  ) throws(DecantError) {
    let (root, name, key) = (relation.root.sqlText, column.name.sqlName, relation.keyName)
    let outcomes = [MergeOutcome.updated, .filled].map { "\($0.rawValue)" }.joined(separator: ", ")
    let next = try explaining("cannot read the external files of \(relation.root)") {
      () throws(SQLiteError) in
      // A value with the same content kept its file.
      try connection.prepare(
        """
        SELECT s.\(from.key), d.\(key), s.\(from.name), d.\(name)
        FROM \(from.table) AS s
        JOIN main.\(relation.table.sqlName) AS d ON d.\(key) = id(\(root), s.\(from.key))
        WHERE s.\(from.key) > ?1 AND merge_outcome(\(root), s.\(from.key)) IN (\(outcomes))
          AND typeof(d.\(name)) = 'blob' AND length(d.\(name)) < 128 AND d.\(name) IS s.\(from.name)
        ORDER BY s.\(from.key) LIMIT 1000
        """
      )
    }
    try copy(next, after: Int64.min, column, of: relation, before, &counts)
  }

  /// Copies the files of the values that `next` returns: a position, the object's key, and the reference in source and
  /// destination.
  private func copy(
    _ next: Statement,
    after start: Int64,
    _ column: RelationColumn,
    of relation: Relation,
    _ before: Before,
    _ counts: inout CopyReport.FileCounts
  ) throws(DecantError) {
    let (table, name) = ("main.\(relation.table.sqlName)", column.name.sqlName)
    let text = "cannot read the external files of \(relation.root)"
    let update = try explaining(text) { () throws(SQLiteError) in
      try connection.prepare("UPDATE \(table) SET \(name) = ?1 WHERE \(relation.keyName) = ?2")
    }
    var position = start
    while true {
      let values = try explaining(text) { () throws(SQLiteError) in
        var values: [(position: Int64, key: Int64, value: [UInt8], current: [UInt8])] = []
        try next.bind(.integer(position), at: 1)
        defer { next.reset() }
        while try next.step() {
          values.append((next.integer(at: 0), next.integer(at: 1), next.bytes(at: 2), next.bytes(at: 3)))
        }
        return values
      }
      guard let last = values.last else { return }
      position = last.position
      for (_, key, value, current) in values {
        try Cancellation.current?.check()
        let object = "\(relation.table).\(column.name) \(key)"
        guard let reference = try bringOver(value, current, of: object, before, &counts) else {
          continue
        }
        try explaining(text) { () throws(SQLiteError) in
          try update.run(.blob(reference), .integer(key))
        }
      }
    }
  }

  /// Copies the file of `value`; returns the new reference if the name has to change.
  ///
  /// `current` is the reference in the destination, which differs if an interrupted run has already changed the name.
  /// `object` is the destination object to which the value belongs.
  private func bringOver(
    _ value: [UInt8],
    _ current: [UInt8],
    of object: String,
    _ before: Before,
    _ counts: inout CopyReport.FileCounts
  ) throws(DecantError) -> [UInt8]? {
    guard let name = value.withUnsafeBytes({ source.fileName(in: $0) }) else { return nil }
    let path = value.withUnsafeBytes { source.file(for: $0) }
    // The list is created when an existing name is first found.
    let isThere = try telling { () throws(SystemError) in
      try FileStatus.look(at: "\(destination.folder)/\(name)") != nil
    }
    if isThere, !names.knowsReferences { try noteReferences(before) }
    return try telling { () throws(SystemError) in
      var target = name
      if current != value, let changed = current.withUnsafeBytes({ destination.fileName(in: $0) }) {
        target = changed
      } else {
        var attempt = 0
        while try isTaken(target, by: path) {
          // The name is the same in each run, so that files copied by an interrupted run are found again.
          target = destination.newFileName(after: "\(name) \(object) \(attempt)")
          attempt += 1
        }
      }
      if let path {
        try put(path, at: target)
        counts.copied += 1
      } else if let obstacle = value.withUnsafeBytes({ source.obstacle(before: $0) }) {
        throw obstacle
      } else {
        try names.note(target, isMade: false)
        counts.missing += 1
      }
      return target == name || current != value ? nil : destination.reference(to: target)
    }
  }

  private func telling<Result>(_ body: () throws(SystemError) -> Result) throws(DecantError) -> Result {
    do throws(SystemError) { return try body() } catch { throw DecantError(error) }
  }

  /// Returns whether `target` belongs to an existing object, or is an unrelated file.
  ///
  /// If two objects shared a file, deleting one would delete the file of the other. In a new store, objects that shared
  /// a file in the source continue to do so.
  private func isTaken(_ target: String, by path: String?) throws(SystemError) -> Bool {
    guard try FileStatus.look(at: "\(destination.folder)/\(target)") != nil else { return false }
    if !isNew, try names.contains(target) { return true }
    guard let path else { return true }
    return try !isSame(path, at: target)
  }

  /// Returns whether the file `target` of the destination has the same content as the file at `path`.
  private func isSame(_ path: String, at target: String) throws(SystemError) -> Bool {
    let there = "\(destination.folder)/\(target)"
    guard !destination.leadsElsewhere, let status = try FileStatus.look(at: there), status.isFile,
      status.byteCount == FileStatus(path)?.byteCount
    else { return false }
    return try Files.hash(of: path) == Files.hash(of: there)
  }

  /// Copies the file at `path`, which appears under its name only when complete.
  private func put(_ path: String, at target: String) throws(SystemError) {
    try checkFolder()
    try Files.makeFolder(destination.folder, isSynced: true)
    if try isSame(path, at: target) { return try names.note(target, isMade: false) }
    try names.note(target, isMade: true)
    // The same name for every try, so that the next one overwrites what a kill has left.
    let partial = "\(destination.folder)/\(target).decant-partial"
    do throws(SystemError) {
      try Files.copy(path, to: partial, mode: Files.newFileMode, isSynced: true) { _ in
        Cancellation.current?.isCancelled != true
      }
      // An interrupted run may have published the file.
      try Files.remove("\(destination.folder)/\(target)")
      try Files.publish(partial, at: "\(destination.folder)/\(target)")
    } catch {
      // The original error is reported; the next try overwrites what remains.
      try? Files.remove(partial)
      throw error
    }
  }

  /// Throws if the folder is a link, which may lead anywhere.
  private func checkFolder() throws(SystemError) {
    guard destination.leadsElsewhere else { return }
    throw SystemError("write through the link", destination.folder, code: SystemError.link)
  }
}
