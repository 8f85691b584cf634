internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A store at its old place, which is removed after the one at the new place has been verified.
struct OldStore {
  private let location: StoreLocation
  /// The store's file itself.
  private let file: String
  private let migration: Migrate

  init(_ location: StoreLocation, file: String, _ migration: Migrate) {
    self.location = location
    self.file = file
    self.migration = migration
  }

  /// Removes the file, log and external files, after the store at `place` was reopened and checked.
  ///
  /// - Parameters:
  ///   - place: Where the store is now.
  ///   - state: The state of the old store from which it was made.
  ///   - run: The run that moved it there.
  ///   - report: Receives what was removed and what was left.
  /// - Throws: `DecantError` if the store at the new place is not valid, or the old one is in use.
  func remove(
    after place: String,
    in state: String,
    _ run: MigrationRun,
    _ report: inout MigrationReport
  ) throws(DecantError) {
    let missing = try Inspect(StoreLocation(place: place), opener: migration.opener).run()
      .externalFiles.map(\.missingCount).reduce(0, +)
    guard missing == 0 else {
      report.notes.append(OldStore.noteOnMissing(missing, location.place))
      return
    }
    try check(place, run)
    let removed = PendingRemoval.removed(file)
    let hold = try ExclusiveLock(file, place: location.place)
    guard try PendingRemoval.state(of: file) == state else {
      throw DecantError(
        .storeChanged,
        "“\(location.place)” was changed during the migration",
        remedy: "check what was added to it, and remove it by hand"
      )
    }
    // From here on no app finds the old store, and the next run completes an interrupted removal.
    try explaining { () throws(SystemError) in try Files.publish(file, at: removed) }
    hold.release()
    do throws(DecantError) {
      try ExclusiveFile.checkIsClosed(removed, StoreLock(path: removed, place: location.place))
    } catch {
      try explaining { () throws(SystemError) in try Files.publish(removed, at: file) }
      throw error
    }
    // Its other files are removed only after its former name is durably gone.
    try explaining { () throws(SystemError) in try Files.syncFolder(Files.folder(of: file)) }
    try finish(&report)
  }

  /// Returns a note on a store at `place` that is kept because `count` external files were not found.
  ///
  /// The store may be the last one to reference them.
  static func noteOnMissing(_ count: Int64, _ place: String) -> ReportNote {
    ReportNote(
      .oldStoreKept,
      "“\(place)” is not removed, because \(count.counted("file")) of its values \(count == 1 ? "was" : "were") not found"
    )
  }

  /// Whether an interrupted run had begun to remove the store.
  var isHalfRemoved: Bool {
    FileStatus(unfollowed: PendingRemoval.removed(file))?.isFile == true
  }

  /// Removes the store's other files, and then its already renamed file.
  ///
  /// - Parameter report: Receives what was removed and what was left.
  /// - Throws: `DecantError`; the next run removes what is left.
  func finish(_ report: inout MigrationReport) throws(DecantError) {
    if FileStatus(unfollowed: file) == nil {
      try explaining { () throws(SystemError) in
        if !Files.isSamePlace(location.place, file) { try Files.remove(location.place) }
        for ending in ["-wal", "-shm", "-journal"] { try Files.remove(file + ending) }
      }
      try removeFiles(file, try companions(of: file), &report)
    } else {
      report.notes.append(
        ReportNote(
          .oldStoreKept,
          "“\(location.place)” is a new store, and the files next to it may belong to it: none of them was removed"))
    }
    try explaining { () throws(SystemError) in
      try Files.syncFolder(Files.folder(of: file))
      try Files.remove(PendingRemoval.removed(file))
      try Files.syncFolder(Files.folder(of: file))
    }
    report.removed.insert(location.place, at: 0)
  }

  /// Opens the store at `place` as an app would, and checks its pages.
  private func check(_ place: String, _ run: MigrationRun) throws(DecantError) {
    let (check, stages) = try run.plan(StoreLocation(place: place))
    guard stages.isEmpty, check.migration == .none else {
      throw DecantError(
        .proofFailed,
        "“\(place)” was created but does not have the requested version: “\(location.place)” is not removed",
        remedy: "this is a bug in decant: please report it"
      )
    }
    let database = try DatabaseFile.open(place)
    try explaining("cannot read “\(place)”") { () throws(SQLiteError) in
      let connection = try Connection(database.uri, mode: .readOnly)
      try connection.acceptUnknownCollations()
      let damage = try StructureCheck(of: "main", on: connection).findings(.quick, limit: 1)
      guard damage.isEmpty else {
        throw SQLiteError(code: SQLiteError.corruptCode, message: damage[0])
      }
    }
  }

  /// Returns files next to it that share its external files: backups, and stores whose names differ only in the
  /// extension.
  private func companions(of file: String) throws(DecantError) -> [String] {
    let folder = Files.folder(of: file)
    let own = migration.opener.externalFolder(of: file)
    let parts =
      ["", "-wal", "-shm", "-journal"].map { Files.name(of: file) + $0 }
      + [Files.name(of: PendingRemoval.removed(file))]
    let names = try explaining { () throws(SystemError) in try Files.names(in: folder) }
    return names.filter { name in
      let path = "\(folder)/\(name)"
      guard !parts.contains(name), FileStatus(path)?.isFile == true else { return false }
      let isBackup = name.hasPrefix(Files.name(of: file) + ".backup-")
      return isBackup || (own != nil && migration.opener.externalFolder(of: path) == own)
    }
  }

  private func removeFiles(_ file: String, _ others: [String], _ report: inout MigrationReport) throws(DecantError) {
    guard let folder = migration.opener.externalFolder(of: file) else { return }
    let parent = Files.folder(of: folder)
    guard FileStatus(unfollowed: parent)?.isFolder == true else { return }
    let isThere = FileStatus(unfollowed: folder)?.isFolder == true
    guard others.isEmpty || !isThere else {
      report.notes.append(
        ReportNote(
          .oldStoreKept,
          "“\(folder)” is not removed, because it may be used by \(others.map { "“\($0)”" }.joined(separator: ", "))"))
      return
    }
    try explaining { () throws(SystemError) in
      if isThere { try Files.removeTree(folder) }
      if try Files.names(in: parent).isEmpty { try Files.removeTree(parent) }
    }
    guard isThere else { return }
    report.removed.append(folder)
  }
}
