package import DecantBase
package import DecantSQLite

/// An SQLite file that is read and must not be changed, and how to open it completely.
///
/// Usually the file is opened in place. If that cannot work (a write-ahead log or a hot journal in a read-only folder),
/// a private copy is made and removed afterwards.
package final class DatabaseFile {
  /// The path that the user named.
  package let path: String
  /// The `file:` URI to open or attach.
  package let uri: String
  /// The notes for the reader.
  package var notes: [ReportNote] { readingNotes + leftoverNotes }
  /// The notes about the values: what was omitted, and where they were read.
  package private(set) var readingNotes: [ReportNote]
  /// The notes about files that were left behind.
  private let leftoverNotes: [ReportNote]
  /// The folder of the private copy.
  private let privateFolder: ScratchFolder?
  /// The path of the database: `path`, unless it was made from another file.
  package let filePath: String
  /// Whether the database was made by this process from something else.
  package var isMade: Bool { keeper != nil }
  /// Whether nothing is written to the made database any more, and its file may be taken for a new store.
  package let isFinal: Bool
  /// The file from which the database was made; `nil` if `path` is the database itself.
  package let container: StoreContainer?
  /// An object that must live as long as the database is read.
  private let keeper: AnyObject?

  private init(
    path: String,
    uri: String,
    notes: [ReportNote] = [],
    leftovers: [ReportNote] = [],
    privateFolder: ScratchFolder? = nil,
    filePath: String? = nil,
    container: StoreContainer? = nil,
    keeper: AnyObject? = nil,
    isFinal: Bool = false
  ) {
    self.path = path
    self.container = container
    self.filePath = filePath ?? path
    self.keeper = keeper
    self.isFinal = isFinal
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

  /// Determines how to read the database at `path`.
  ///
  /// - Parameters:
  ///   - path: The main file.
  ///   - isPrivate: Whether to always read a private copy, so that writers of the original need not wait.
  /// - Returns: The opened file; a private copy is removed with it.
  /// - Throws: `DecantError` of the family `.storeNotFound`, or `.corruptStore` if it is not a database.
  package static func open(_ path: String, privately isPrivate: Bool = false) throws(DecantError) -> DatabaseFile {
    try checkIsFile(path)
    try checkHasHeader(path)
    if isPrivate { return try privateCopy(of: path, why: "as asked") }
    let hadLog = try byteCount(path + "-wal") != nil
    let plain = uri(of: path, "mode=ro")
    let soundness: FileSoundness
    let state = status(of: path)
    do throws(SQLiteError) {
      if let known = SoundFiles.soundness(of: path, in: state) {
        soundness = known
      } else {
        soundness = try look(into: plain, .readOnly)
      }
      // If a stop was requested, the check may be incomplete.
      if Cancellation.current?.isCancelled != true, status(of: path) == state {
        SoundFiles.note(path, in: state, soundness)
      }
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

  /// Opens a database that was made from another file, whose path is used in all messages.
  ///
  /// - Parameters:
  ///   - filePath: The database.
  ///   - path: The file that the user named.
  ///   - kind: The kind of that file.
  ///   - origin: The state of the files it was made from; an equal state counts as the same source.
  ///   - byteCount: The size of the store; `nil` for that of its files.
  ///   - notes: Notes for the reader.
  ///   - keeper: An object that is released when the database is no longer read.
  ///   - isFinal: Whether nothing is written to it any more; it is then read without locks.
  ///   - isOnServer: Whether it was made from a database on a server.
  /// - Returns: The opened file.
  /// - Throws: `DecantError` if it is not a database.
  package static func made(
    _ filePath: String,
    of path: String,
    kind: String,
    origin: [FileStatus?],
    byteCount: Int64? = nil,
    notes: [ReportNote],
    keeper: AnyObject,
    isFinal: Bool = false,
    isOnServer: Bool = false
  ) throws(DecantError) -> DatabaseFile {
    let uri = uri(of: filePath, isFinal ? "mode=ro&immutable=1" : "mode=ro")
    do throws(SQLiteError) {
      _ = try look(into: uri, .readOnly)
    } catch {
      throw DecantError(opening: path, error)
    }
    PrivateCopies.note(filePath, of: origin)
    let fileSize = origin.reduce(0) { $0 + ($1.map { $0.isFile ? $0.byteCount : 0 } ?? 0) }
    return DatabaseFile(
      path: path,
      uri: uri,
      notes: notes,
      filePath: filePath,
      container: StoreContainer(kind: kind, byteCount: byteCount ?? fileSize, isOnServer: isOnServer),
      keeper: keeper,
      isFinal: isFinal
    )
  }

  /// The first bytes of every SQLite file.
  package static let magic = Array("SQLite format 3\0".utf8)

  /// Returns the text encoding of the database, as `PRAGMA encoding` names it.
  package func textEncoding() throws(DecantError) -> String {
    do throws(SQLiteError) {
      let connection = try Connection(uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      return try connection.textEncoding().rawValue
    } catch {
      throw DecantError(opening: path, error)
    }
  }

  /// Rolls back the unfinished change of an interrupted run in a store that is about to be changed.
  package static func recover(_ path: String) throws(DecantError) {
    try checkIsFile(path)
    guard try byteCount(path + "-journal") ?? 0 > 0 else { return }
    do throws(SQLiteError) {
      _ = try look(into: uri(of: path, "mode=rw"), .readWrite)
    } catch {
      throw DecantError(opening: path, error)
    }
  }

  /// Throws unless a non-empty file exists at `path`.
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
      // SQLite removes the log of an empty database when it is opened, even for reading.
      let hasLog = try byteCount(path + "-wal") ?? 0 > 0
      throw DecantError(
        .emptyFile,
        "“\(path)” is empty",
        remedy: hasLog
          ? "its log still exists: restore the file from a backup before any program opens it"
          : "check that it is the right file; if a copy is to be made there, remove it first"
      )
    }
  }

  /// Throws if the file is too short for a database: SQLite treats a file of one byte as an empty database.
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

  /// Returns the size of the file at `path`; `nil` only if none exists.
  ///
  /// An inaccessible log is not treated as missing: its content would be lost silently.
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
    // Two slashes at the start would name a host; a name like “:memory:” would have a special meaning.
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
    // The file may have been removed since.
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
    // Without a log immutable=1 cannot hide anything.
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

  /// Copies a database with its log or journal, as clones if the file system supports it.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - copy: Its copy.
  ///   - goesOn: Called after each piece, with the bytes written so far and the total; returns whether to continue.
  /// - Returns: The state of the files; `nil` if they were written to during each attempt.
  /// - Throws: `SystemError`, with code `stopped` if `goesOn` returned false.
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

  /// Opens a private copy for writing once, which rolls back a hot journal.
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

  /// Returns the state of a database and of the files beside it.
  package static func status(of path: String) -> [FileStatus?] {
    suffixes.map { FileStatus(path + $0) }
  }
}

extension DecantError {
  /// Creates the error for a database that could not be opened.
  package init(opening path: String, _ error: SQLiteError) {
    // A view or trigger names `main.table`, but the database has another schema name here.
    guard !error.message.contains("cannot reference objects in database") else {
      self.init(
        .unsupportedContent,
        "cannot open “\(path)”: \(error.message)",
        remedy: "in a copy of the file, remove “main.” from the table names in the object named above",
        cause: error
      )
      return
    }
    // SQLite reports the general code for a header that requires features no version has.
    guard error.isCorrupt || error.isGeneral else {
      let holders = error.isBusy ? LockHolders(ofDatabase: path) : nil
      self.init("cannot open “\(path)”", place: holders?.text, cause: error)
      if let holders { remedies = holders.remedies }
      return
    }
    if error.isCorrupt, let truncation = FileSoundness.truncation(of: path) {
      self = truncation
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
