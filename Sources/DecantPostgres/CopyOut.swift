internal import CDecantPostgres

/// Rows from a query, in the binary form of COPY.
package final class CopyOut {
  private let connection: PostgresConnection
  // These are used for every value of every row; only `next` changes them.
  @exclusivity(unchecked) private var message: UnsafeMutablePointer<CChar>?
  @exclusivity(unchecked) private var row = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The position and the length of each value in the row; -1 for NULL.
  @exclusivity(unchecked) private var fields: [(start: Int, count: Int)] = []
  @exclusivity(unchecked) private var isFirst = true
  private var isOpen = false

  /// Begins `sql`, a statement `COPY (…) TO STDOUT (FORMAT binary)`.
  package init(_ sql: String, on connection: PostgresConnection) throws(PostgresError) {
    self.connection = connection
    try connection.beginCopy(sql, PGRES_COPY_OUT, "the server sends no rows")
    isOpen = true
  }

  deinit {
    PQfreemem(message)
    if isOpen { connection.drain(cancelling: true) }
  }

  /// Reads the next row; returns whether there was one.
  ///
  /// Throws if the connection's `isStopped` returns true while the server sends no rows.
  package func next() throws(PostgresError) -> Bool {
    PQfreemem(message)
    message = nil
    var count = PQgetCopyData(connection.handle, &message, 1)
    while count == 0 {
      do throws(PostgresError) { try connection.receive() } catch {
        throw connection.isStopped() ? PostgresError.stopped : error
      }
      count = PQgetCopyData(connection.handle, &message, 1)
    }
    guard count > 0, let message else {
      isOpen = false
      guard count == -1 else { throw PostgresError(connection.handle, nil) }
      PQclear(try connection.lastResult())
      return false
    }
    row = UnsafeRawBufferPointer(start: message, count: Int(count))
    var place = 0
    if isFirst {
      isFirst = false
      // The signature and the flags come first, then an extension with its length.
      guard row.count >= 19 else { throw CopyOut.damage }
      place = 19 + Int(integer(at: 15, as: Int32.self))
    }
    guard place + 2 <= row.count else {
      guard place == row.count else { throw CopyOut.damage }
      return try next()
    }
    let fieldCount = Int(integer(at: place, as: Int16.self))
    place += 2
    // The end of the rows; the end of the statement follows.
    guard fieldCount >= 0 else { return try next() }
    fields.removeAll(keepingCapacity: true)
    for _ in 0..<fieldCount {
      guard place + 4 <= row.count else { throw CopyOut.damage }
      let length = Int(integer(at: place, as: Int32.self))
      place += 4
      guard length <= row.count - place else { throw CopyOut.damage }
      fields.append((place, length))
      place += max(length, 0)
    }
    guard place == row.count else { throw CopyOut.damage }
    return true
  }

  private static let damage = PostgresError(state: "XX000", message: "the rows that the server sent cannot be read")

  private func integer<Integer: FixedWidthInteger>(at place: Int, as type: Integer.Type) -> Integer {
    Integer(bigEndian: row.loadUnaligned(fromByteOffset: place, as: Integer.self))
  }

  /// Whether the value at `position` is NULL.
  package func isNull(_ position: Int) -> Bool { fields[position].count < 0 }

  /// Returns an integer of any width.
  package func integer(_ position: Int) -> Int64 {
    let field = fields[position]
    return switch field.count {
    case 2: Int64(integer(at: field.start, as: Int16.self))
    case 4: Int64(integer(at: field.start, as: Int32.self))
    case 8: integer(at: field.start, as: Int64.self)
    case 1: Int64(row[field.start])
    default: 0
    }
  }

  /// Returns a number of type `double precision`.
  package func double(_ position: Int) -> Double { Double(bitPattern: UInt64(bitPattern: integer(position))) }

  /// Returns the bytes of a value, which are valid until the next row.
  package func bytes(_ position: Int) -> UnsafeRawBufferPointer {
    let field = fields[position]
    return UnsafeRawBufferPointer(rebasing: row[field.start..<field.start + max(field.count, 0)])
  }
}
