internal import CDecantSQLite

/// One value of one row, read or written in pieces without loading it whole into memory.
///
/// Works on text and blobs in tables with rowids; the length of a value cannot change. Writes belong to the
/// connection's transaction. Any other change of the row invalidates the handle.
package final class BlobHandle {
  private let handle: OpaquePointer
  private let connection: Connection

  /// Opens the value of `column` in the row `rowID` of `schema.table`, in the file of `schema`.
  package init(
    _ schema: String,
    _ table: String,
    _ column: String,
    rowID: Int64,
    isWritable: Bool = false,
    on connection: Connection
  ) throws(SQLiteError) {
    let connection = connection.reader(of: schema)
    var opened: OpaquePointer?
    let code = sqlite3_blob_open(connection.handle, schema, table, column, rowID, isWritable ? 1 : 0, &opened)
    try connection.check(code)
    guard let opened else { throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory") }
    handle = opened
    self.connection = connection
  }

  deinit { sqlite3_blob_close(handle) }

  /// Moves to the same column of another row, which is cheaper than a new handle.
  package func move(to rowID: Int64) throws(SQLiteError) {
    try connection.check(sqlite3_blob_reopen(handle, rowID))
  }

  /// The value's length.
  package var byteCount: Int { Int(sqlite3_blob_bytes(handle)) }

  /// Fills `buffer` with the bytes from `offset`; the value must have that many.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SQLiteError) {
    try connection.check(sqlite3_blob_read(handle, buffer.baseAddress, Int32(buffer.count), Int32(offset)))
  }

  /// Overwrites the bytes from `offset` with those of `buffer`; the value must have that many.
  package func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws(SQLiteError) {
    try connection.check(sqlite3_blob_write(handle, buffer.baseAddress, Int32(buffer.count), Int32(offset)))
  }

  /// Returns whether the value begins with `bytes`.
  package func begins(with bytes: [UInt8]) throws(SQLiteError) -> Bool {
    guard byteCount >= bytes.count else { return false }
    var start = [UInt8](repeating: 0, count: bytes.count)
    try connection.check(sqlite3_blob_read(handle, &start, Int32(bytes.count), 0))
    return start == bytes
  }

  /// Overwrites the bytes from `offset` with `bytes`; the value must have that many.
  package func write(_ bytes: [UInt8], at offset: Int) throws(SQLiteError) {
    try connection.check(sqlite3_blob_write(handle, bytes, Int32(bytes.count), Int32(offset)))
  }

  /// Calls `body` with pieces of at most 256 KiB of the value, from `start` to its end.
  package func forEachPiece(
    from start: Int = 0,
    _ body: (_ piece: UnsafeRawBufferPointer, _ offset: Int) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    var offset = start
    while offset < byteCount {
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, byteCount - offset)])
      try read(into: piece, at: offset)
      try body(UnsafeRawBufferPointer(piece), offset)
      offset += piece.count
    }
  }
}
