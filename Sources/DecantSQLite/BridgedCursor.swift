internal import CDecantSQLite

/// A cursor over the rows of a table of another connection.
final class BridgedCursor: ModuleCursor {
  private let table: BridgedTable
  private var query: BridgedQuery?
  private var statement: Statement?
  private var hasRow = false
  private var text: ExactText { table.text }

  init(_ table: BridgedTable) { self.table = table }

  deinit {
    if let statement { query?.give(back: statement) }
  }

  override var isAtEnd: Bool { !hasRow }

  override func begin(_ scan: Scan, _ values: borrowing FunctionArguments) throws(SQLiteError) {
    var constraints: UInt64 = 0
    for (index, constraint) in scan.constraints.enumerated().prefix(64)
    where isHandedOn(constraint, values.type(at: index)) {
      constraints |= 1 << UInt64(index)
    }
    let wanted = table.query(scan, constraints: constraints)
    hasRow = false
    if wanted !== query, let statement {
      query?.give(back: statement)
      self.statement = nil
    }
    query = wanted
    let statement: Statement
    if let own = self.statement { statement = own } else { statement = try wanted.take() }
    self.statement = statement
    statement.reset()
    for (number, index) in wanted.values.enumerated() {
      guard try bind(values, index, to: statement, at: Int32(clamping: number + 1)) else {
        // The value equals no text that the other connection can store.
        return
      }
    }
    hasRow = try statement.step()
  }

  override func advance() throws(SQLiteError) {
    hasRow = try statement?.step() ?? false
  }

  override func rowID() throws(SQLiteError) -> Int64 {
    guard let statement, let place = query?.rowIDPlace else {
      throw SQLiteError(code: SQLITE_ERROR, message: "the rows of \(table.name) have no rowid that could be queried")
    }
    return sqlite3_column_int64(statement.handle, place)
  }

  override func give(_ position: Int, as result: borrowing FunctionResult) throws(SQLiteError) {
    guard let statement, let place = query?.places[position], place >= 0 else {
      return result.setNull()
    }
    let (from, to) = (table.bridge.from, table.bridge.to)
    guard from.isWide != to.isWide, sqlite3_column_type(statement.handle, place) == SQLITE_TEXT
    else {
      // Converting between the two byte orders loses nothing.
      sqlite3_result_value(result.context, sqlite3_column_value(statement.handle, place))
      return
    }
    let given: Void? =
      if from.isWide {
        try text.withUTF8(ofUTF16: statement.utf16(at: place)) { bytes in
          result.setText(utf8: bytes)
        }
      } else {
        try text.withUTF16(ofUTF8: statement.utf8(at: place)) { bytes in
          result.setText(utf16: bytes)
        }
      }
    if given == nil { throw unfit(position) }
  }

  private func unfit(_ position: Int) -> SQLiteError {
    let row = query?.rowIDPlace.flatMap { place in
      statement.map { " in row \(sqlite3_column_int64($0.handle, place))" }
    }
    return SQLiteError(
      code: SQLITE_MISMATCH,
      message:
        "\(table.name).\(table.columns[position].name)\(row ?? "") holds text that is not valid "
        + "\(table.bridge.from.family), which \(table.bridge.to.family) cannot preserve"
    )
  }
}

extension BridgedCursor {
  /// Returns whether the other connection compares a value of this type as SQLite does here.
  ///
  /// The value may itself come from a column, and then both affinities decide which side is converted. A bound value
  /// has no affinity: only comparisons with the same result are passed on.
  private func isHandedOn(_ constraint: Constraint, _ type: StorageClass) -> Bool {
    let affinity = constraint.column.map { table.affinities[$0] } ?? .numeric
    return switch type {
    case .null: true
    case .integer, .real: affinity.isNumeric
    case .text, .blob: constraint.comparison == .equal
    }
  }

  /// Binds a value of this connection to a parameter of the other; false if it has no exact equivalent there.
  private func bind(
    _ values: borrowing FunctionArguments,
    _ index: Int,
    to statement: Statement,
    at parameter: Int32
  ) throws(SQLiteError) -> Bool {
    let value = values.values[index]
    guard values.type(at: index) == .text else {
      try statement.connection.check(sqlite3_bind_value(statement.handle, parameter, value))
      return true
    }
    func bind(_ bytes: UnsafeRawBufferPointer, _ encoding: Int32) throws(SQLiteError) {
      let start = bytes.baseAddress ?? UnsafeRawPointer(statement.handle)
      try statement.connection.check(
        sqlite3_bind_text64(
          statement.handle,
          parameter,
          start.assumingMemoryBound(to: CChar.self),
          UInt64(bytes.count),
          decant_sqlite_transient(),
          UInt8(encoding)
        )
      )
    }
    switch (table.bridge.to.isWide, table.bridge.from.isWide) {
    case (true, false):
      return try text.withUTF8(ofUTF16: values.utf16(at: index)) { bytes throws(SQLiteError) in
        try bind(bytes, SQLITE_UTF8)
      } != nil
    case (false, true):
      return try text.withUTF16(ofUTF8: values.utf8(at: index)) { bytes throws(SQLiteError) in
        try bind(bytes, SQLITE_UTF16)
      } != nil
    case (true, true):
      try text.withMarked(utf16: values.utf16(at: index)) { bytes throws(SQLiteError) in
        try bind(bytes, SQLITE_UTF16)
      }
    case (false, false): try bind(values.utf8(at: index), SQLITE_UTF8)
    }
    return true
  }
}

extension FunctionArguments {
  fileprivate borrowing func utf16(at index: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_value_text16(values[index])
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes16(values[index])))
  }

  fileprivate borrowing func utf8(at index: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_value_text(values[index])
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(values[index])))
  }
}
