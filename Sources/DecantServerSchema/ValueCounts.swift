internal import DecantBase
internal import DecantPlain
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// The numbers of values of each storage class in a column of a plain database.
struct ValueCounts {
  private let affinity: Affinity
  private(set) var nulls: Int64 = 0
  private var integers: Int64 = 0
  private var reals: Int64 = 0
  private var texts: Int64 = 0
  private var blobs: Int64 = 0
  /// Whether the column is declared as one of Booleans.
  private let isBoolean: Bool
  /// The number of integers other than 0 and 1, if they are Booleans, of REAL values without a fraction, if there is no
  /// affinity, or of infinite values of the numeric affinity.
  private var exceptions: Int64 = 0

  /// The number of infinite values in a column of type `numeric`.
  var infinite: Int64 { affinity == .numeric && !isBoolean ? exceptions : 0 }

  /// The number of values other than NULL.
  var all: Int64 { integers + reals + texts + blobs }

  /// The counts by storage class, for messages.
  var text: String {
    [(integers, "integer"), (reals, "real"), (texts, "text"), (blobs, "blob")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  private init(_ column: ColumnSchema) {
    affinity = column.affinity
    isBoolean = affinity == .numeric && column.declaredType.foldedName.hasPrefix("bool")
  }

  /// The number of columns that one query counts: SQLite allows at most 2,000 result columns.
  private static let columnLimit = 900

  /// Counts the values of `columns` in the rows of `table` that meet all `conditions`.
  static func read(
    _ columns: [ColumnSchema],
    of table: String,
    where conditions: [String],
    on session: CopySession
  ) throws(DecantError) -> [ValueCounts] {
    var counts: [ValueCounts] = []
    try explaining("cannot read the table \(table)") { () throws(SQLiteError) in
      for start in stride(from: 0, to: columns.count, by: columnLimit) {
        let part = columns[start..<min(start + columnLimit, columns.count)]
        try read(part, "\(CopySession.source).\(table.sqlName)", conditions, on: session.connection, into: &counts)
      }
    }
    return counts
  }

  private static func read(
    _ columns: ArraySlice<ColumnSchema>,
    _ table: String,
    _ conditions: [String],
    on connection: Connection,
    into counts: inout [ValueCounts]
  ) throws(SQLiteError) {
    var part = columns.map(ValueCounts.init)
    // For typeof(), and for CASE on it, SQLite reads no large value.
    var values = columns.map { "typeof(\($0.name.sqlName))" }
    var tests: [Int] = []
    for (offset, column) in columns.enumerated() {
      guard let test = part[offset].test(column.name.sqlName) else { continue }
      tests.append(offset)
      values.append(test)
    }
    let select = SelectStatement(columns: values, source: table, conditions: conditions.map { "(\($0)\n)" })
    try connection.forEachRow(select.sql) { row in
      for offset in part.indices { part[offset].count(row.withBytes(at: offset) { $0.first }) }
      for (offset, tested) in tests.enumerated() where row.integer(at: part.count + offset) != 0 {
        part[tested].exceptions += 1
      }
    }
    counts += part
  }

  /// Counts a value by the first letter of its storage class.
  private mutating func count(_ letter: UInt8?) {
    switch letter {
    case UInt8(ascii: "n"): nulls += 1
    case UInt8(ascii: "i"): integers += 1
    case UInt8(ascii: "r"): reals += 1
    case UInt8(ascii: "t"): texts += 1
    default: blobs += 1
    }
  }

  /// Returns SQL that is true for an exception; `nil` if there are none.
  private func test(_ column: String) -> String? {
    if isBoolean { return "CASE typeof(\(column)) WHEN 'integer' THEN \(column) NOT IN (0, 1) END" }
    let isException = [Affinity.blob: "\(column) = round(\(column))", .numeric: "abs(\(column)) = 9e999"][affinity]
    return isException.map { "CASE typeof(\(column)) WHEN 'real' THEN \($0) END" }
  }

  /// Returns the number of values that a column of `type` can hold exactly.
  func fitting(_ type: ServerType) -> Int64 {
    switch type {
    case .smallint, .integer, .bigint: integers
    case .boolean: isBoolean ? integers - exceptions : 0
    case .double, .timestamp: reals
    // Without a numeric affinity, SQLite distinguishes 2 and 2.0, which `numeric` does not.
    case .numeric: integers + reals - (affinity == .blob ? exceptions : 0)
    case .text: texts
    case .bytea, .uuid: blobs
    }
  }

  /// Returns the type that fits all values, or else most of them; `declaredType` decides among several.
  func type(declared declaredType: String) -> ServerType {
    let meant = meantType(declaredType.foldedName)
    guard fitting(meant) < all else { return meant }
    let others: [ServerType] = [.bigint, .double, .numeric, .text, .bytea]
    return others.reduce(meant) { fitting($1) > fitting($0) ? $1 : $0 }
  }

  private func meantType(_ declared: String) -> ServerType {
    switch affinity {
    case .integer: return .bigint
    case .real: return .double
    case .text: return .text
    case .numeric:
      if all == 0, declared.contains("date") || declared.contains("time") { return .text }
      if isBoolean { return exceptions == 0 && reals == 0 ? .boolean : .bigint }
      return declared.hasPrefix("dec") || declared.hasPrefix("num") || reals > 0 || all == 0 ? .numeric : .bigint
    case .blob: return integers + reals + texts == 0 ? .bytea : .bigint
    }
  }
}
