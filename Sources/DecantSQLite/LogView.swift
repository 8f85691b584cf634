/// The write-ahead log of a database, as far as a new reader sees it.
///
/// The log itself contains a commit before it is visible; its shared index shows which commits are. Without an index,
/// the end of the last transaction in the log counts.
package struct LogView {
  private let log: FileView
  /// The eight bytes by which the frames of the current use of the log are recognised.
  package let salts: [UInt8]
  /// The number of the last frame that is visible, which ends a transaction; 0 for none.
  package let lastCommit: Int
  private let pageSize: Int64

  /// Reads the log of `schema`; `nil` if the database has no log.
  package init?(of schema: String, on connection: Connection) throws(SQLiteError) {
    log = try FileView(.journal, of: schema, on: connection)
    guard let header = log.read(32, at: 0) else { return nil }
    pageSize = Int64(LogView.number(header[8..<12]))
    if let index = try FileView(.database, of: schema, on: connection).logIndexHeader {
      salts = Array(index[32..<40])
      lastCommit = Int(index[16..<20].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
      return
    }
    let salts = Array(header[16..<24])
    self.salts = salts
    guard pageSize >= 512 else { return nil }
    var last = 0
    var frame = 1
    // A frame of an earlier use of the log has other salts and ends the current one.
    while let head = log.read(24, at: LogView.offset(of: frame, pageSize)), head[8..<16].elementsEqual(salts) {
      if head[4..<8].contains(where: { $0 != 0 }) { last = frame }
      frame += 1
    }
    lastCommit = last
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

  private static func offset(of frame: Int, _ pageSize: Int64) -> Int64 { 32 + Int64(frame - 1) * (24 + pageSize) }

  /// Returns the offsets in the log of the visible pages, by their numbers from 1.
  func pages() throws(SQLiteError) -> [Int64: Int64] {
    var pages: [Int64: Int64] = [:]
    for frame in 0..<lastCommit {
      let offset = LogView.offset(of: frame + 1, pageSize)
      guard let head = log.read(4, at: offset) else { throw SQLiteError.unreadable("the write-ahead log") }
      pages[Int64(LogView.number(head[...]))] = offset + 24
    }
    return pages
  }

  /// Fills `buffer` with the bytes from `offset`; false if the log is shorter.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Bool { log.read(into: buffer, at: offset) }
}
