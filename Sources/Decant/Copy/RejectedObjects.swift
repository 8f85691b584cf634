public import SQLite

/// The objects that a copy left out, for whoever writes them down so that they can be taken in later.
public struct RejectedObjects {
  /// Where their store is, and how it was opened.
  public let location: StoreLocation
  package let options: CopyOptions
  /// The file that is to be written.
  public let path: String
  /// The connection on which the store is attached as `schema`, and held in one state.
  public let connection: Connection
  public let schema: String
  /// That state: equal texts mean that nothing was written in between.
  public let fingerprint: String
  /// What the objects were to become, where a mapping says so.
  package let form: Form?

  /// The store that objects were to be written to, as they are told by its names.
  package struct Form {
    /// Where its objects lie.
    package let layout: Layout
    /// A connection that has its tables, or the same ones, as `schema`.
    package let connection: Connection
    package let schema: String
  }

  /// The table on `connection` that names them: `decant_root`, `decant_key`, `decant_code` and
  /// `decant_reason`, which no app's column is called.
  public static let table = "temp.decant_rejected"

  /// Whether a table of a store is one in which an unfinished copy notes how far it is.
  package static func isWorkTable(_ name: String) -> Bool {
    FileCheckpoint.allTables.contains(name.lowercased())
  }

  /// A key of several values, or of one that is no integer, as `decant_key` holds it.
  ///
  /// - Parameter columns: The columns as SQL names them.
  /// - Returns: An expression.
  package static func keyText(_ columns: [String]) -> String { Rejects.keyText(columns) }
}

/// A file that is written, and that gets its name when what it speaks of is done.
public protocol PendingFile: AnyObject {
  /// What a reader should know of it.
  var notes: [String] { get }
  /// Gives the file its name; nothing has it.
  func publish() throws(DecantError)
  /// Removes what was written.
  func abandon()
}

/// The file of rejected objects that a user named, while a copy runs.
final class RejectsFile {
  let path: String
  private var written: (any PendingFile)?

  init(_ path: String) { self.path = path }

  /// Throws if another kind of file is there.
  func check() throws(DecantError) {
    try OutputFile.checkMayWrite(path, option: .rejects, RejectsFile.isOwn)
  }

  /// Whether a file that begins with `start` is one of rejects, and no other archive.
  private static func isOwn(_ start: [UInt8]) -> Bool {
    [#"{"decant":1,"rej"#, #"{"entity"#].contains { start.starts(with: $0.utf8) }
  }

  /// Has the objects written beside the place; returns what to know of the file.
  func write(
    _ rejects: Rejects,
    of source: any SourceStore,
    _ location: StoreLocation,
    to destination: any DestinationStore,
    _ options: CopyOptions,
    _ fingerprint: Fingerprint,
    by opener: any StoreOpener
  ) throws(DecantError) -> [String] {
    let file = rejects.connection.reader(of: Workbench.source)
    // The views of a mapping are where its objects are copied.
    let reader = source.mapped == nil ? file : rejects.connection
    try explaining("cannot read the rejects") { () throws(SQLiteError) in
      try rejects.list(on: reader)
    }
    var form: RejectedObjects.Form?
    if source.mapped != nil {
      // The tables of a new store are the source's, and what an existing one has is known to the copy.
      form = RejectedObjects.Form(
        layout: destination.layout,
        connection: destination.isNew ? file : rejects.connection,
        schema: destination.isNew ? Workbench.source : "main"
      )
      try explaining("cannot offer functions to SQL") { () throws(SQLiteError) in
        try ConvertedValue.register(on: reader, isLenient: true)
      }
    }
    let pending = try opener.write(
      RejectedObjects(
        location: known(location, source),
        options: options,
        path: path,
        connection: reader,
        schema: Workbench.source,
        fingerprint: fingerprint.description,
        form: form
      ),
      of: source
    )
    if form != nil {
      // The proof reads the source once more.
      try explaining("cannot offer functions to SQL") { () throws(SQLiteError) in
        try ConvertedValue.register(on: reader, isLenient: false)
      }
    }
    written = pending
    return pending.notes
  }

  /// The source's place with the kind that is known, where it is the database itself that is open.
  ///
  /// Whoever looks what it is opens and closes the file, and with that gives up every lock that this process has on it.
  private func known(_ location: StoreLocation, _ source: any SourceStore) -> StoreLocation {
    guard location.kind == nil, let path = source.path, Files.isSamePlace(path, location.place)
    else { return location }
    return StoreLocation(kind: source.identity.kind, place: location.place)
  }

  /// Gives the file its name; where nothing was rejected, takes one of an earlier run away.
  func publish() throws(DecantError) {
    try check()
    do throws(SystemError) { try Files.remove(path) } catch { throw DecantError(error) }
    try written?.publish()
    written = nil
  }

  /// Gives the file its name that an earlier run had written, whose copy is done; returns whether there is one.
  func complete() throws(DecantError) -> Bool {
    let partial = "\(path).decant-partial"
    guard (FileStatus(unfollowed: partial)?.byteCount ?? 0) > 0 else { return false }
    try check()
    try explaining { () throws(SystemError) in
      try Files.remove(path)
      try Files.publish(partial, at: path)
      try Files.syncFolder(Files.folder(of: path))
    }
    return true
  }

  /// Removes what was written, or says where it is if the copy is there all the same.
  func abandon(keeping holdsCopy: Bool, telling error: inout DecantError) {
    guard let written else { return }
    if holdsCopy {
      error.tell("the rejected objects: \(path).decant-partial")
    } else {
      written.abandon()
    }
    self.written = nil
  }
}
