/// The pages of a database as a reader sees them: those in its write-ahead log replace those in its file.
///
/// They stay the same when the log is written back to the file.
package struct VisiblePages {
  private let database: FileView
  private let log: LogView?
  private let replaced: [Int64: Int64]
  private let pageSize: Int64
  private let pageCount: Int64

  /// Finds the pages of `schema`, which `connection` holds in one state.
  package init(of schema: String, on connection: Connection) throws(SQLiteError) {
    let connection = connection.reader(of: schema)
    pageSize = try connection.integer("PRAGMA \(schema.sqlName).page_size") ?? 0
    pageCount = try connection.integer("PRAGMA \(schema.sqlName).page_count") ?? 0
    database = try FileView(.database, of: schema, on: connection)
    let isLogged = database.read(19, at: 0).map { $0[18] == 2 } ?? true
    log = isLogged ? try LogView(of: schema, on: connection) : nil
    replaced = try log?.pages() ?? [:]
  }

  /// Calls `body` with the pages in order, in pieces of about 256 KiB.
  package func forEachPiece(_ body: (UnsafeRawBufferPointer) throws(SQLiteError) -> Void) throws(SQLiteError) {
    guard pageSize > 0 else { return }
    let piece = max(1, (256 << 10) / pageSize)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(piece * pageSize), alignment: 16)
    defer { buffer.deallocate() }
    var first: Int64 = 1
    while first <= pageCount {
      let count = min(piece, pageCount - first + 1)
      let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(count * pageSize)])
      let start = (first - 1) * pageSize
      // The last pages may be in the log only.
      if !database.read(into: bytes, at: start), database.byteCount >= start + count * pageSize {
        throw SQLiteError.unreadable("the database")
      }
      for page in first..<first + count {
        guard let log, let offset = replaced[page] else { continue }
        let begin = Int((page - first) * pageSize)
        guard log.read(into: .init(rebasing: bytes[begin..<begin + Int(pageSize)]), at: offset) else {
          throw SQLiteError.unreadable("the write-ahead log")
        }
      }
      try body(UnsafeRawBufferPointer(bytes))
      first += count
    }
  }
}
