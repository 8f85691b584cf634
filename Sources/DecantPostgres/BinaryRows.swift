internal import CDecantPostgres

/// Rows from a query, with their values in the server's binary form: by COPY, or by the protocol's own rows from a
/// server without it.
package final class BinaryRows {
  private let connection: PostgresConnection
  private let isCopy: Bool
  // These are used for every value of every row; only `next` changes them.
  @exclusivity(unchecked) private var message: UnsafeMutablePointer<CChar>?
  @exclusivity(unchecked) private var result: OpaquePointer?
  /// The values of the row: the first byte and the length; -1 for NULL.
  @exclusivity(unchecked) private var fields: [(start: UnsafeRawPointer?, count: Int)] = []
  @exclusivity(unchecked) private var isFirst = true
  private var isOpen = false

  /// Begins to read the rows of `query`.
  package init(_ query: String, on connection: PostgresConnection) throws(PostgresError) {
    self.connection = connection
    isCopy = connection.abilities.has(.copyOut)
    if isCopy {
      try connection.beginCopy(
        "COPY (\(query)) TO STDOUT (FORMAT binary)", PGRES_COPY_OUT, "the server sends no rows")
    } else {
      try connection.beginRows(query)
    }
    isOpen = true
  }

  deinit {
    clear()
    if isOpen { connection.drain(cancelling: true) }
  }

  private func clear() {
    PQfreemem(message)
    PQclear(result)
    (message, result) = (nil, nil)
  }

  /// Reads the next row; returns whether there was one.
  ///
  /// Throws if the connection's `isStopped` returns true while the server sends no rows.
  package func next() throws(PostgresError) -> Bool {
    clear()
    return try isCopy ? nextOfCopy() : nextOfResult()
  }

  /// Waits for more from the server.
  private func receive() throws(PostgresError) {
    do throws(PostgresError) { try connection.receive() } catch {
      throw connection.isStopped() ? PostgresError.stopped : error
    }
  }

  private func nextOfResult() throws(PostgresError) -> Bool {
    while PQisBusy(connection.handle) == 1 { try receive() }
    let found = PQgetResult(connection.handle)
    guard PQresultStatus(found) == PGRES_SINGLE_TUPLE else {
      isOpen = false
      let failure = PQresultStatus(found) == PGRES_TUPLES_OK ? nil : PostgresError(connection.handle, found)
      PQclear(found)
      PQclear(try connection.lastResult())
      if let failure { throw failure }
      return false
    }
    result = found
    fields.removeAll(keepingCapacity: true)
    for column in 0..<PQnfields(found) {
      let count = PQgetisnull(found, 0, column) == 1 ? -1 : Int(PQgetlength(found, 0, column))
      fields.append((UnsafeRawPointer(PQgetvalue(found, 0, column)), count))
    }
    return true
  }

  private func nextOfCopy() throws(PostgresError) -> Bool {
    var count = PQgetCopyData(connection.handle, &message, 1)
    while count == 0 {
      try receive()
      count = PQgetCopyData(connection.handle, &message, 1)
    }
    guard count > 0, let message else {
      isOpen = false
      guard count == -1 else { throw PostgresError(connection.handle, nil) }
      PQclear(try connection.lastResult())
      return false
    }
    let row = UnsafeRawBufferPointer(start: message, count: Int(count))
    var place = 0
    if isFirst {
      isFirst = false
      // The signature and the flags come first, then an extension with its length.
      guard row.count >= 19 else { throw BinaryRows.damage }
      place = 19 + Int(row.integer(at: 15, as: Int32.self))
    }
    guard place + 2 <= row.count else {
      guard place == row.count else { throw BinaryRows.damage }
      return try next()
    }
    let fieldCount = Int(row.integer(at: place, as: Int16.self))
    place += 2
    // The end of the rows; the end of the statement follows.
    guard fieldCount >= 0 else { return try next() }
    fields.removeAll(keepingCapacity: true)
    for _ in 0..<fieldCount {
      guard place + 4 <= row.count else { throw BinaryRows.damage }
      let length = Int(row.integer(at: place, as: Int32.self))
      place += 4
      guard length <= row.count - place else { throw BinaryRows.damage }
      fields.append((row.baseAddress.map { $0 + place }, length))
      place += max(length, 0)
    }
    guard place == row.count else { throw BinaryRows.damage }
    return true
  }

  private static let damage = PostgresError(state: "XX000", message: "the rows that the server sent cannot be read")

  /// Whether the value at `position` is NULL.
  package func isNull(_ position: Int) -> Bool { fields[position].count < 0 }

  /// Returns an integer of any width.
  package func integer(_ position: Int) -> Int64 {
    let field = bytes(position)
    return switch field.count {
    case 2: Int64(field.integer(at: 0, as: Int16.self))
    case 4: Int64(field.integer(at: 0, as: Int32.self))
    case 8: field.integer(at: 0, as: Int64.self)
    case 1: Int64(field[0])
    default: 0
    }
  }

  /// Returns a number of type `double precision`.
  package func double(_ position: Int) -> Double { Double(bitPattern: UInt64(bitPattern: integer(position))) }

  /// Returns the bytes of a value, which are valid until the next row.
  package func bytes(_ position: Int) -> UnsafeRawBufferPointer {
    let field = fields[position]
    return UnsafeRawBufferPointer(start: field.start, count: max(field.count, 0))
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the integer in network order at a place.
  fileprivate func integer<Integer: FixedWidthInteger>(at place: Int, as type: Integer.Type) -> Integer {
    Integer(bigEndian: loadUnaligned(fromByteOffset: place, as: Integer.self))
  }
}
