internal import DecantBase

/// An attribute, or a to-one relationship by its key, as used in a condition or an order.
public struct Field<Value: FieldValue>: Sendable {
  let path: FieldPath

  init(_ path: FieldPath) { self.path = path }

  /// Whether the field has this value; with `nil`, whether it has none.
  public static func == (field: Field, value: Value?) -> ObjectCondition { field.compared(.isEqual, value) }

  /// Whether the field has another value or none; with `nil`, whether it has any.
  public static func != (field: Field, value: Value?) -> ObjectCondition { field.compared(.isUnequal, value) }

  /// Whether the field has a value less than `value`.
  public static func < (field: Field, value: Value) -> ObjectCondition { field.compared(.isLess, value) }

  /// Whether the field has a value less than or equal to `value`.
  public static func <= (field: Field, value: Value) -> ObjectCondition { field.compared(.isLessOrEqual, value) }

  /// Whether the field has a value greater than `value`.
  public static func > (field: Field, value: Value) -> ObjectCondition { field.compared(.isGreater, value) }

  /// Whether the field has a value greater than or equal to `value`.
  public static func >= (field: Field, value: Value) -> ObjectCondition { field.compared(.isGreaterOrEqual, value) }

  /// Whether two fields have the same value, or both have none.
  public static func == (field: Field, other: Field) -> ObjectCondition {
    ObjectCondition(.comparedFields(field.path, .isEqual, other.path))
  }

  /// Whether two fields have different values.
  public static func != (field: Field, other: Field) -> ObjectCondition {
    ObjectCondition(.comparedFields(field.path, .isUnequal, other.path))
  }

  /// Whether the field has one of these values.
  public func isOne(of values: some Sequence<Value>) -> ObjectCondition {
    ObjectCondition(.among(path, values.map(\.storeValue)))
  }

  /// Ascending order of this field; objects without a value come first.
  public var ascending: ObjectOrder { ObjectOrder(path: path) }

  /// Descending order of this field; objects without a value come last.
  public var descending: ObjectOrder { ObjectOrder(path: path, isDescending: true) }

  private func compared(_ comparison: ObjectCondition.Comparison, _ value: Value?) -> ObjectCondition {
    ObjectCondition(.compared(path, comparison, value?.storeValue ?? .null))
  }
}

extension Field where Value == String {
  /// Whether the text contains `part`; ignoring case compares A–Z with a–z only, as SQLite does.
  public func contains(_ part: String, ignoringCase: Bool = false) -> ObjectCondition {
    ObjectCondition(.matched(path, .contains, part, ignoresCase: ignoringCase))
  }

  /// Whether the text begins with `part`.
  public func hasPrefix(_ part: String, ignoringCase: Bool = false) -> ObjectCondition {
    ObjectCondition(.matched(path, .begins, part, ignoresCase: ignoringCase))
  }

  /// Whether the text ends with `part`.
  public func hasSuffix(_ part: String, ignoringCase: Bool = false) -> ObjectCondition {
    ObjectCondition(.matched(path, .ends, part, ignoresCase: ignoringCase))
  }

  /// Like `ascending`, without distinguishing A–Z from a–z.
  public var ascendingIgnoringCase: ObjectOrder { ObjectOrder(path: path, ignoresCase: true) }

  /// Like `descending`, without distinguishing A–Z from a–z.
  public var descendingIgnoringCase: ObjectOrder { ObjectOrder(path: path, isDescending: true, ignoresCase: true) }
}

/// A sort key: one field and its direction.
public struct ObjectOrder: Sendable {
  let path: FieldPath
  var isDescending = false
  var ignoresCase = false
}
