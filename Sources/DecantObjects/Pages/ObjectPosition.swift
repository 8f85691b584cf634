internal import DecantBase
internal import DecantSQLite

/// The position of an object in an order: its values of the sort fields, and its key.
struct ObjectPosition: Sendable, Hashable {
  let values: [Binding]

  /// Reads the columns of a row, starting at `place`.
  init(_ row: Statement, from place: Int) {
    values = (place..<row.columnCount).map { row.value(at: $0) }
  }
}

/// The part of the objects that a page is read from.
struct PagePart {
  /// The position after which the page starts; `nil` for the end of the list.
  var position: ObjectPosition?
  /// Whether the page comes before the position and is therefore read backwards.
  var isBackward = false
  /// Whether the page includes the object at the position.
  var isIncluded = false
  /// In descending order: the objects with a value of the first field, or those after them without one.
  var rest = Rest.withValue

  enum Rest { case withValue, withoutValue }
}

/// One sort key as SQL.
struct OrderTerm {
  let expression: String
  let isDescending: Bool
  /// Whether the expression may be NULL.
  var isNullable = true

  /// Returns the sort key for an ORDER BY clause.
  func sql(isBackward: Bool) -> String { expression + (isDescending != isBackward ? " DESC" : "") }

  /// Returns the condition that a row comes after `value`, bound as `parameter`; NULL sorts first.
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
