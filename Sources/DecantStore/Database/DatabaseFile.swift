package import DecantBase
package import DecantSQLite

/// A SQLite file that is read and must not be changed: how to open it so that all of it is seen.
///
/// Usually the file is opened where it lies. Where that cannot work — a write-ahead log or a hot
/// journal in a folder that cannot be written — a private copy is taken and removed again.
package final class DatabaseFile {
  /// The place the user named.
  package let path: String
  /// What to open or attach: a `file:` URI.
  package let uri: String
  /// What the reader should know.
  package var notes: [ReportNote] { readingNotes + leftoverNotes }
  /// What of it concerns the values that are read: what is left out, where they were read.
  package private(set) var readingNotes: [ReportNote]
  /// What of it only says which files lie about now.
  private let leftoverNotes: [ReportNote]
  /// What the private copy lies in.
  private let privateFolder: ScratchFolder?
  /// Where the database lies: at `path`, unless it was made out of what is there.
  package let filePath: String
  /// What the database was made out of; `nil` where it lies at `path` itself.
  package let container: StoreContainer?
  /// What has to stay as long as the database is read.
  private let keeper: AnyObject?

  private init(
    path: String,
    uri: String,
    notes: [ReportNote] = [],
    leftovers: [ReportNote] = [],
    privateFolder: ScratchFolder? = nil,
    filePath: String? = nil,
    container: StoreContainer? = nil,
    keeper: AnyObject? = nil
  ) {
    self.path = path
    self.container = container
    self.filePath = filePath ?? path
    self.keeper = keeper
    self.uri = uri
    readingNotes = notes
    leftoverNotes = leftovers
    self.privateFolder = privateFolder
  }

  deinit {
    if keeper != nil { PrivateCopies.forget(filePath) }
    guard let privateFolder else { return }
    PrivateCopies.forget("\(privateFolder.path)/\(Files.name(of: path))")
  }

  /// Finds out how to read the database at `path`.
  ///
  /// - Parameters:
  ///   - path: The main file.
  ///   - isPrivate: Whether to read a private copy in any case, so that nobody who writes to the
  ///     original has to wait.
  /// - Returns: The way to read it; a private copy goes with the value.
  /// - Throws: `DecantError` of the family `.storeNotFound`, or `.corruptStore` for what is no database.
  package static func open(_ path: String, privately isPrivate: Bool = false) throws(DecantError) -> DatabaseFile {
    try checkIsFile(path)
    try checkHasHeader(path)
    if isPrivate { return try privateCopy(of: path, why: "as asked") }
    let hadLog = try byteCount(path + "-wal") != nil
    let plain = uri(of: path, "mode=ro")
    let soundness: FileSoundness
    do throws(SQLiteError) {
      soundness = try look(into: plain, .readOnly)
    } catch {
      guard error.isReadOnly || error.cannotOpen else { throw DecantError(opening: path, error) }
      return try openWhereNothingCanBeWritten(path, error)
    }
    try soundness.check(path)
    var leftovers: [ReportNote] = []
    if !hadLog, try byteCount(path + "-wal") != nil {
      leftovers.append(
        ReportNote(.filesBesideSource, "SQLite left an empty \(Files.name(of: path))-wal and a -shm next to the source")
      )
    }
    return DatabaseFile(path: path, uri: plain, notes: soundness.notes(path), leftovers: leftovers)
  }

  /// A database that was made out of what is at another place, by which it goes in all that is told.
  ///
  /// - Parameters:
  ///   - filePath: The database.
  ///   - path: What the user named.
  ///   - kind: The name of the kind of what the user named.
  ///   - origin: The state of the files it was made of: the same, and it counts as the same source.
  ///   - notes: What a reader should know.
  ///   - keeper: What goes when nobody reads the database any more.
  /// - Returns: The way to read it.
  /// - Throws: `DecantError` where it is no database.
  package static func made(
    _ filePath: String,
    of path: String,
    kind: String,
    origin: [FileStatus?],
    notes: [ReportNote],
    keeper: AnyObject
  ) throws(DecantError) -> DatabaseFile {
    let uri = uri(of: filePath, "mode=ro")
    do throws(SQLiteError) {
      _ = try look(into: uri, .readOnly)
    } catch {
      throw DecantError(opening: path, error)
    }
    PrivateCopies.note(filePath, of: origin)
    let byteCount = origin.reduce(0) { $0 + ($1.map { $0.isFile ? $0.byteCount : 0 } ?? 0) }
    return DatabaseFile(
      path: path,
      uri: uri,
      notes: notes,
      filePath: filePath,
      container: StoreContainer(kind: kind, byteCount: byteCount),
      keeper: keeper
    )
  }

  /// What every file of SQLite's begins with.
  package static let magic = Array("SQLite format 3\0".utf8)

  /// The encoding of the database's texts, as `PRAGMA encoding` names it.
  package func textEncoding() throws(DecantError) -> String {
    do throws(SQLiteError) {
      let connection = try Connection(uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      return try connection.textEncoding().rawValue
    } catch {
      throw DecantError(opening: path, error)
    }
  }

  /// Has SQLite undo what a run that was cut off left half-written in a store that is to be changed.
  package static func recover(_ path: String) throws(DecantError) {
    try checkIsFile(path)
    guard try byteCount(path + "-journal") ?? 0 > 0 else { return }
    do throws(SQLiteError) {
      _ = try look(into: uri(of: path, "mode=rw"), .readWrite)
    } catch {
      throw DecantError(opening: path, error)
    }
  }

  /// Throws unless there is a file of some length at `path`.
  package static func checkIsFile(_ path: String) throws(DecantError) {
    guard let status = FileStatus(path) else {
      throw DecantError(
        .storeNotFound,
        "there is no store at “\(path)”",
        remedy: "check the spelling; a relative path is resolved from the current folder"
      )
    }
    guard !status.isFolder else {
      throw DecantError(.notAStore, "“\(path)” is a folder, not a store", remedy: "name the store file inside it")
    }
    guard status.isFile else {
      throw DecantError(
        .notAStore,
        "“\(path)” is not a regular file",
        remedy: "a store must be a regular file, not a device or a pipe"
      )
    }
    guard status.byteCount > 0 else {
      // SQLite removes the log of an empty database as soon as it is opened, even for reading.
      let hasLog = try byteCount(path + "-wal") ?? 0 > 0
      throw DecantError(
        .emptyFile,
        "“\(path)” is empty",
        remedy: hasLog
          ? "its log still exists: restore the file from a backup before any program opens it"
          : "to make a copy there, remove the empty file first"
      )
    }
  }

  /// Throws where the file is too short for a database: SQLite takes one of a single byte for an empty database.
  private static func checkHasHeader(_ path: String) throws(DecantError) {
    guard let count = FileStatus(path)?.byteCount, count < headerByteCount else { return }
    throw DecantError(
      .notADatabase,
      "cannot open “\(path)”: file is not a database",
      place:
        "it has \(count) byte\(count == 1 ? "" : "s"), the header of a database \(headerByteCount)",
      remedy: DecantError.noDatabaseRemedy
    )
  }

  private static let headerByteCount = 100

  /// The length of what lies at `path`; `nil` only where nothing does.
  ///
  /// A log that cannot be looked at is never taken for none: what it holds would be lost silently.
  package static func byteCount(_ path: String) throws(DecantError) -> Int64? {
    do throws(SystemError) {
      return try FileStatus.look(at: path, followsLinks: true)?.byteCount
    } catch {
      throw DecantError(error)
    }
  }

  /// Returns `path` as a `file:` URI with `query`.
  package static func uri(of path: String, _ query: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./-_".utf8)
    let escaped = path.utf8.map { byte in
      plain.contains(byte) ? String(Unicode.Scalar(byte)) : "%" + byte.hex
    }
    // Two slashes at the start would name a host; a name like “:memory:” would mean something else.
    let start = path.hasPrefix("/") ? "//" : "./"
    return "file:\(start)\(escaped.joined())?\(query)"
  }

  private static func look(into uri: String, _ mode: Connection.Mode) throws(SQLiteError) -> FileSoundness {
    let connection = try Connection(uri, mode: mode)
    connection.setBusyTimeout(milliseconds: 5_000)
    return try FileSoundness.look(at: connection)
  }

  private static func openWhereNothingCanBeWritten(_ path: String, _ error: SQLiteError)
    throws(DecantError) -> DatabaseFile
  {
    // Whatever was there may have vanished since.
    try checkIsFile(path)
    guard Files.isReadable(path) else {
      throw DecantError(
        .accessDenied,
        "cannot open “\(path)”: permission denied",
        remedy: "ask its owner for the right to read it"
      )
    }
    let hasJournal = try byteCount(path + "-journal") ?? 0 > 0
    let hasLog = try byteCount(path + "-wal") ?? 0 > 0
    if hasJournal || hasLog {
      let isWritable = Files.isWritable(path) && Files.isWritable(Files.folder(of: path))
      return try privateCopy(
        of: path,
        why: !isWritable
          ? "its folder cannot be written"
          : hasJournal
            ? "its journal still holds an interrupted change"
            : "SQLite cannot open it in place"
      )
    }
    // Without a log there is nothing that immutable=1 could hide.
    let immutable = uri(of: path, "mode=ro&immutable=1")
    let soundness: FileSoundness
    do throws(SQLiteError) {
      soundness = try look(into: immutable, .readOnly)
    } catch {
      throw DecantError(opening: path, error)
    }
    try soundness.check(path)
    return DatabaseFile(path: path, uri: immutable)
  }

  private static func privateCopy(of path: String, why: String) throws(DecantError) -> DatabaseFile {
    let folder = try ScratchFolder()
    let copy = "\(folder.path)/\(Files.name(of: path))"
    let file = DatabaseFile(
      path: path,
      uri: uri(of: copy, "mode=ro"),
      notes: [ReportNote(.privateCopy, "read from a private copy: \(why)")],
      privateFolder: folder
    )
    do throws(SystemError) {
      let origin = try copyQuietly(path, to: copy) { _, _ in Cancellation.current?.isCancelled != true }
      guard let origin else {
        throw SystemError("copy", path, code: SystemError.busy)
      }
      PrivateCopies.note(copy, of: origin)
    } catch {
      guard error.code == SystemError.busy else { throw DecantError(error) }
      throw DecantError(
        .storeLocked,
        "cannot copy “\(path)” while it is being written",
        remedy: "close the program that is writing it",
        remedies: LockHolders(ofDatabase: path).remedies,
        cause: error
      )
    }
    return try recovered(file, at: copy)
  }

  /// Copies a database with its log or journal, without taking room where the file system can.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - copy: Its copy.
  ///   - goesOn: Called after each piece, with the bytes written so far and the bytes in all; returns whether to continue.
  /// - Returns: What the files were; `nil` if somebody wrote to them all the while.
  /// - Throws: `SystemError`, of code `stopped` where it was not to go on.
  package static func copyQuietly(
    _ path: String,
    to copy: String,
    goesOn: (_ done: Int64, _ all: Int64) -> Bool = { _, _ in true }
  ) throws(SystemError) -> [FileStatus?]? {
    for _ in 1...5 {
      let before = status(of: path)
      let all = before.reduce(0) { $0 + ($1?.byteCount ?? 0) }
      var done: Int64 = 0
      for (suffix, file) in zip(suffixes, before) {
        try Files.remove(copy + suffix)
        guard FileStatus(path + suffix) != nil else { continue }
        try Files.copy(path + suffix, to: copy + suffix) { goesOn(done + $0, all) }
        done += file?.byteCount ?? 0
        guard goesOn(done, all) else {
          throw SystemError("copy", path, code: SystemError.stopped)
        }
      }
      if status(of: path) == before { return before }
    }
    return nil
  }

  /// Opens a private copy for writing once, so that a hot journal in it is rolled back.
  private static func recovered(_ file: DatabaseFile, at copy: String) throws(DecantError) -> DatabaseFile {
    let soundness: FileSoundness
    do throws(SQLiteError) {
      soundness = try look(into: uri(of: copy, "mode=rw"), .readWrite)
    } catch {
      throw DecantError(opening: file.path, error)
    }
    try soundness.check(file.path)
    file.readingNotes += soundness.notes(file.path)
    return file
  }

  private static let suffixes = ["", "-wal", "-journal"]

  /// The state of a database and of what lies beside it.
  package static func status(of path: String) -> [FileStatus?] {
    suffixes.map { FileStatus(path + $0) }
  }
}

extension DecantError {
  /// A database that could not be opened.
  package init(opening path: String, _ error: SQLiteError) {
    // A view or trigger that says `main.table` is none in a database that is called anything else here.
    guard !error.message.contains("cannot reference objects in database") else {
      self.init(
        .unsupportedContent,
        "cannot open “\(path)”: \(error.message)",
        remedy: "in a copy of the file, remove “main.” from the table names in the object named above",
        cause: error
      )
      return
    }
    // The general code is what SQLite says of a header that asks for what no version of it can do.
    guard error.isCorrupt || error.isGeneral else {
      let holders = error.isBusy ? LockHolders(ofDatabase: path) : nil
      self.init("cannot open “\(path)”", place: holders?.text, cause: error)
      if let holders { remedies = holders.remedies }
      return
    }
    self.init(
      error.isCorrupt && !error.isNoDatabase ? .damaged : .notADatabase,
      "cannot open “\(path)”: \(error.message)",
      remedy: Self.noDatabaseRemedy,
      cause: error
    )
  }

  fileprivate static let noDatabaseRemedy: Text =
    "it is damaged, encrypted, or not a SQLite database: check its type\(shell: " with the “file” command", app: " and where it is from")"
}
