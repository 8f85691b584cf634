internal import CDecantSQLite

/// The bytes of a database and of its write-ahead log, read through SQLite's own file handles.
///
/// Opening and closing the file a second time would release every POSIX lock of this process on it. Code that reads the
/// raw file must not do so while a connection is open.
package struct FileView {
  private let file: UnsafeMutablePointer<sqlite3_file>?

  /// A file of a database.
  package enum Part: Sendable {
    /// The main file.
    case database
    /// The rollback journal, or the write-ahead log if there is one.
    case journal
  }

  /// Finds the file of `schema`; the connection must stay open while the view is used.
  package init(_ part: Part, of schema: String, on connection: Connection) throws(SQLiteError) {
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

  /// The size in bytes; 0 if there is no such file.
  package var byteCount: Int64 {
    var size: Int64 = 0
    guard decant_sqlite_file_size(file, &size) == SQLITE_OK else { return 0 }
    return size
  }

  /// Returns `count` bytes from `offset`, or `nil` if the file is shorter.
  package func read(_ count: Int, at offset: Int64) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let code = decant_sqlite_file_read(file, &bytes, Int32(clamping: count), offset)
    return code == SQLITE_OK ? bytes : nil
  }
  /// Fills `buffer` with the bytes from `offset`; false if the file is shorter.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Bool {
    decant_sqlite_file_read(file, buffer.baseAddress, Int32(clamping: buffer.count), offset)
      == SQLITE_OK
  }

  /// The header of the shared WAL index, which defines what a new reader sees; `nil` if no index can be read.
  ///
  /// The view must be one of the database file, and the connection must have its log open. A commit is written to the
  /// log before it enters the index, and is not visible until then.
  package var logIndexHeader: [UInt8]? {
    for _ in 1...100 {
      var bytes = [UInt8](repeating: 0, count: 96)
      guard decant_sqlite_log_index(file, &bytes, 96) == SQLITE_OK else { return nil }
      // The header has two copies, written one after the other: if they differ, a writer is active.
      if bytes[..<48].elementsEqual(bytes[48...]) {
        return bytes[12] == 1 ? Array(bytes[..<48]) : nil
      }
    }
    return nil
  }
}
