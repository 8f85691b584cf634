package import DecantBase
package import DecantPlan
internal import DecantStore
package import DecantSQLite

/// The ID table as a file: an SQLite database that lists which object became which.
///
/// `ids(entity, source, destination, count, outcome)` has one row for every run of consecutive keys, including gaps.
/// `about(key, value)` describes the run. With a mapping, `entity` and `source` are still those of the source, and the
/// additional column `became` contains the root entity of the destination.
///
/// It is written beside its place while the copy can still fail, and renamed when that is complete: so it never
/// contains keys that were not used, and an interrupted copy can be run again.
package struct IDTableFile {
  package let path: String
  /// The path of the file before it is renamed.
  package var partial: String { path + IDTableFile.partialSuffix }

  package static let partialSuffix = ".decant-partial"

  package init(_ path: String) { self.path = path }

  /// Throws if anything exists there: an ID table is permanent and never overwritten.
  package func check() throws(DecantError) {
    try checkFolder()
    try OutputFile.checkMayWrite(path, option: .keepIDs) { _ in false }
    // The file of an interrupted run is removed; any other file belongs to the user.
    guard (FileStatus(unfollowed: partial)?.byteCount ?? 0) > 0, !isOwn else { return }
    try OutputFile.checkMayWrite(partial, option: .keepIDs) { _ in false }
  }

  /// Throws if its folder does not exist.
  package func checkFolder() throws(DecantError) {
    let folder = Files.folder(of: path)
    guard FileStatus(folder)?.isFolder == true else {
      throw DecantError(
        .folderVanished,
        "cannot write the ID table “\(path)”: there is no folder “\(folder)”",
        place: "\(option: .keepIDs)",
        remedy: "create the folder first, or use another path",
        remedies: [.makeFolder(folder), .chooseAnotherPlace]
      )
    }
  }

  /// Whether the unrenamed file is an ID table, complete or not.
  var isOwn: Bool {
    let uri = DatabaseFile.uri(of: partial, "mode=rw")
    // An unreadable file is not known to be one.
    let tables = try? Connection(uri, mode: .readWrite).text(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('about', 'ids')"
    )
    return tables == "2" || FileStatus(partial + "-journal") != nil
  }
}

extension IDTableFile {
  /// Creates the file; an existing empty file of the final name gives its permissions to it.
  package func makePartial() throws(DecantError) {
    do throws(SystemError) {
      try Files.makeEmpty(partial)
      if let there = FileStatus(path) { _ = try Files.give(partial, to: there) }
    } catch {
      var explained = DecantError(error)
      explained.what = "cannot write the ID table “\(path)”: \(error)"
      throw explained
    }
  }

  /// Renames the table when its copy is complete.
  package func publish() throws(DecantError) {
    do throws(SystemError) {
      // The destination may be an existing empty file, which can be replaced without loss.
      if FileStatus(unfollowed: path)?.byteCount == 0 { try Files.remove(path) }
      try Files.publish(partial, at: path)
    } catch {
      throw DecantError(
        .completedPartly,
        "the copy is complete, but its ID table still has the name “\(partial)”: \(error)",
        remedy: "rename it",
        cause: error
      )
    }
    do throws(SystemError) {
      try Files.syncFolder(Files.folder(of: path))
    } catch {
      throw DecantError(
        .completedPartly,
        "the copy is complete, but the disk did not confirm the rename of its ID table “\(path)”: \(error)",
        remedy: "do not copy again; make a copy of the table",
        cause: error
      )
    }
  }

  /// Removes an unrenamed table, of this copy or of an interrupted one.
  package func remove() {
    // A file that cannot be removed causes an error when it is written.
    for suffix in ["-journal", ""] { try? Files.remove(partial + suffix) }
  }

  /// Returns the links without declaration that were named for the copy.
  ///
  /// Whether the file is an ID table is checked later.
  package func links() -> [CopyOptions.Link] {
    var links: [CopyOptions.Link] = []
    let uri = DatabaseFile.uri(of: path, "mode=ro")
    try? Connection(uri, mode: .readOnly).forEachRow(
      "SELECT value FROM about WHERE key LIKE 'link %' ORDER BY rowid"
    ) { row in
      let parts = (row.text(at: 0) ?? "").split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false)
      guard parts.count >= 3 else { return }
      let property = Property(String(parts[0]), String(parts[1]))
      let condition = parts.dropFirst(3).first.flatMap { try? RowCondition(text: String($0)) }
      links.append(CopyOptions.Link(property, to: String(parts[2]), where: condition))
    }
    return links
  }

  /// The content of a kept ID table.
  package struct Content {
    /// The runs of objects in the destination, by root entity.
    package var runs: [String: KeyRuns] = [:]
    /// The number of rejected objects.
    package var rejectedCount: Int64 = 0
  }

  /// Reads the table, which must be that of a copy from `source` to `destination`.
  package func read(from source: StoreIdentity, to destination: StoreIdentity) throws(DecantError) -> Content {
    guard FileStatus(path)?.isFile == true else {
      throw DecantError(
        .fileNotFound,
        "there is no ID table at “\(path)”",
        place: "\(option: .ids)",
        remedy: "create one with copy \(option: .keepIDs) FILE"
      )
    }
    var runs: [String: [KeyRuns.Run]] = [:]
    var content = Content()
    var about: [String: String] = [:]
    do throws(SQLiteError) {
      let connection = try Connection(DatabaseFile.uri(of: path, "mode=ro"), mode: .readOnly)
      try connection.forEachRow("SELECT key, value FROM about") { row in
        about[row.text(at: 0) ?? ""] = row.text(at: 1)
      }
      try connection.forEachRow("SELECT entity, source, destination, count, outcome FROM ids") {
        row in
        guard let target = row.integerOrNil(at: 2), row.integer(at: 3) > 0 else {
          content.rejectedCount += row.integer(at: 3)
          return
        }
        runs[row.text(at: 0) ?? "", default: []].append(
          KeyRuns.Run(
            first: row.integer(at: 1),
            target: target,
            count: row.integer(at: 3),
            isSkipped: row.text(at: 4) == "skipped"
          )
        )
      }
    } catch {
      throw DecantError(
        .damaged,
        "cannot read “\(path)” as an ID table: \(error.message)",
        place: "\(option: .ids)",
        remedy: "pass the file that copy \(option: .keepIDs) wrote",
        cause: error
      )
    }
    for (name, store) in [("source", source), ("destination", destination)]
    where about["\(name).uuid"] != store.uuid ?? "" {
      throw DecantError(
        .wrongFile,
        "“\(path)” is the ID table of a different copy",
        place: "its \(name) is \(about["\(name).uuid"] ?? "unknown"), but “\(store.place)” is "
          + (store.uuid ?? "without an identifier"),
        remedy: "pass the file that was written when this copy was made"
      )
    }
    content.runs = runs.mapValues { KeyRuns($0) }
    return content
  }
}

extension IDMap {
  /// Calls `body` for every run of keys that map to consecutive keys with the same outcome.
  ///
  /// Keys without object belong to the surrounding run; an object that is not copied ends it.
  package func forEachRun(
    _ body: (_ first: Int64, _ target: Int64?, _ count: Int64, _ outcome: String)
      throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    var run: (first: Int64, target: Int64, last: Int64, outcome: String)?
    func end() throws(SQLiteError) {
      if let run { try body(run.first, run.target, run.last &- run.first &+ 1, run.outcome) }
      run = nil
    }
    try existing.forEach { key throws(SQLiteError) in
      // Filtered objects are not listed; rejected ones are.
      var isRejected = try exceptions?.contains(key) == true
      if let refused = matchedObjects?.refused, try refused.contains(key) { isRejected = true }
      guard !isRejected, let target = try destination(of: key) else {
        try end()
        if isRejected { try body(key, nil, 1, "rejected") }
        return
      }
      let outcome = try outcome(of: key).name
      if let open = run, target &- key == open.target &- open.first, outcome == open.outcome,
        !key.subtractingReportingOverflow(open.first).overflow
      {
        run = (open.first, open.target, key, outcome)
      } else {
        try end()
        run = (key, target, key, outcome)
      }
    }
    try end()
  }
}
