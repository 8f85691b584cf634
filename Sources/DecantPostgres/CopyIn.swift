/// Rows sent to a table, in the binary form of COPY.
///
/// They are sent in pieces while the server works; `finish` waits for the server to accept them.
package final class CopyIn {
  private let transport: CopyTransport
  private let perform: CopyTransport.Performer
  /// The number of bytes not yet sent, at the start of `buffer`.
  @exclusivity(unchecked) private var waiting = 0
  @exclusivity(unchecked) private var buffer: UnsafeMutableRawBufferPointer
  @exclusivity(unchecked) private var piece: CopyTransport.Piece
  /// The number of rows.
  @exclusivity(unchecked) package private(set) var rowCount: Int64 = 0
  /// The number of bytes passed on for sending.
  @exclusivity(unchecked) package private(set) var byteCount = 0

  /// The size of a piece.
  private static let pieceSize = 1 << 15

  /// Begins `sql`, a statement `COPY … FROM STDIN (FORMAT binary)`.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - connection: The connection.
  ///   - perform: Runs closures that use the connection, one after the other: immediately, or on another thread, which
  ///     then owns the connection until all have ended. After an error it runs no more of them.
  /// - Throws: `PostgresError` if the server does not accept rows; errors from `perform`, here and later.
  package init(
    _ sql: String,
    on connection: PostgresConnection,
    perform: @escaping CopyTransport.Performer = { work in try work() }
  ) throws {
    let transport = CopyTransport(connection)
    (self.transport, self.perform) = (transport, perform)
    piece = CopyTransport.Piece(byteCount: 2 * CopyIn.pieceSize)
    buffer = piece.bytes
    try perform { try transport.begin(sql) }
    (Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0, 0, 0, 0, 0, 0, 0, 0, 0]).withUnsafeBytes { put($0) }
  }

  /// Begins a row of `count` values.
  package func beginRow(_ count: Int) throws {
    if waiting >= CopyIn.pieceSize { try send() }
    append(Int16(truncatingIfNeeded: count))
    rowCount += 1
  }

  /// Appends NULL.
  package func appendNull() { append(Int32(-1)) }

  /// Appends an integer of the column's width.
  package func append<Integer: FixedWidthInteger>(value: Integer) {
    append(Int32(MemoryLayout<Integer>.size))
    append(value)
  }

  /// Appends a boolean.
  package func append(value: Bool) {
    append(Int32(1))
    append(UInt8(value ? 1 : 0))
  }

  /// Appends a number of type `double precision`.
  package func append(value: Double) { append(value: Int64(bitPattern: value.bitPattern)) }

  /// Appends bytes, or a text in UTF-8.
  package func append(value: UnsafeRawBufferPointer) throws {
    beginValue(value.count)
    try append(piece: value)
  }

  /// Begins a value of `count` bytes, which are passed to `append(piece:)` in order.
  package func beginValue(_ count: Int) { append(Int32(truncatingIfNeeded: count)) }

  /// Appends the next bytes of a value.
  package func append(piece value: UnsafeRawBufferPointer) throws {
    var start = 0
    repeat {
      if waiting >= CopyIn.pieceSize { try send() }
      let count = min(CopyIn.pieceSize, value.count - start)
      put(UnsafeRawBufferPointer(rebasing: value[start..<start + count]))
      start += count
    } while start < value.count
  }

  /// Appends a number of type `numeric`.
  package func append(_ decimal: DecimalDigits) {
    append(Int32(8 + 2 * decimal.digits.count))
    append(Int16(truncatingIfNeeded: decimal.digits.count))
    append(decimal.weight)
    append(decimal.sign)
    append(decimal.scale)
    for digit in decimal.digits { append(digit) }
  }

  /// Ends the rows; returns their number.
  ///
  /// - Throws: `PostgresError` if the server rejects them, or reports another number of rows than were sent.
  @discardableResult
  package func finish() throws -> Int64 {
    append(Int16(-1))
    try send()
    try perform { [transport, rowCount] in try transport.finish(rowCount) }
    return rowCount
  }

  private func append<Integer: FixedWidthInteger>(_ integer: Integer) {
    makeRoom(for: MemoryLayout<Integer>.size)
    buffer.storeBytes(of: integer.bigEndian, toByteOffset: waiting, as: Integer.self)
    waiting += MemoryLayout<Integer>.size
  }

  private func put(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    makeRoom(for: bytes.count)
    buffer.baseAddress?.advanced(by: waiting).copyMemory(from: start, byteCount: bytes.count)
    waiting += bytes.count
  }

  /// Makes room for `byteCount` more bytes in the buffer: a row of many short values is not sent in pieces.
  private func makeRoom(for byteCount: Int) {
    guard waiting + byteCount > buffer.count else { return }
    let larger = CopyTransport.Piece(byteCount: max(2 * buffer.count, waiting + byteCount))
    larger.bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<waiting]))
    (piece, buffer) = (larger, larger.bytes)
  }

  private func send() throws {
    piece.count = waiting
    byteCount += waiting
    waiting = 0
    try perform { [transport, piece] in try transport.send(piece) }
    // Another thread may not have sent it yet.
    guard !isKnownUniquelyReferenced(&piece) else { return }
    piece = CopyTransport.Piece(byteCount: 2 * CopyIn.pieceSize)
    buffer = piece.bytes
  }
}
