internal import CDecantPostgres

/// Rows on their way to a table, in the binary form of COPY.
///
/// They are sent in pieces while the server works; `finish` learns whether it accepted them.
public final class CopyIn {
  private let connection: PostgresConnection
  /// The bytes that are not sent yet, at the start of `buffer`.
  @exclusivity(unchecked) private var waiting = 0
  @exclusivity(unchecked) private var buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 2 * CopyIn.pieceSize,
    alignment: 16
  )
  /// The number of rows.
  @exclusivity(unchecked) public private(set) var rowCount: Int64 = 0
  /// The number of bytes that were sent.
  @exclusivity(unchecked) public private(set) var byteCount = 0
  private var isOpen = true

  /// The size of a piece.
  private static let pieceSize = 1 << 16

  /// Begins `sql`, a statement `COPY … FROM STDIN (FORMAT binary)`.
  public init(_ sql: String, on connection: PostgresConnection) throws(PostgresError) {
    self.connection = connection
    guard PQsendQuery(connection.handle, sql) == 1 else { throw PostgresError(connection.handle, nil) }
    let result = try connection.lastResult()
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COPY_IN else {
      throw PostgresError(state: nil, message: "the server does not accept rows")
    }
    (Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0, 0, 0, 0, 0, 0, 0, 0, 0]).withUnsafeBytes { put($0) }
  }

  deinit {
    if isOpen { abandon() }
    buffer.deallocate()
  }

  /// Begins a row of `count` values.
  public func beginRow(_ count: Int) throws(PostgresError) {
    if waiting >= CopyIn.pieceSize { try send() }
    append(Int16(truncatingIfNeeded: count))
    rowCount += 1
  }

  /// Appends NULL.
  public func appendNull() { append(Int32(-1)) }

  /// Appends an integer of the column's width.
  public func append<Integer: FixedWidthInteger>(value: Integer) {
    append(Int32(MemoryLayout<Integer>.size))
    append(value)
  }

  /// Appends a boolean.
  public func append(value: Bool) {
    append(Int32(1))
    append(UInt8(value ? 1 : 0))
  }

  /// Appends a number of type `double precision`.
  public func append(value: Double) { append(value: Int64(bitPattern: value.bitPattern)) }

  /// Appends bytes, or a text in UTF-8.
  public func append(value: UnsafeRawBufferPointer) throws(PostgresError) {
    beginValue(value.count)
    try append(piece: value)
  }

  /// Begins a value of `count` bytes, which `append(piece:)` gets in order.
  public func beginValue(_ count: Int) { append(Int32(truncatingIfNeeded: count)) }

  /// Appends the next bytes of a value.
  public func append(piece value: UnsafeRawBufferPointer) throws(PostgresError) {
    guard value.count > CopyIn.pieceSize else {
      if waiting >= CopyIn.pieceSize { try send() }
      return put(value)
    }
    try send()
    var start = 0
    while start < value.count {
      let count = min(CopyIn.pieceSize, value.count - start)
      try send(UnsafeRawBufferPointer(rebasing: value[start..<start + count]))
      start += count
    }
  }

  /// Appends a number of type `numeric`.
  public func append(_ decimal: DecimalDigits) {
    append(Int32(8 + 2 * decimal.digits.count))
    append(Int16(truncatingIfNeeded: decimal.digits.count))
    append(decimal.weight)
    append(decimal.sign)
    append(decimal.scale)
    for digit in decimal.digits { append(digit) }
  }

  /// Ends the rows; returns their number.
  ///
  /// - Throws: `PostgresError` if the server refuses them, or has another number of rows than were sent.
  @discardableResult
  public func finish() throws(PostgresError) -> Int64 {
    append(Int16(-1))
    try send()
    isOpen = false
    guard PQputCopyEnd(connection.handle, nil) == 1 else { throw PostgresError(connection.handle, nil) }
    let result = try connection.lastResult()
    defer { PQclear(result) }
    let count = PQcmdTuples(result).flatMap { Int64(String(cString: $0)) }
    guard count == rowCount else {
      throw PostgresError(state: "XX000", message: "the server has \(count ?? 0) of \(rowCount) rows")
    }
    return rowCount
  }

  /// Ends the statement without its rows.
  private func abandon() {
    isOpen = false
    PQputCopyEnd(connection.handle, "stopped")
    while let result = PQgetResult(connection.handle) { PQclear(result) }
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

  /// Makes the buffer large enough for `byteCount` more bytes: a row of many short values is not sent in pieces.
  private func makeRoom(for byteCount: Int) {
    guard waiting + byteCount > buffer.count else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(2 * buffer.count, waiting + byteCount),
      alignment: 16
    )
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<waiting]))
    buffer.deallocate()
    buffer = larger
  }

  private func send() throws(PostgresError) {
    defer { waiting = 0 }
    try send(UnsafeRawBufferPointer(rebasing: buffer[..<waiting]))
  }

  private func send(_ bytes: UnsafeRawBufferPointer) throws(PostgresError) {
    guard PQputCopyData(connection.handle, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count)) == 1
    else { throw failure() }
    byteCount += bytes.count
  }

  private func failure() -> PostgresError {
    isOpen = false
    return PostgresError(connection.handle, nil)
  }
}
