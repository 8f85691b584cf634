public import SQLite

/// The objects that a copy left out, for whoever writes them down so that they can be taken in later.
public struct RejectedObjects {
  /// Where their store is, and how it was opened.
  public let location: StoreLocation
  public let options: CopyOptions
  /// The file that is to be written.
  public let path: String
  /// The connection on which the store is attached as `schema`, and held in one state.
  public let connection: Connection
  public let schema: String
  /// That state: equal texts mean that nothing was written in between.
  public let fingerprint: String

  /// The table on `connection` that names them: `decant_root`, `decant_key`, `decant_code` and
  /// `decant_reason`, which no app's column is called.
  public static let table = "temp.decant_rejected"

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
    try OutputFile.checkMayWrite(path, option: "--rejects", RejectsFile.isOwn)
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
    _ options: CopyOptions,
    _ fingerprint: Fingerprint,
    by opener: any StoreOpener
  ) throws(DecantError) -> [String] {
    let reader = rejects.connection.reader(of: Workbench.source)
    try explaining("cannot read the rejects") { () throws(SQLiteError) in
      try rejects.list(on: reader)
    }
    let file = try opener.write(
      RejectedObjects(
        location: location,
        options: options,
        path: path,
        connection: reader,
        schema: Workbench.source,
        fingerprint: fingerprint.description
      ),
      of: source
    )
    written = file
    return file.notes
  }

  /// Gives the file its name; where nothing was rejected, takes one of an earlier run away.
  func publish() throws(DecantError) {
    try check()
    do throws(SystemError) { try Files.remove(path) } catch { throw DecantError(error) }
    try written?.publish()
    written = nil
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
