internal import DecantBase
internal import DecantPropertyList

/// The indexes of an archived entity: fetch indexes, and what was there before them.
enum ArchivedIndex {
  /// The largest entity seen has 60.
  private static let largestCount = 1000

  /// Returns the fetch indexes of an archived entity; those of its parents are left out.
  ///
  /// One without a name or without elements says nothing, and is passed over.
  static func fetchIndexes(of node: KeyedArchive.Node, entity: String) -> [FetchIndex] {
    (node["NSFetchIndexDescriptions"]?.elements ?? []).prefix(largestCount).compactMap { index in
      let owner = index["NSEntity"]?["NSEntityName"]?.string
      guard let name = index["NSIndexName"]?.string, owner == nil || owner == entity else {
        return nil
      }
      let elements = (index["NSIndexElements"]?.elements ?? []).prefix(100).map(element)
      guard !elements.isEmpty else { return nil }
      return FetchIndex(
        name: name,
        elements: elements,
        condition: index["NSPartialIndexPredicate"].map { condition($0, depth: 0) }
      )
    }
  }

  /// Returns the sets of attributes that are indexed together.
  static func compoundIndexes(of node: KeyedArchive.Node) -> [[String]] {
    (node["NSCompoundIndexes"]?.elements ?? []).prefix(largestCount).map { index in
      (index.elements ?? []).prefix(100).compactMap { $0.string ?? $0["NSPropertyName"]?.string }
    }
  }

  private static func element(_ node: KeyedArchive.Node) -> FetchIndex.Element {
    FetchIndex.Element(
      subject(of: node),
      isAscending: node["NSAscending"]?.boolean ?? true,
      isRange: node["NSFetchIndexElementType"]?.integer == 1
    )
  }

  private static func subject(of node: KeyedArchive.Node) -> FetchIndex.Subject {
    // An expression has a name as well, which Core Data makes up: `expression1`.
    if let expression = node["NSIndexedProperty"]?["NSExpression"] {
      if expression.className == "NSSelfExpression" { return .object }
      return keyPath(of: expression) == "entity" ? .entity : .unknown
    }
    return node["NSPropertyName"]?.string.map { .property($0) } ?? .unknown
  }

  /// Returns the condition that a predicate states, as far as predicates of indexes were seen.
  private static func condition(_ node: KeyedArchive.Node, depth: Int) -> FetchIndex.Condition {
    // A real one is two deep; a damaged one may lead back into itself.
    guard depth < 4 else { return .unknown }
    if let parts = node["NSSubpredicates"]?.elements {
      let conditions = parts.prefix(100).map { condition($0, depth: depth + 1) }
      switch node["NSCompoundPredicateType"]?.integer {
      case 1: return .all(conditions)
      case 2: return .any(conditions)
      default: return .unknown
      }
    }
    guard let left = node["NSLeftExpression"], let right = node["NSRightExpression"],
      let comparison = comparison(node["NSPredicateOperator"]), let value = constant(right)
    else { return .unknown }
    if let property = keyPath(of: left) { return .comparison(property, comparison, value) }
    return .unknown
  }

  private static func comparison(_ node: KeyedArchive.Node?) -> FetchIndex.Comparison? {
    // Modifiers ask about many objects, options about case: neither is a plain comparison.
    guard let node, (node["NSModifier"]?.integer ?? 0) == 0, (node["NSOptions"]?.integer ?? 0) == 0
    else { return nil }
    switch node["NSOperatorType"]?.integer {
    case 0: return .less
    case 1: return .lessOrEqual
    case 2: return .greater
    case 3: return .greaterOrEqual
    case 4: return .equal
    case 5: return .unequal
    default: return nil
    }
  }

  private static func constant(_ node: KeyedArchive.Node) -> Value? {
    guard node.className == "NSConstantValueExpression" else { return nil }
    guard let value = node["NSConstantValue"] else { return .null }
    return value.integer.map { .integer($0) }
  }

  /// Returns the key path of an expression, if that is all it is.
  private static func keyPath(of node: KeyedArchive.Node) -> String? {
    if let path = node["NSKeyPath"]?.string { return path }
    guard node.className == "NSKeyPathExpression", let arguments = node["NSArguments"]?.elements,
      arguments.count == 1
    else { return nil }
    return arguments[0]["NSKeyPath"]?.string
  }
}
