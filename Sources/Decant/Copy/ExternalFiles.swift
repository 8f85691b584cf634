internal import SQLite

/// Brings over the values that lie in files of their own.
///
/// Files are put in place before the rows that refer to them become visible: files too many harm
/// nobody. A copy that fails takes its own away again; one that was killed leaves them, and the next
/// takes them for its own where they are what it needs.
struct ExternalFiles {
  let connection: Connection
  /// The names of the destination's files, in a database of their own: it keeps what an undone
  /// transaction would forget.
  let names: FileNames
  let source: any ExternalStorage
  let destination: any ExternalStorage
  /// Whether the destination is new, so that a file that is there already can only be a leftover.
  let isNew: Bool

  /// The files that go from one store to another; `nil` where their kinds know none.
  static func between(
    _ source: any SourceStore,
    _ destination: any DestinationStore,
    on bench: Workbench
  ) throws(DecantError) -> ExternalFiles? {
    guard let from = source.externalStorage, let to = destination.externalStorage else {
      return nil
    }
    return ExternalFiles(
      connection: bench.connection,
      names: try FileNames(in: to.folder),
      source: from,
      destination: to,
      isNew: destination.isNew
    )
  }

  /// Copies the files of objects with keys above `counters`; counts those that were and were not there.
  func copy(in layout: Layout, above counters: [String: Int64]) throws(DecantError)
    -> CopyReport.FileCounts
  {
    var counts = CopyReport.FileCounts()
    // Few copies meet a file of the same name; all that is there is read only for those.
    names.fill = { () throws(SystemError) in try noteReferences(in: layout, upTo: counters) }
    defer { names.fill = nil }
    for relation in layout.relations {
      for column in relation.columns where column.isExternal {
        try copy(column, of: relation, above: counters[relation.root] ?? Int64.min, &counts)
      }
    }
    if counts.copied > 0 {
      do throws(SystemError) { try Files.syncFolder(destination.folder) } catch {
        throw DecantError(error)
      }
    }
    return counts
  }

  /// Notes to which files the objects refer that were there before.
  private func noteReferences(in layout: Layout, upTo counters: [String: Int64])
    throws(SystemError)
  {
    for relation in layout.relations {
      guard let counter = counters[relation.root] else { continue }
      for column in relation.columns where column.isExternal {
        let name = column.name.sqlName
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

  private func copy(
    _ column: RelationColumn,
    of relation: Relation,
    above counter: Int64,
    _ counts: inout CopyReport.FileCounts
  ) throws(DecantError) {
    let (table, name) = ("main.\(relation.table.sqlName)", column.name.sqlName)
    let key = relation.keyName
    let text = "cannot read the external files of \(relation.root)"
    // The length is known without reading the value: pictures that are held inline stay untouched.
    let next = try explaining(text) { () throws(SQLiteError) in
      try connection.prepare(
        """
        SELECT d.\(key), s.\(name), d.\(name) FROM \(table) AS d
        JOIN \(Workbench.source).\(relation.table.sqlName) AS s
          ON s.\(key) = origin(\(relation.root.sqlText), d.\(key))
        WHERE d.\(key) > ?1 AND typeof(d.\(name)) = 'blob' AND length(d.\(name)) < 128
        ORDER BY d.\(key) LIMIT 1000
        """
      )
    }
    let update = try explaining(text) { () throws(SQLiteError) in
      try connection.prepare("UPDATE \(table) SET \(name) = ?1 WHERE \(key) = ?2")
    }
    var position = counter
    while true {
      let values = try explaining(text) { () throws(SQLiteError) in
        var values: [(key: Int64, value: [UInt8], current: [UInt8])] = []
        try next.bind(.integer(position), at: 1)
        defer { next.reset() }
        while try next.step() {
          values.append((next.integer(at: 0), next.bytes(at: 1), next.bytes(at: 2)))
        }
        return values
      }
      guard let last = values.last else { return }
      position = last.key
      for (key, value, current) in values {
        guard let reference = try bringOver(value, current, &counts) else { continue }
        try explaining(text) { () throws(SQLiteError) in
          try update.run(.blob(reference), .integer(key))
        }
      }
    }
  }

  /// Copies the file behind `value`; returns the new reference where the name has to change.
  ///
  /// `current` is what the destination has: another reference where an earlier run, which was cut off,
  /// has changed the name already.
  private func bringOver(
    _ value: [UInt8],
    _ current: [UInt8],
    _ counts: inout CopyReport.FileCounts
  ) throws(DecantError) -> [UInt8]? {
    guard let name = value.withUnsafeBytes({ source.fileName(in: $0) }) else { return nil }
    let path = value.withUnsafeBytes { source.file(for: $0) }
    do throws(SystemError) {
      var target = name
      if current != value, let changed = current.withUnsafeBytes({ destination.fileName(in: $0) }) {
        target = changed
      } else if let path, try isLeftOver(name, of: path) {
        try names.note(name, isMade: false)
        counts.copied += 1
        return nil
      } else if try FileStatus.look(at: "\(destination.folder)/\(name)") != nil {
        // The name belongs to an object that is there: sharing it, one would lose the file with
        // the other.
        target = destination.newFileName()
      }
      if let path {
        try put(path, at: target)
        counts.copied += 1
      } else if let obstacle = value.withUnsafeBytes({ source.obstacle(before: $0) }) {
        throw obstacle
      } else {
        counts.missing += 1
      }
      return target == name || current != value ? nil : destination.reference(to: target)
    } catch {
      throw DecantError(error)
    }
  }

  /// Whether an earlier copy, which was cut off, has put the file at `path` there already.
  private func isLeftOver(_ name: String, of path: String) throws(SystemError) -> Bool {
    let there = "\(destination.folder)/\(name)"
    guard !destination.leadsElsewhere, try FileStatus.look(at: there)?.isFile == true else {
      return false
    }
    if !isNew {
      try names.fill?()
      names.fill = nil
      if try names.contains(name) { return false }
    }
    return try Files.hash(of: path) == Files.hash(of: there)
  }

  /// Copies the file at `path`; under its name it is never seen but whole.
  private func put(_ path: String, at target: String) throws(SystemError) {
    try checkFolder()
    try Files.makeFolder(destination.folder)
    try names.note(target, isMade: true)
    // The same for every try, so that the next one clears what a kill has left.
    let partial = "\(destination.folder)/\(Files.name(of: path)).decant-partial"
    do throws(SystemError) {
      try Files.copy(path, to: partial, isSynced: true)
      // An earlier run may have got as far as this, and no further.
      try Files.remove("\(destination.folder)/\(target)")
      try Files.publish(partial, at: "\(destination.folder)/\(target)")
    } catch {
      // The error is told; what stays is written over by the next try.
      try? Files.remove(partial)
      throw error
    }
  }

  /// Refuses to write through a link, which may lead anywhere.
  private func checkFolder() throws(SystemError) {
    guard destination.leadsElsewhere else { return }
    throw SystemError("write through the link", destination.folder, code: SystemError.link)
  }
}
