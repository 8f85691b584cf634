internal import DecantBase
internal import DecantSystem
internal import DecantSQLite

/// Large values that arrived in pieces, kept in one file until the objects that need them arrive.
final class BlobSpool {
  private let path: String
  private let descriptor: Int32
  private let connection: Connection
  private let insertion: Statement
  private let lookup: Statement
  private var end: Int64 = 0
  private var start: Int64 = 0
  /// The last value; most are needed only by the next object.
  private var recent: (hash: String, bytes: [UInt8]) = ("", [])

  /// The maximum size of a value that is bound as a whole.
  static let memoryLimit: Int64 = 4 << 20

  init(in folder: String) throws(DecantError) {
    path = "\(folder)/blobs"
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DecantError(SystemError("write", path)) }
    (connection, insertion, lookup) = try explaining("cannot open a database in memory") {
      () throws(SQLiteError) in
      // An unnamed temporary file, as there may be many values; it is deleted with the connection.
      let connection = try Connection("", mode: .create)
      try connection.run("PRAGMA journal_mode = OFF")
      try connection.run("CREATE TABLE blobs (hash TEXT PRIMARY KEY, start, size) WITHOUT ROWID")
      return (
        connection, try connection.prepare("INSERT INTO blobs VALUES (?1, ?2, ?3)"),
        try connection.prepare("SELECT start, size FROM blobs WHERE hash = ?1")
      )
    }
  }

  deinit { close(descriptor) }

  /// Appends the next piece of the current value.
  func append(_ piece: UnsafeRawBufferPointer, of blob: ArchiveBlob) throws {
    if blob.byteCount == 0 {
      start = end
      recent = (blob.hash, [])
    }
    var done = 0
    while done < piece.count {
      let count = pwrite(descriptor, piece.baseAddress.map { $0 + done }, piece.count - done, off_t(end))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw DecantError(SystemError("write", path)) }
      done += count
      end += Int64(count)
    }
    if end - start <= BlobSpool.memoryLimit {
      recent.bytes.append(contentsOf: piece)
    } else {
      recent = ("", [])
    }
  }

  /// Records that the current value is complete.
  func finish(_ blob: ArchiveBlob) throws {
    do throws(SQLiteError) {
      try insertion.run(.text(blob.hash), .integer(start), .integer(blob.byteCount))
    } catch {
      guard error.isConstraint else { throw error }
      throw ArchiveFault("a large value appears twice: \(blob.hash.prefix(12))…")
    }
  }

  /// A value in the file.
  struct Entry {
    let start: Int64
    let byteCount: Int64
  }

  /// Finds a value; throws if it did not arrive before, or has another length.
  func entry(_ hash: UnsafeRawBufferPointer, byteCount: Int64) throws -> Entry {
    let name = String(decoding: hash, as: UTF8.self)
    try lookup.bind([.text(name)])
    defer { lookup.reset() }
    guard try lookup.step() else {
      throw ArchiveFault("a large value is used before it is defined: \(name.prefix(12))…")
    }
    let entry = Entry(start: lookup.integer(at: 0), byteCount: lookup.integer(at: 1))
    guard entry.byteCount == byteCount else {
      throw ArchiveFault("a large value has \(entry.byteCount) bytes, but an object says \(byteCount)")
    }
    return entry
  }

  /// Returns a value of at most `memoryLimit` bytes, or one to be stored as text.
  func bytes(of entry: Entry, _ hash: UnsafeRawBufferPointer) throws -> [UInt8] {
    if hash.elementsEqual(recent.hash.utf8), recent.bytes.count == Int(entry.byteCount) {
      return recent.bytes
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(entry.byteCount))
    try forEachPiece(of: entry) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Lends the bytes of a value, a piece at a time.
  func forEachPiece(of entry: Entry, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
      var done: Int64 = 0
      while done < entry.byteCount {
        let wanted = min(Int64(buffer.count), entry.byteCount - done)
        let count = pread(descriptor, buffer.baseAddress, Int(wanted), off_t(entry.start + done))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw DecantError(SystemError("read", path)) }
        try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        done += Int64(count)
      }
    }
  }
}
