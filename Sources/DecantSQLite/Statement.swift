public import CDecantSQLite

/// The storage class of a value in SQLite.
public enum StorageClass: Int32, Sendable {
  /// A 64-bit signed integer.
  case integer = 1
  /// A 64-bit floating-point number.
  case real = 2
  /// Text in the encoding of the database, returned as UTF-8.
  case text = 3
  /// Bytes.
  case blob = 4
  /// No value.
  case null = 5

  /// Converts SQLite's number, as it is needed for every value; an unknown number counts as no value.
  @inlinable @inline(__always)
  init(code: Int32) {
    switch code {
    case SQLITE_INTEGER: self = .integer
    case SQLITE_FLOAT: self = .real
    case SQLITE_TEXT: self = .text
    case SQLITE_BLOB: self = .blob
    default: self = .null
    }
  }
}

/// A value for a parameter of a statement.
package enum Binding: Sendable, Hashable {
  /// No value.
  case null
  /// A 64-bit signed integer.
  case integer(Int64)
  /// A floating-point number; SQLite stores NaN as NULL.
  case real(Double)
  /// Text, bound with its length, so it may contain NUL characters.
  case text(String)
  /// Text as UTF-8 bytes, which may be invalid; an unpaired surrogate of UTF-16 is three bytes.
  case utf8([UInt8])
  /// Bytes; an empty array is an empty value, not NULL.
  case blob([UInt8])
}

/// A compiled statement; the columns of its current row are read in place.
package final class Statement {
  @usableFromInline let handle: OpaquePointer
  @usableFromInline let connection: Connection
  /// The SQL text of the statement.
  package let sql: String

  init(_ sql: String, on connection: Connection) throws(SQLiteError) {
    var compiled: OpaquePointer?
    var length = 0
    var rest = 0
    var text = sql
    let code = text.withUTF8 { utf8 -> Int32 in
      utf8.withMemoryRebound(to: CChar.self) { characters in
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v2(
          connection.handle,
          characters.baseAddress,
          Int32(clamping: characters.count),
          &compiled,
          &tail
        )
        length = characters.count
        if let tail, let start = characters.baseAddress { rest = length - (tail - start) }
        return code
      }
    }
    guard code == SQLITE_OK else { throw connection.error(code, sql: sql) }
    guard let compiled else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "no statement in the text", sql: sql)
    }
    let tail = String(decoding: sql.utf8.suffix(rest), as: UTF8.self)
    guard tail.allSatisfy({ $0.isWhitespace || $0 == ";" }) else {
      sqlite3_finalize(compiled)
      throw SQLiteError(code: SQLITE_MISUSE, message: "more than one statement", sql: sql)
    }
    handle = compiled
    self.connection = connection
    self.sql = sql
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Binds `values` to the parameters from ?1 on.
  package func bind(_ values: [Binding]) throws(SQLiteError) {
    for (position, value) in values.enumerated() {
      try bind(value, at: position + 1)
    }
  }

  /// Binds `value` to the parameter ?`position`; the first is 1.
  package func bind(_ value: Binding, at position: Int) throws(SQLiteError) {
    let index = Int32(clamping: position)
    let code: Int32
    switch value {
    case .null: code = sqlite3_bind_null(handle, index)
    case .integer(let integer): code = sqlite3_bind_int64(handle, index, integer)
    case .real(let real): code = sqlite3_bind_double(handle, index, real)
    case .text(var text):
      code = text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) { characters in
          sqlite3_bind_text64(
            handle,
            index,
            characters.baseAddress,
            UInt64(characters.count),
            decant_sqlite_transient(),
            UInt8(SQLITE_UTF8)
          )
        }
      }
    case .utf8(let bytes): return try bindExactly(bytes, at: index)
    case .blob(let bytes):
      code =
        bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), decant_sqlite_transient())
    }
    try connection.check(code, sql: sql)
  }

  /// Binds a text so that it equals the one that `exactValue` returned.
  private func bindExactly(_ bytes: [UInt8], at index: Int32) throws(SQLiteError) {
    var wide: [UInt8]?
    if try connection.isWide() {
      wide = ExactText(keepsHalves: true).utf16(of: bytes)
    }
    let encoding = wide == nil ? SQLITE_UTF8 : SQLITE_UTF16
    let code = (wide ?? bytes).withUnsafeBytes { bytes in
      // An empty array has no address, and a text with a null address would be NULL.
      let start = bytes.baseAddress ?? UnsafeRawPointer(handle)
      return sqlite3_bind_text64(
        handle,
        index,
        start.assumingMemoryBound(to: CChar.self),
        UInt64(bytes.count),
        decant_sqlite_transient(),
        UInt8(encoding)
      )
    }
    try connection.check(code, sql: sql)
  }

  /// Binds the function argument at `position` unchanged to the parameter numbered `parameter`.
  package func bind(_ arguments: borrowing FunctionArguments, at position: Int, as parameter: Int) {
    arguments.bind(at: position, to: handle, as: parameter)
  }

  /// Moves to the next row; returns false if there is none.
  @inlinable
  package func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw connection.error(code, sql: sql)
    }
  }

  /// Resets the statement to run again; its bindings are kept.
  @inlinable
  package func reset() {
    sqlite3_reset(handle)
  }

  /// Binds `values`, runs the statement to its end, and resets it.
  package func run(_ values: Binding...) throws(SQLiteError) { try run(values) }

  /// Binds `values`, runs the statement to its end, and resets it.
  package func run(_ values: [Binding]) throws(SQLiteError) { try run(values, from: 1) }

  /// Binds `values` to the parameters from ?`first` on, runs the statement to its end, and resets it.
  package func run(_ values: [Binding], from first: Int) throws(SQLiteError) {
    for (position, value) in values.enumerated() { try bind(value, at: first + position) }
    defer { reset() }
    while try step() {}
  }

  /// The number of parameters, such as ?1.
  package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// Returns the name of the parameter at `position`, including its prefix; the first is 1.
  ///
  /// A bare `?`, and a number that the statement skips, have none.
  package func parameterName(at position: Int) -> String? {
    sqlite3_bind_parameter_name(handle, Int32(clamping: position)).map { String(cString: $0) }
  }

  /// The number of columns in a row.
  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// Whether the statement was stepped, and neither reset nor completed.
  package var isRunning: Bool { sqlite3_stmt_busy(handle) != 0 }

  /// Returns the name of the column at `position`; the first is 0.
  package func columnName(at position: Int) -> String {
    sqlite3_column_name(handle, Int32(clamping: position)).map { String(cString: $0) } ?? ""
  }

  /// Returns the table and column that the column at `position` is taken from unchanged; `nil` for an expression.
  ///
  /// SQLite resolves views and subqueries. For a compound SELECT it returns the column of one part.
  package func origin(at position: Int) -> (table: String, column: String)? {
    let index = Int32(clamping: position)
    guard let table = sqlite3_column_table_name(handle, index),
      let column = sqlite3_column_origin_name(handle, index)
    else { return nil }
    return (String(cString: table), String(cString: column))
  }

  /// Whether the statement changes no database.
  package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// Returns the storage class of a column of the current row.
  @inlinable
  package func type(at position: Int) -> StorageClass {
    StorageClass(code: sqlite3_column_type(handle, Int32(truncatingIfNeeded: position)))
  }

  /// Returns a column as an integer, with SQLite's conversion; NULL is 0.
  @inlinable
  package func integer(at position: Int) -> Int64 {
    sqlite3_column_int64(handle, Int32(truncatingIfNeeded: position))
  }

  /// Returns a column as an integer, or `nil` for NULL.
  package func integerOrNil(at position: Int) -> Int64? {
    type(at: position) == .null ? nil : integer(at: position)
  }

  /// Returns a column as a double, with SQLite's conversion; NULL is 0.
  @inlinable
  package func real(at position: Int) -> Double {
    sqlite3_column_double(handle, Int32(truncatingIfNeeded: position))
  }

  /// Returns a column as text, or `nil` for NULL; invalid UTF-8 is repaired.
  ///
  /// A text of more than `byteLimit` bytes is cut after the last complete character within the limit.
  package func text(at position: Int, byteLimit: Int? = nil) -> String? {
    guard type(at: position) != .null else { return nil }
    let index = Int32(clamping: position)
    guard let start = sqlite3_column_text(handle, index) else { return nil }
    var count = Int(sqlite3_column_bytes(handle, index))
    if let byteLimit, count > byteLimit {
      count = byteLimit
      // Back to the start of a character, which has at most four bytes.
      while count > max(0, byteLimit - 3), start[count] & 0xc0 == 0x80 { count -= 1 }
    }
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Returns the bytes of a column; empty for NULL.
  package func bytes(at position: Int) -> [UInt8] {
    withBytes(at: position) { Array($0) }
  }

  /// Calls `body` with the bytes of a column, which are valid until the next step.
  @inlinable
  package func withBytes<Result>(at position: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let index = Int32(truncatingIfNeeded: position)
    // In this order: reading the length may convert UTF-16 to UTF-8, which invalidates earlier pointers.
    let count = Int(sqlite3_column_bytes(handle, index))
    let start = sqlite3_column_blob(handle, index)
    return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// Calls `body` with the bytes of a column; throws if SQLite is out of memory, instead of passing an empty value.
  @inlinable
  package func withLentBytes<Result: ~Copyable>(
    at position: Int,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(SQLiteError) -> Result {
    let index = Int32(truncatingIfNeeded: position)
    let count = Int(sqlite3_column_bytes(handle, index))
    let start = sqlite3_column_blob(handle, index)
    guard count == 0 || start != nil else { throw connection.error(SQLITE_NOMEM, sql: sql) }
    return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// Clears the values of all parameters.
  @inlinable
  package func clearBindings() { sqlite3_clear_bindings(handle) }

  /// Binds NULL to the parameter ?`position`.
  @inlinable
  package func bindNull(at position: Int) {
    sqlite3_bind_null(handle, Int32(truncatingIfNeeded: position))
  }

  /// Binds an integer to the parameter ?`position`.
  @inlinable
  package func bind(integer: Int64, at position: Int) {
    sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: position), integer)
  }

  /// Binds a number to the parameter ?`position`.
  @inlinable
  package func bind(real: Double, at position: Int) {
    sqlite3_bind_double(handle, Int32(truncatingIfNeeded: position), real)
  }

  /// Binds a copy of `bytes`, UTF-8 text or a blob, to the parameter ?`position`.
  @inlinable
  package func bind(_ bytes: UnsafeRawBufferPointer, isText: Bool, at position: Int) throws(SQLiteError) {
    let index = Int32(truncatingIfNeeded: position)
    // An empty value with a null address would be NULL.
    let start = bytes.baseAddress ?? UnsafeRawPointer(handle)
    let code =
      isText
      ? sqlite3_bind_text64(
        handle,
        index,
        start.assumingMemoryBound(to: CChar.self),
        UInt64(bytes.count),
        decant_sqlite_transient(),
        UInt8(SQLITE_UTF8)
      )
      : sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), decant_sqlite_transient())
    if code != SQLITE_OK { throw connection.error(code, sql: sql) }
  }

  /// Binds `count` zero bytes, to be overwritten in pieces, to the parameter ?`position`.
  package func bindZeros(_ count: Int64, at position: Int) throws(SQLiteError) {
    try connection.check(sqlite3_bind_zeroblob64(handle, Int32(clamping: position), UInt64(count)), sql: sql)
  }

  /// Returns a column as a value to bind on a connection of the same text encoding; texts are kept byte for byte.
  package func exactValue(at position: Int) throws(SQLiteError) -> Binding {
    guard type(at: position) == .text else { return value(at: position) }
    if try connection.isWide() {
      let exact = try ExactText(keepsHalves: true)
        .withUTF8(ofUTF16: utf16(at: Int32(clamping: position))) { Array($0) }
      if let exact { return .utf8(exact) }
    }
    return .utf8(bytes(at: position))
  }

  /// Returns the bytes of a text as UTF-16 in native byte order, valid until the next step.
  func utf16(at place: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_text16(handle, place)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes16(handle, place)))
  }

  /// Returns the bytes of a text as UTF-8, valid until the next step.
  func utf8(at place: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_text(handle, place)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, place)))
  }

  /// Returns a column as a value to bind to another statement.
  package func value(at position: Int) -> Binding {
    switch type(at: position) {
    case .null: .null
    case .integer: .integer(integer(at: position))
    case .real: .real(real(at: position))
    case .text: .text(text(at: position) ?? "")
    case .blob: .blob(bytes(at: position))
    }
  }
}
