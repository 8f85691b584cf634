internal import CDecantSQLite

/// The bytes of a database and of its write-ahead log, read through SQLite's own file handles.
///
/// Opening and closing the file a second time would drop every POSIX lock that this process holds
/// on it, so nothing that looks at the raw file may do that while a connection is open.
public struct FileView {
  private let file: UnsafeMutablePointer<sqlite3_file>?

  /// Which of the files of a database.
  public enum Part: Sendable {
    /// The main file.
    case database
    /// The rollback journal, or the write-ahead log where there is one.
    case journal
  }

  /// Finds the file behind `schema`; the connection must stay open while the view is used.
  public init(_ part: Part, of schema: String, on connection: Connection) throws(SQLiteError) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let opcode =
      switch part {
      case .database: SQLITE_FCNTL_FILE_POINTER
      case .journal: SQLITE_FCNTL_JOURNAL_POINTER
      }
    let connection = connection.reader(of: schema)
    try connection.check(decant_sqlite_file(connection.handle, schema, opcode, &file))
    self.file = file
  }

  /// The size in bytes; 0 where there is no such file.
  public var byteCount: Int64 {
    var size: Int64 = 0
    guard decant_sqlite_file_size(file, &size) == SQLITE_OK else { return 0 }
    return size
  }

  /// Returns `count` bytes from `offset` on, or `nil` where the file is shorter.
  public func read(_ count: Int, at offset: Int64) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let code = decant_sqlite_file_read(file, &bytes, Int32(clamping: count), offset)
    return code == SQLITE_OK ? bytes : nil
  }
  /// Fills `buffer` with the bytes from `offset` on; false where the file is shorter.
  public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Bool {
    decant_sqlite_file_read(file, buffer.baseAddress, Int32(clamping: buffer.count), offset)
      == SQLITE_OK
  }

  /// Returns the header of the log's index, which all processes share: what a reader that begins now sees.
  ///
  /// The view must be one of the database itself, and the connection must have its log open. A commit is
  /// in the log a moment before it is in the index; until then nobody sees it. `nil` where there is no index
  /// that can be read.
  public var logIndexHeader: [UInt8]? {
    for _ in 1...100 {
      var bytes = [UInt8](repeating: 0, count: 96)
      guard decant_sqlite_log_index(file, &bytes, 96) == SQLITE_OK else { return nil }
      // It stands there twice and is written in turn: where the two differ, somebody is at it.
      if bytes[..<48].elementsEqual(bytes[48...]) {
        return bytes[12] == 1 ? Array(bytes[..<48]) : nil
      }
    }
    return nil
  }
}
