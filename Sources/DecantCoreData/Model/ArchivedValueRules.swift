internal import DecantBase
internal import DecantPropertyList

/// The rules for values in the validation predicates of an archived attribute.
///
/// Bounds, lengths and patterns, as in the model editor; other predicates are ignored. The first predicate that sets a
/// bound counts.
struct ArchivedValueRules {
  private let type: AttributeType
  private var rules = ValueRules()
  /// The number of predicates that may still be read: shared references could otherwise expand without bound.
  private var rest = 1000

  static func rules(of node: KeyedArchive.Node, type: AttributeType) -> ValueRules {
    var reader = ArchivedValueRules(type: type)
    for predicate in node["NSValidationPredicates"]?.elements ?? [] { reader.read(predicate, depth: 0) }
    return reader.rules
  }

  private init(type: AttributeType) { self.type = type }

  private mutating func read(_ predicate: KeyedArchive.Node, depth: Int) {
    rest -= 1
    guard depth < 8, rest > 0 else { return }
    // A conjunction: the editor's minimum and maximum are stored in one.
    if predicate["NSCompoundPredicateType"]?.integer == 1 {
      for part in predicate["NSSubpredicates"]?.elements ?? [] { read(part, depth: depth + 1) }
      return
    }
    guard let left = predicate["NSLeftExpression"], let right = predicate["NSRightExpression"],
      right["NSExpressionType"]?.integer == 0, let value = right["NSConstantValue"],
      let comparison = predicate["NSPredicateOperator"], comparison["NSModifier"]?.integer ?? 0 == 0
    else { return }
    switch comparison["NSOperatorType"]?.integer {
    case 1: rules.maximum = rules.maximum ?? bound(left, value)
    case 3: rules.minimum = rules.minimum ?? bound(left, value)
    case 6 where type == .string && subject(of: left) == .itself && comparison["NSFlags"]?.integer ?? 0 == 0:
      rules.pattern = rules.pattern ?? value.string
    default: break
    }
  }

  private func bound(_ left: KeyedArchive.Node, _ value: KeyedArchive.Node) -> Value? {
    let expected = type == .string ? MappingExpression.keyPath(of: .itself, ["length"]) : .itself
    guard let type = type.boundType, subject(of: left) == expected else { return nil }
    return DefaultValue.value(of: value, type: type)
  }

  /// Returns the compared expression; `nil` if it cannot be read.
  private func subject(of node: KeyedArchive.Node) -> MappingExpression? {
    var reader = ArchivedMappingExpression(place: "")
    return try? reader.read(node, "")
  }
}
