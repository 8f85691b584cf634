internal import DecantBase

/// A condition that selects objects: comparisons of fields, joined by `&&`, `||` and `!`.
///
/// A condition is true or false, never unknown: a field without a value differs from every value and is neither less
/// nor greater than any. Values are bound to the statement and never become part of its text.
///
/// ```swift
/// store.objects(Recipe.self).filter { $0.rating >= 4 && $0.category.name == "Soup" }
/// ```
public struct ObjectCondition: Sendable {
  indirect enum Node: Sendable {
    case compared(FieldPath, Comparison, StoreValue)
    case comparedFields(FieldPath, Comparison, FieldPath)
    case among(FieldPath, [StoreValue])
    case matched(FieldPath, TextMatch, String, ignoresCase: Bool)
    /// Whether a relationship has a target that meets a condition; the second path is the target's in that condition.
    case leads(FieldPath, FieldPath, Node?)
    /// Whether the object is in the result of a request.
    case within(ObjectRequest)
    case both(Node, Node)
    case either(Node, Node)
    case not(Node)
  }

  enum Comparison: String, Sendable {
    case isEqual = "IS"
    case isUnequal = "IS NOT"
    case isLess = "<"
    case isLessOrEqual = "<="
    case isGreater = ">"
    case isGreaterOrEqual = ">="
  }

  enum TextMatch: Sendable {
    case contains, begins, ends
  }

  let node: Node

  init(_ node: Node) { self.node = node }

  /// Whether both conditions are true.
  public static func && (one: ObjectCondition, other: ObjectCondition) -> ObjectCondition {
    ObjectCondition(.both(one.node, other.node))
  }

  /// Whether at least one of the conditions is true.
  public static func || (one: ObjectCondition, other: ObjectCondition) -> ObjectCondition {
    ObjectCondition(.either(one.node, other.node))
  }

  /// Whether the condition is false.
  public static prefix func ! (condition: ObjectCondition) -> ObjectCondition { ObjectCondition(.not(condition.node)) }
}
