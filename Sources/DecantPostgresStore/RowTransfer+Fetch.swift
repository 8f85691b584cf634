internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// Fetching rows from the server.
extension RowTransfer {
  /// Inserts the rows of the server's table into `main`; returns the number of rounded values.
  ///
  /// `sent` is the database from which they were sent: rows without integer keys get the same row numbers. Rows that
  /// `scratch` refuses are left out and recorded in `broken`; without it, they are an error.
  func fetch(
    into scratch: Connection,
    numberedAs sent: Connection? = nil,
    recordingIn broken: BrokenRules? = nil,
    on connection: PostgresConnection
  ) throws(DecantError) -> RoundedValues {
    let rowID = table.rowID ?? "rowid"
    let context = "cannot read the table \(table.name)"
    let columns = table.columns.map(\.own.sqlName).joined(separator: ", ")
    try checkTexts(on: connection)
    let large = try largeColumns(in: scratch, on: connection)
    let parameters = (1...max(table.columns.count, 1)).map { "?\($0)" }.joined(separator: ", ")
    return try server.explainingBoth(context) {
      let order = RowOrder(table, without: large?.positions ?? [])
      let numbers =
        try table.rowID == nil
        ? nil
        : sent.map { sent throws(SQLiteError) in
          try sent.prepare("SELECT \(rowID) FROM main.\(table.own.sqlName)\(order.here(on: sent))")
        }
      // A table may have its own way to resolve conflicts, such as ON CONFLICT REPLACE, which would lose rows.
      let insertion = try scratch.prepare(
        "INSERT OR ABORT INTO main.\(table.own.sqlName) (\(columns)\(numbers == nil ? "" : ", \(rowID)")) VALUES (\(parameters)"
          + (numbers == nil ? ")" : ", ?\(table.columns.count + 1))"))
      let query = statements.read(table, largeColumns: large?.positions ?? []) + (numbers == nil ? "" : order.onServer)
      let rows = try BinaryRows(query, on: connection)
      var values: [LargeServerValue] = []
      var count: Int64 = 0
      var rounded = [Int64](repeating: 0, count: kinds.count)
      while try rows.next() {
        for position in kinds.indices where try !bind(rows, position, insertion) { rounded[position] += 1 }
        var found: [(position: Int, byteCount: Int64)] = []
        for (index, position) in (large?.positions ?? []).enumerated() {
          let place = table.columns.count + index
          guard !rows.isNull(place) else { continue }
          found.append((position, rows.integer(place)))
          try insertion.bindZeros(rows.integer(place), at: position + 1)
        }
        // Bytes behind a large value would keep its zeros in memory.
        let small = found.isEmpty ? [] : (large?.positions ?? []).filter { !rows.isNull($0) && !rows.bytes($0).isEmpty }
        for position in small { try insertion.bindZeros(Int64(rows.bytes(position).count), at: position + 1) }
        if let numbers {
          guard try numbers.step() else {
            throw DecantError(.proofFailed, "\(table.name) has more rows than were sent")
          }
          insertion.bind(integer: numbers.integer(at: 0), at: table.columns.count + 1)
        }
        do {
          _ = try insertion.step()
          insertion.reset()
        } catch let error as SQLiteError where error.isConstraint {
          insertion.reset()
          try (broken ?? BrokenRules(of: server, isStrict: true)).refuse(rows, of: self, error)
          continue
        }
        count += 1
        for position in small {
          try BlobHandle(
            "main", table.own, table.columns[position].own, rowID: scratch.lastInsertedRowID, isWritable: true,
            on: scratch
          ).write(rows.bytes(position), at: 0)
        }
        if let large {
          let place = table.columns.count + large.positions.count
          values += found.map { value in
            LargeServerValue(
              rowID: scratch.lastInsertedRowID,
              position: value.position,
              byteCount: value.byteCount,
              place: (rows.integer(place), String(decoding: rows.bytes(place + 1), as: UTF8.self))
            )
          }
        }
        if count.isMultiple(of: 1_024), connection.isStopped() {
          throw DecantError(.interrupted, "the operation was interrupted")
        }
      }
      for value in values { try value.fetch(self, into: scratch, on: connection) }
      let there = try scratch.integer("SELECT count(*) FROM main.\(table.own.sqlName)") ?? 0
      guard there == count else {
        throw DecantError(
          .proofFailed,
          "\(count.counted("row")) of \(table.name) became \(there) in the temporary database",
          place: server.place
        )
      }
      var result = RoundedValues()
      for position in kinds.indices {
        result.add(rounded[position], of: "\(table.name).\(table.columns[position].name)")
      }
      return result
    }
  }

  /// Throws if a text needs more memory than is available, naming its column, key and size.
  private func checkTexts(on connection: PostgresConnection) throws(DecantError) {
    let context = "cannot read the table \(table.name)"
    let texts = table.columns.filter { $0.type == .text && $0.expression == nil }
    guard !texts.isEmpty, table.query == nil, let limit = AvailableMemory.largestText else { return }
    let name = ServerNames.quoted(literal: statements.qualified(table.name))
    let found = try server.explaining(context) { () throws(PostgresError) -> (column: String, row: [String?])? in
      let size = try connection.text("SELECT pg_catalog.pg_table_size(\(name)::pg_catalog.regclass)")
      // Texts may be compressed.
      guard let size = size.flatMap({ Int64($0) }), size > limit / 256 else { return nil }
      for column in texts {
        let length = "pg_catalog.octet_length(\(ServerNames.quoted(column.name)))"
        let key = table.key.map { "\(ServerNames.quoted($0))::text" }
        let row = try connection.rows(
          """
          SELECT \(length), \(key.isEmpty ? "ctid::text" : "pg_catalog.concat_ws(', ', \(key.joined(separator: ", ")))")
          FROM \(statements.source(table)) WHERE \(length) > \(max(limit, Int64(StrictType.largeText))) LIMIT 1
          """
        ).first
        if let row { return (column.name, row) }
      }
      return nil
    }
    guard let found else { return }
    let key = found.row[1].map { " of the row \($0)" } ?? ""
    throw DecantError(
      .unsupportedContent,
      "\(table.name).\(found.column)\(key) is a text of \((found.row[0].flatMap { Int64($0) } ?? 0).asByteCount), for which "
        + "there is not enough memory: a text takes up to five times its size",
      place: server.place,
      remedy: "use a machine with more memory, or shorten it in the database"
    )
  }

  /// Returns the columns of the server's table that have large values; `nil` if there are none.
  private func largeColumns(in scratch: Connection, on connection: PostgresConnection)
    throws(DecantError) -> LargeColumns?
  {
    try server.explainingBoth("cannot read the table \(table.name)") {
      guard let large = try LargeColumns(of: table, in: scratch)?.writable(in: table, of: scratch) else { return nil }
      let lengths = large.positions.map {
        "pg_catalog.octet_length(\(ServerNames.quoted(table.columns[$0].name))) > \(ServerStatements.largeValue)"
      }
      let found = try connection.text(
        "SELECT 1 FROM \(statements.source(table)) WHERE \(lengths.joined(separator: " OR ")) LIMIT 1")
      return found == nil ? nil : large
    }
  }

  /// Binds a value; returns whether it is exactly the one on the server.
  private func bind(_ row: BinaryRows, _ position: Int, _ insertion: Statement) throws -> Bool {
    let place = position + 1
    guard !row.isNull(position) else {
      insertion.bindNull(at: place)
      return true
    }
    let kind = kinds[position]
    if let form = kind.form {
      guard let stored = stored(row, position), let value = form.decoded(stored) else {
        throw unreadable(row, position)
      }
      try insertion.bind(value, at: place)
      // Other numbers are compared by value, because one value may be written in several ways.
      guard kind.type == .timestamp else { return true }
      return form.encoded(value, as: kind.type.strictType) == stored
    }
    switch kind.type {
    case .smallint, .integer, .bigint, .boolean: insertion.bind(integer: row.integer(position), at: place)
    case .double:
      let value = row.double(position)
      // SQLite would convert it to NULL.
      guard !value.isNaN else { throw unreadable(row, position) }
      insertion.bind(real: value, at: place)
    case .numeric:
      guard let digits = DecimalDigits(row.bytes(position)) else { throw unreadable(row, position) }
      switch DecimalText.number(in: digits.text) {
      case .integer(let integer):
        insertion.bind(integer: integer, at: place)
        return DecimalDigits(String(integer))?.isSameNumber(as: digits) ?? false
      case .real(let real):
        let isSame = DecimalDigits(DecimalText.text(of: real))?.isSameNumber(as: digits) ?? false
        // An infinite number of a copied database is sent as a very large one; no other may become infinite.
        guard real.isFinite || isSame else { throw unreadable(row, position) }
        insertion.bind(real: real, at: place)
        return isSame
      // As a text it could not be copied to a server again.
      default: throw unreadable(row, position)
      }
    case .timestamp:
      let value = row.integer(position)
      guard value != Int64.max, value != Int64.min else { throw unreadable(row, position) }
      let count = value - ServerType.offset
      switch StrictType.seconds(ofMicroseconds: count) {
      case .integer(let whole): insertion.bind(integer: whole, at: place)
      case .real(let real):
        insertion.bind(real: real, at: place)
        return StrictType.microseconds(of: real) == count
      default: throw unreadable(row, position)
      }
    case .text: try insertion.bind(row.bytes(position), isText: true, at: place)
    case .uuid, .bytea: try insertion.bind(row.bytes(position), isText: false, at: place)
    }
    return true
  }

  /// Returns the form in which a column holds a value of another type.
  func stored(_ row: BinaryRows, _ position: Int) -> Binding? {
    switch kinds[position].type {
    case .smallint, .integer, .bigint, .boolean: .integer(row.integer(position))
    case .double: row.double(position).isNaN ? nil : .real(row.double(position))
    case .numeric:
      DecimalDigits(row.bytes(position)).flatMap { digits in
        kinds[position].form?.kind == .number ? .text(digits.text) : DecimalText.number(in: digits.text)
      }
    case .timestamp:
      row.integer(position) == Int64.max || row.integer(position) == Int64.min
        ? nil : .integer(row.integer(position) - ServerType.offset)
    case .text: .text(String(decoding: row.bytes(position), as: UTF8.self))
    case .uuid, .bytea: .blob(Array(row.bytes(position)))
    }
  }

  /// Returns the values of the key of a row, or of its first columns if it has none; `nil` if these are not readable.
  func name(of row: BinaryRows) -> String? {
    let key = table.key.compactMap { name in table.columns.firstIndex { $0.name == name } }
    let values = (key.isEmpty ? Array(table.columns.indices.prefix(3)) : key).compactMap { place -> String? in
      guard !row.isNull(place) else { return nil }
      return switch stored(row, place) {
      case .integer(let number): "\(table.columns[place].name) = \(number)"
      case .text(let text): "\(table.columns[place].name) = \(text.shortened)"
      default: nil
      }
    }
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  private func unreadable(_ row: BinaryRows, _ position: Int) -> DecantError {
    let owner = name(of: row).map { " of the row with \($0)" } ?? ""
    return DecantError(
      .unsupportedContent,
      "\(table.name).\(table.columns[position].name)\(owner) has a value that no store can hold: NaN, infinite or out of "
        + "range",
      place: server.place,
      remedy: "change it in the database"
    )
  }
}
