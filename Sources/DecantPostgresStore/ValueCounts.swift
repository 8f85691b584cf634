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
  /// The number of integers other than 0 and 1.
  private var largeIntegers: Int64 = 0
  /// The number of REAL values without a fraction.
  private var wholeReals: Int64 = 0

  /// The number of values other than NULL.
  var all: Int64 { integers + reals + texts + blobs }

  /// The counts by storage class, for messages.
  var text: String {
    [(integers, "integer"), (reals, "real"), (texts, "text"), (blobs, "blob")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  private static let expressions = [
    "typeof(%@) = 'null'", "typeof(%@) = 'integer'", "typeof(%@) = 'real'", "typeof(%@) = 'text'",
    "typeof(%@) = 'blob'",
    // IS NULL and AND are avoided, because SQLite would read large values for them.
    "CASE typeof(%@) WHEN 'integer' THEN %@ NOT IN (0, 1) END", "CASE typeof(%@) WHEN 'real' THEN %@ = round(%@) END",
  ]
  /// The number of columns that one query counts: SQLite allows at most 2,000 result columns.
  private static let columnLimit = 250

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
        let sums = part.flatMap { column in
          expressions.map { expression in
            "total(\(expression.split(separator: "%@", omittingEmptySubsequences: false).joined(separator: column.name.sqlName)))"
          }
        }
        let condition = conditions.isEmpty ? "" : " WHERE " + conditions.map { "(\($0)\n)" }.joined(separator: " AND ")
        try session.connection.forEachRow(
          "SELECT \(sums.joined(separator: ", ")) FROM \(CopySession.source).\(table.sqlName)\(condition)"
        ) { row in
          for (offset, column) in part.enumerated() {
            let values = expressions.indices.map { Int64(row.real(at: offset * expressions.count + $0)) }
            counts.append(ValueCounts(column.affinity, values))
          }
        }
      }
    }
    return counts
  }

  private init(_ affinity: Affinity, _ values: [Int64]) {
    self.affinity = affinity
    (nulls, integers, reals, texts) = (values[0], values[1], values[2], values[3])
    (blobs, largeIntegers, wholeReals) = (values[4], values[5], values[6])
  }

  /// Returns the number of values that a column of `type` can hold exactly.
  func fitting(_ type: ServerType) -> Int64 {
    switch type {
    case .smallint, .integer, .bigint: integers
    case .boolean: integers - largeIntegers
    case .double, .timestamp: reals
    // Without a numeric affinity, SQLite distinguishes 2 and 2.0, which `numeric` does not.
    case .numeric: integers + reals - (affinity == .blob ? wholeReals : 0)
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
      if declared.hasPrefix("bool") { return largeIntegers == 0 && reals == 0 ? .boolean : .bigint }
      return declared.hasPrefix("dec") || declared.hasPrefix("num") || reals > 0 || all == 0 ? .numeric : .bigint
    case .blob: return integers + reals + texts == 0 ? .bytea : .bigint
    }
  }
}
