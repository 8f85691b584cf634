internal import SQLite

/// Brings over the values that lie in files of their own.
///
/// Files are put in place before the rows that refer to them become visible: files too many harm
/// nobody. A copy that fails takes its own away again.
struct ExternalFiles {
  let connection: Connection
  let source: any ExternalStorage
  let destination: any ExternalStorage
  /// Whether the destination is new, so that a file that is there already can only be a leftover.
  let isNew: Bool

  /// The files that go from one store to another; `nil` where their kinds know none.
  static func between(
    _ source: any SourceStore,
    _ destination: any DestinationStore,
    on bench: Workbench
  ) -> ExternalFiles? {
    guard let from = source.externalStorage, let to = destination.externalStorage else {
      return nil
    }
    return ExternalFiles(
      connection: bench.connection,
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
    try explaining("cannot list external files") { () throws(SQLiteError) in
      try connection.run("CREATE TEMP TABLE IF NOT EXISTS decant_files (name TEXT PRIMARY KEY)")
    }
    for relation in layout.relations {
      for column in relation.columns where column.isExternal {
        try copy(column, of: relation, above: counters[relation.root] ?? Int64.min, &counts)
      }
    }
    if counts.copied > 0 {
      do throws(SystemError) { try Files.sync(destination.folder) } catch {
        throw DecantError(error)
      }
    }
    return counts
  }

  /// Takes away the files that this copy has made.
  func remove() {
    connection.setProgressCheck(nil)
    // On the way out of an error that is being reported already; what stays is referred to by nobody.
    try? connection.forEachRow("SELECT name FROM temp.decant_files") { row in
      if let name = row.text(at: 0) { try? Files.remove("\(destination.folder)/\(name)") }
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
      } else if FileStatus(unfollowed: "\(destination.folder)/\(name)") != nil {
        // The name belongs to an object that is there: sharing it, one would lose the file with
        // the other.
        var isLeftOver = false
        if isNew, let path {
          let there = try Files.hash(of: "\(destination.folder)/\(name)")
          isLeftOver = try Files.hash(of: path) == there
        }
        if isLeftOver {
          counts.copied += 1
          return nil
        }
        target = destination.newFileName()
      }
      if let path {
        try checkFolder()
        try Files.makeFolder(destination.folder)
        try note(target)
        try Files.copy(path, to: "\(destination.folder)/\(target)", isSynced: true)
        counts.copied += 1
      } else {
        counts.missing += 1
      }
      return target == name || current != value ? nil : destination.reference(to: target)
    } catch {
      throw DecantError(error)
    }
  }

  /// Refuses to write through a link, which may lead anywhere.
  private func checkFolder() throws(SystemError) {
    guard destination.leadsElsewhere else { return }
    throw SystemError("write through the link", destination.folder, code: SystemError.link)
  }

  private func note(_ name: String) throws(SystemError) {
    do throws(SQLiteError) {
      try connection.run("INSERT OR IGNORE INTO temp.decant_files VALUES (?1)", .text(name))
    } catch {
      throw SystemError("note", name, code: SystemError.inputOutput)
    }
  }
}
