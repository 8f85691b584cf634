internal import DecantBase
internal import DecantPlan
internal import DecantSQLite

/// Translates conditions into SQL that is true or false, never NULL.
extension ObjectStatement {
  mutating func render(_ node: ObjectCondition.Node) throws(DecantError) -> String {
    switch node {
    case .compared(let path, let comparison, let value):
      let field = try expression(path)
      if comparison != .isEqual, comparison != .isUnequal, value == .null { return "0" }
      return decided(field, comparison, bind(value))
    case .comparedFields(let path, let comparison, let other):
      return decided(try expression(path), comparison, try expression(other))
    case .among(let path, let values):
      let field = try expression(path)
      return "(\(field) IS NOT NULL AND \(field) IN (\(values.map { bind($0) }.joined(separator: ", "))))"
    case .matched(let path, let match, let text, let ignoresCase):
      return matching(try expression(path), match, text, ignoresCase)
    case .leads(let path, let linked, let condition): return try leads(path, linked, condition)
    case .within(let request): return try within(request)
    case .both, .either:
      // Without parentheses around each part, because SQLite's parser is limited to a depth of about forty.
      var parts: [String] = []
      for part in node.parts { parts.append(try render(part)) }
      if case .both = node { return "(\(parts.joined(separator: " AND ")))" }
      return "(\(parts.joined(separator: " OR ")))"
    case .not(let condition): return "(NOT \(try render(condition)))"
    }
  }

  /// Returns a comparison with a value that is never NULL and can use an index.
  func decided(_ field: String, _ comparison: ObjectCondition.Comparison, _ value: String) -> String {
    let compared = "\(field) \(comparison.rawValue) \(value)"
    return switch comparison {
    case .isEqual, .isUnequal: "(\(compared))"
    case .isLess, .isLessOrEqual, .isGreater, .isGreaterOrEqual: "(\(field) IS NOT NULL AND \(compared))"
    }
  }

  mutating func matching(
    _ field: String, _ match: ObjectCondition.TextMatch, _ text: String, _ ignoresCase: Bool
  ) -> String {
    let (value, part) = ignoresCase ? ("lower(\(field))", "lower(\(bind(.text(text))))") : (field, bind(.text(text)))
    return switch match {
    case .contains: "ifnull(instr(\(value), \(part)) > 0, 0)"
    case .begins: "ifnull(substr(\(value), 1, length(\(part))) = \(part), 0)"
    case .ends: "ifnull(length(\(part)) = 0 OR substr(\(value), -length(\(part))) = \(part), 0)"
    }
  }

  mutating func bind(_ value: StoreValue) -> String {
    bindings.append(value.binding)
    return "?\(bindings.count)"
  }

  /// Returns the condition that an object is in the result of a request that has a limit.
  mutating func within(_ request: ObjectRequest) throws(DecantError) -> String {
    let outer = scopes
    let key = "\(scopes[0].alias).\(EntityView.key.quotedName)"
    scopes = []
    defer { scopes = outer }
    let view = try view(request.entity)
    guard hasKey(view) else { throw ObjectStatement.lacksKey(request.entity) }
    begin(request.entity)
    let conditions = try conditions(request)
    let terms = try terms(request, view)
    let own = "\(scopes[0].alias).\(EntityView.key.quotedName)"
    return "\(key) IN (SELECT \(own) FROM \(source(view))\(joined(conditions))\(order(terms))"
      + (request.limit.map { " LIMIT \($0)" } ?? "") + ")"
  }

  mutating func leads(_ path: FieldPath, _ linked: FieldPath, _ condition: ObjectCondition.Node?)
    throws(DecantError) -> String
  {
    let owner = try object(FieldPath(scope: path.scope, steps: path.steps))
    let relationship = try relationship(path.name, of: owner.entity)
    let link = newAlias()
    let key = EntityView.key.quotedName
    let ownerKey = "\(owner.alias).\(key)"
    let rows = try rows(of: path.name, owner.entity)
    begin(relationship.destination, linked.scope)
    defer { scopes.removeLast() }
    let target = try view(relationship.destination)
    let inner = try condition.map { node throws(DecantError) in " AND " + (try render(node)) } ?? ""
    return """
      EXISTS (SELECT 1 FROM (\(rows)) AS \(link) JOIN \(source(target)) \
      WHERE \(scopes[scopes.count - 1].alias).\(key) = \(link).target AND \(link).owner = \(ownerKey)\(inner))
      """
  }
}

extension ObjectCondition.Node {
  /// The operands of a chain of the same operator, in order: all three of `a && b && c`.
  fileprivate var parts: [ObjectCondition.Node] {
    var (parts, rest) = ([ObjectCondition.Node](), [self])
    while let node = rest.popLast() {
      switch (self, node) {
      case (.both, .both(let one, let other)), (.either, .either(let one, let other)): rest += [other, one]
      default: parts.append(node)
      }
    }
    return parts
  }
}

extension StoreValue {
  fileprivate var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
}
