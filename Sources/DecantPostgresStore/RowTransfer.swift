internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantStore

/// Rows between a table in PostgreSQL and one of the same name and columns in a temporary database.
struct RowTransfer {
  let server: Server
  let table: ServerSchema.Table
  let statements: ServerStatements

  /// The order in which rows without keys are sent.
  private var order: String { table.rowID.map { " ORDER BY \($0)" } ?? "" }

  // MARK: Into PostgreSQL

  /// Sends the rows of `database` that meet `condition`, in which a row is `r`; returns their number, and the names of the
  /// columns in which all have a value.
  func send(
    from scratch: Connection,
    _ database: String = "main",
    where condition: String? = nil,
    on connection: PostgresConnection
  ) throws(DecantError) -> (rows: Int64, required: [String]) {
    let columns = table.columns.map(\.own.sqlName).joined(separator: ", ")
    let context = "cannot write the table \(table.name)"
    var nulls = [Bool](repeating: false, count: table.columns.count)
    return try explaining(context) {
      let chosen = condition.map { " WHERE \($0)" } ?? ""
      let reading = try scratch.prepare(
        "SELECT \(columns) FROM \(database).\(table.own.sqlName) AS r\(chosen)\(order)")
      let copy = try CopyIn(statements.copy(into: table), on: connection)
      while try reading.step() {
        try copy.beginRow(table.columns.count)
        for (position, column) in table.columns.enumerated() {
          guard reading.type(at: position) != .null else {
            nulls[position] = true
            copy.appendNull()
            continue
          }
          try send(reading, position, column, copy)
        }
      }
      let rows = try copy.finish()
      let required = zip(table.columns, nulls).filter { !$1 && $0.wantsValue }.map(\.0.name)
      return (rows, required)
    }
  }

  /// Runs `body`; explains an error of either database with `context`.
  private func explaining<Result>(_ context: String, _ body: () throws -> Result) throws(DecantError) -> Result {
    do {
      return try body()
    } catch let error as PostgresError {
      throw server.error(error, context)
    } catch let error as SQLiteError {
      throw DecantError(context, cause: error)
    } catch let error as DecantError {
      throw error
    } catch {
      throw DecantError(.systemFailed, "\(context): \(error)")
    }
  }

  private func send(
    _ row: Statement,
    _ position: Int,
    _ column: ServerSchema.Column,
    _ copy: CopyIn
  ) throws {
    let found = row.type(at: position)
    switch (column.type, found) {
    case (.smallint, .integer):
      guard let value = Int16(exactly: row.integer(at: position)) else { throw misfit(column) }
      copy.append(value: value)
    case (.integer, .integer):
      guard let value = Int32(exactly: row.integer(at: position)) else { throw misfit(column) }
      copy.append(value: value)
    case (.bigint, .integer): copy.append(value: row.integer(at: position))
    case (.boolean, .integer): copy.append(value: row.integer(at: position) != 0)
    case (.double, .integer), (.double, .real): copy.append(value: row.real(at: position))
    case (.numeric, .integer), (.numeric, .real):
      let text =
        found == .integer
        ? String(row.integer(at: position)) : DecimalText.text(of: row.real(at: position))
      guard let digits = DecimalDigits(text) else { throw misfit(column) }
      copy.append(digits)
    case (.timestamp, .integer), (.timestamp, .real):
      guard let value = StrictType.microseconds(of: row.real(at: position)) else { throw misfit(column) }
      copy.append(value: value + ServerType.offset)
    case (.text, .text), (.bytea, .blob), (.uuid, .blob):
      var failure: PostgresError?
      row.withBytes(at: position) { bytes in
        do throws(PostgresError) { try copy.append(value: bytes) } catch { failure = error }
      }
      if let failure { throw failure }
    default: throw misfit(column)
    }
  }

  private func misfit(_ column: ServerSchema.Column) -> DecantError {
    DecantError(
      .unsupportedContent,
      "a value of \(table.own).\(column.own) is not of the type \(column.type.rawValue), which the others have",
      remedy: "correct it in a copy of the database, or leave the row out with \(say: .where)"
    )
  }

  // MARK: From PostgreSQL

  /// Inserts the rows of the server's table into `main`; returns their number.
  ///
  /// `sent` is the database from which they were sent: rows without keys get their numbers from it, in the order in which
  /// they were sent and are stored.
  @discardableResult
  func fetch(into scratch: Connection, numberedAs sent: Connection? = nil, on connection: PostgresConnection)
    throws(DecantError) -> Int64
  {
    let rowID = table.rowID ?? "rowid"
    let context = "cannot read the table \(table.name)"
    let columns = table.columns.map(\.own.sqlName).joined(separator: ", ")
    let parameters = (1...max(table.columns.count, 1)).map { "?\($0)" }.joined(separator: ", ")
    return try explaining(context) {
      let numbers =
        table.rowID == nil ? nil : try sent?.prepare("SELECT \(rowID) FROM main.\(table.own.sqlName)\(order)")
      let insertion = try scratch.prepare(
        "INSERT INTO main.\(table.own.sqlName) (\(columns)\(numbers == nil ? "" : ", \(rowID)")) VALUES (\(parameters)"
          + (numbers == nil ? ")" : ", ?\(table.columns.count + 1))"))
      let rows = try CopyOut("COPY (\(statements.read(table))) TO STDOUT (FORMAT binary)", on: connection)
      var count: Int64 = 0
      while try rows.next() {
        for (position, column) in table.columns.enumerated() {
          try bind(rows, position, column, insertion)
        }
        if let numbers {
          guard try numbers.step() else {
            throw DecantError(.proofFailed, "\(table.name) has more rows than were sent")
          }
          insertion.bind(integer: numbers.integer(at: 0), at: table.columns.count + 1)
        }
        _ = try insertion.step()
        insertion.reset()
        count += 1
        if count.isMultiple(of: 1_024), connection.isStopped() {
          throw DecantError(.interrupted, "the operation was interrupted")
        }
      }
      return count
    }
  }

  private func bind(_ row: CopyOut, _ position: Int, _ column: ServerSchema.Column, _ insertion: Statement) throws {
    let place = position + 1
    guard !row.isNull(position) else { return insertion.bindNull(at: place) }
    switch column.type {
    case .smallint, .integer, .bigint, .boolean: insertion.bind(integer: row.integer(position), at: place)
    case .double:
      let value = row.double(position)
      // SQLite would make NULL of it.
      guard !value.isNaN else { throw unreadable(column) }
      insertion.bind(real: value, at: place)
    case .numeric:
      guard let text = DecimalDigits(row.bytes(position))?.text else { throw unreadable(column) }
      switch DecimalText.number(in: text) {
      case .integer(let integer): insertion.bind(integer: integer, at: place)
      case .real(let real): insertion.bind(real: real, at: place)
      default: try Array(text.utf8).withUnsafeBytes { try insertion.bind($0, isText: true, at: place) }
      }
    case .timestamp:
      let value = row.integer(position)
      guard value != Int64.max, value != Int64.min else { throw unreadable(column) }
      switch StrictType.seconds(ofMicroseconds: value - ServerType.offset) {
      case .integer(let whole): insertion.bind(integer: whole, at: place)
      case .real(let real): insertion.bind(real: real, at: place)
      default: throw unreadable(column)
      }
    case .text: try insertion.bind(row.bytes(position), isText: true, at: place)
    case .uuid, .bytea: try insertion.bind(row.bytes(position), isText: false, at: place)
    }
  }

  private func unreadable(_ column: ServerSchema.Column) -> DecantError {
    DecantError(
      .unsupportedContent,
      "\(table.name).\(column.name) has a value that no store can hold: NaN or an infinite date",
      place: server.place,
      remedy: "change it in the database"
    )
  }
}
