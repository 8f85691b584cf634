internal import SQLite

/// Brings over the values that lie in files of their own.
///
/// Files are put in place before the rows that refer to them become visible: files too many harm
/// nobody. A copy that fails takes its own away again; one that was killed leaves whole files, which
/// the next one knows by their names and content.
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
    let held = HeldFileNames(
      on: connection,
      in: destination,
      layout,
      before: counters,
      isNew: isNew
    )
    try explaining("cannot list external files") { () throws(SQLiteError) in
      try connection.run("CREATE TEMP TABLE IF NOT EXISTS decant_files (name TEXT PRIMARY KEY)")
      try held.prepare()
    }
    for relation in layout.relations {
      for column in relation.columns where column.isExternal {
        try copy(column, of: relation, above: counters[relation.root] ?? Int64.min, held, &counts)
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
      guard let name = row.text(at: 0) else { return }
      for suffix in ["", partial] { try? Files.remove("\(destination.folder)/\(name)\(suffix)") }
    }
  }

  private func copy(
    _ column: RelationColumn,
    of relation: Relation,
    above counter: Int64,
    _ held: HeldFileNames,
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
        let object = "\(relation.table).\(column.name) \(key)"
        guard let reference = try bringOver(value, current, of: object, held, &counts) else {
          continue
        }
        try explaining(text) { () throws(SQLiteError) in
          try update.run(.blob(reference), .integer(key))
        }
      }
    }
  }

  /// Copies the file behind `value`; returns the new reference where the name has to change.
  ///
  /// `current` is what the destination has: another reference where an earlier run, which was cut off,
  /// has changed the name already. `object` says whose value it is, in the destination.
  private func bringOver(
    _ value: [UInt8],
    _ current: [UInt8],
    of object: String,
    _ held: HeldFileNames,
    _ counts: inout CopyReport.FileCounts
  ) throws(DecantError) -> [UInt8]? {
    guard let name = value.withUnsafeBytes({ source.fileName(in: $0) }) else { return nil }
    let path = value.withUnsafeBytes { source.file(for: $0) }
    do throws(SystemError) {
      var target = name
      if current != value, let changed = current.withUnsafeBytes({ destination.fileName(in: $0) }) {
        target = changed
      } else {
        var attempt = 0
        while try isTaken(target, by: path, held) {
          // The same each time: what a run that was cut off has copied is found again.
          target = destination.newFileName(after: "\(name) \(object) \(attempt)")
          attempt += 1
        }
      }
      try noting(target) { () throws(SQLiteError) in try held.insert(target) }
      if let path {
        try checkFolder()
        try copy(path, as: target)
        counts.copied += 1
      } else {
        counts.missing += 1
      }
      return target == name || current != value ? nil : destination.reference(to: target)
    } catch {
      throw DecantError(error)
    }
  }

  /// Whether `target` belongs to an object that is there, or is a file of somebody else's.
  ///
  /// Sharing a name, one would lose the file with the other.
  private func isTaken(_ target: String, by path: String?, _ held: HeldFileNames)
    throws(SystemError) -> Bool
  {
    guard FileStatus(unfollowed: "\(destination.folder)/\(target)") != nil else { return false }
    var isHeld = false
    try noting(target) { () throws(SQLiteError) in isHeld = try held.contains(target) }
    guard !isHeld, let path else { return true }
    return try !isSame(path, as: target)
  }

  /// Whether the file `target` of the destination holds what is at `path`.
  private func isSame(_ path: String, as target: String) throws(SystemError) -> Bool {
    let there = "\(destination.folder)/\(target)"
    guard let status = FileStatus(unfollowed: there), status.isFile,
      status.byteCount == FileStatus(path)?.byteCount
    else { return false }
    return try Files.hash(of: path) == Files.hash(of: there)
  }

  /// Makes the file `target` of the destination, whole at once; one that is there already stays.
  private func copy(_ path: String, as target: String) throws(SystemError) {
    try Files.makeFolder(destination.folder)
    if try isSame(path, as: target) { return }
    try noting(target) { () throws(SQLiteError) in
      try connection.run("INSERT OR IGNORE INTO temp.decant_files VALUES (?1)", .text(target))
    }
    let place = "\(destination.folder)/\(target)"
    try Files.copy(path, to: place + partial, isSynced: true)
    // Only what an earlier run of this very copy made can be there, and was changed since.
    try Files.remove(place)
    try Files.publish(place + partial, at: place)
  }

  /// Refuses to write through a link, which may lead anywhere.
  private func checkFolder() throws(SystemError) {
    guard destination.leadsElsewhere else { return }
    throw SystemError("write through the link", destination.folder, code: SystemError.link)
  }

  /// What the name of a file ends with that is not whole yet.
  private var partial: String { ".decant-partial" }

  private func noting(_ name: String, _ body: () throws(SQLiteError) -> Void) throws(SystemError) {
    do throws(SQLiteError) { try body() } catch {
      throw SystemError("note", name, code: SystemError.inputOutput)
    }
  }
}
