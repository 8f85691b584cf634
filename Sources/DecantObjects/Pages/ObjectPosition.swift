internal import DecantBase
internal import DecantSQLite

/// The place of an object in an order: its values of the fields that are ordered by, and its key.
struct ObjectPosition: Sendable, Hashable {
  let values: [Binding]

  /// Reads the columns of a row from `place` on.
  init(_ row: Statement, from place: Int) {
    values = (place..<row.columnCount).map { row.value(at: $0) }
  }
}

/// Which part of the objects a page takes.
struct PagePart {
  /// The object behind which it begins; `nil` for the end of the list.
  var position: ObjectPosition?
  /// Whether it lies in front of the object, so that it is read backwards.
  var isBackward = false
  /// Whether it begins with the object itself.
  var isIncluded = false
  /// Of a descending order: those that have a value of its first field, or those behind them that have none.
  var rest = Rest.withValue

  enum Rest { case withValue, withoutValue }
}

/// A term of an order as SQL.
struct OrderTerm {
  let expression: String
  let isDescending: Bool
  /// Whether a row may have no value of it.
  var isNullable = true

  /// The term in an ORDER BY.
  func sql(isBackward: Bool) -> String { expression + (isDescending != isBackward ? " DESC" : "") }

  /// The condition that a row is beyond `value`, which is bound as `parameter`; NULL comes before everything.
  func isBeyond(_ parameter: String, isNull: Bool, isBackward: Bool) -> String {
    switch (isNull, isDescending != isBackward) {
    case (true, false): "\(expression) IS NOT NULL"
    case (true, true): "0"
    case (false, false): "\(expression) > \(parameter)"
    case (false, true):
      isNullable ? "(\(expression) < \(parameter) OR \(expression) IS NULL)" : "\(expression) < \(parameter)"
    }
  }
}
