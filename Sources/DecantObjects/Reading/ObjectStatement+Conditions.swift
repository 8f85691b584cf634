internal import DecantBase
internal import DecantPlan
internal import DecantSQLite

/// Conditions as SQL that is true or false, never unknown.
extension ObjectStatement {
  mutating func render(_ node: ObjectCondition.Node) throws(DecantError) -> String {
    switch node {
    case .compared(let path, let comparison, let value):
      let field = try expression(path)
      if comparison != .isEqual, comparison != .isUnequal, value == .null { return "0" }
      return decided("\(field) \(comparison.rawValue) \(bind(value))", comparison)
    case .comparedFields(let path, let comparison, let other):
      return decided("\(try expression(path)) \(comparison.rawValue) \(try expression(other))", comparison)
    case .among(let path, let values):
      let field = try expression(path)
      return "ifnull(\(field) IN (\(values.map { bind($0) }.joined(separator: ", "))), 0)"
    case .matched(let path, let match, let text, let ignoresCase):
      return matching(try expression(path), match, text, ignoresCase)
    case .leads(let path, let linked, let condition): return try leads(path, linked, condition)
    case .within(let request): return try within(request)
    case .both(let one, let other): return "(\(try render(one)) AND \(try render(other)))"
    case .either(let one, let other): return "(\(try render(one)) OR \(try render(other)))"
    case .not(let condition): return "(NOT \(try render(condition)))"
    }
  }

  /// A comparison that is never unknown; bare where SQLite's own cannot be, so that an index serves it.
  func decided(_ comparison: String, _ kind: ObjectCondition.Comparison) -> String {
    switch kind {
    case .isEqual, .isUnequal: "(\(comparison))"
    case .isLess, .isLessOrEqual, .isGreater, .isGreaterOrEqual: "((\(comparison)) IS TRUE)"
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

  /// The condition that an object is one of those of a request: the first ones of an order.
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
