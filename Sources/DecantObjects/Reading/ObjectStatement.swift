internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// Which objects of an entity are asked for, and in what order.
struct ObjectRequest: Sendable {
  var entity: String
  var conditions: [ObjectCondition.Node] = []
  var order: [ObjectOrder] = []
  var limit: Int?
  /// The object whose relationship leads to them; `nil` for all objects.
  var owner: Owner?

  /// An object and one of its relationships.
  struct Owner: Sendable {
    let entity: String
    let key: Int64
    let relationship: String
  }
}

/// Writes a request as SQL over the views of a store's entities, and binds its values.
///
/// To-one relationships become joins, each once for its path; a condition about linked objects is an EXISTS.
struct ObjectStatement {
  let views: EntityViews
  let model: Model
  private(set) var bindings: [Binding] = []
  /// The objects in reach, the outermost first.
  private var scopes: [Scope] = []
  private var aliasCount = 0

  /// An object that a condition is about, and those that its to-one relationships lead to.
  private struct Scope {
    /// By it paths name the object.
    let token: Int
    let entity: String
    let alias: String
    var joined: [[String]: (entity: String, alias: String)] = [:]
    var joins: [String] = []
    /// The place in the list that the objects are asked for by.
    var list: String?
  }

  init(_ views: EntityViews, _ model: Model) { (self.views, self.model) = (views, model) }

  /// The statement that reads columns of the objects: key, entity, and `names`; for a page also their position.
  mutating func select(_ request: ObjectRequest, _ names: [String], _ part: PagePart? = nil)
    throws(DecantError) -> String
  {
    let view = try view(request.entity)
    begin(request.entity)
    let alias = scopes[0].alias
    let key = hasKey(view) ? "\(alias).\(EntityView.key.quotedName)" : "NULL"
    var columns = [key, "\(alias).\(EntityView.entityName.quotedName)"]
    for name in names { columns.append(try expression(FieldPath(name: name))) }
    var conditions = try conditions(request)
    let terms = try terms(request, view)
    if let part {
      guard hasKey(view) else { throw ObjectStatement.lacksKey(request.entity) }
      columns += terms.map(\.expression)
      if let position = part.position { conditions.append(beyond(position, terms, part)) }
    }
    return "SELECT \(columns.joined(separator: ", ")) FROM \(source(view))\(joined(conditions))"
      + order(terms, isBackward: part?.isBackward ?? false) + (request.limit.map { " LIMIT \($0)" } ?? "")
  }

  /// The statement that reads key, entity and one attribute of bytes as the store holds it.
  mutating func select(_ request: ObjectRequest, bytes name: String) throws(DecantError) -> String {
    let view = try view(request.entity)
    begin(request.entity)
    let alias = scopes[0].alias
    let conditions = try conditions(request)
    return "SELECT \(alias).\(EntityView.key.quotedName), \(alias).\(EntityView.entityName.quotedName), "
      + "\(alias).\(try column(name, of: view).quotedName) FROM \(source(view))\(joined(conditions))"
  }

  /// The statement that reads the positions of the objects, in their order.
  mutating func positions(_ request: ObjectRequest) throws(DecantError) -> String {
    let view = try view(request.entity)
    guard hasKey(view) else { throw ObjectStatement.lacksKey(request.entity) }
    begin(request.entity)
    let conditions = try conditions(request)
    let terms = try terms(request, view)
    return "SELECT \(terms.map(\.expression).joined(separator: ", ")) FROM \(source(view))\(joined(conditions))"
      + order(terms) + (request.limit.map { " LIMIT \($0)" } ?? "")
  }

  /// The statement that counts the objects with each value of a field.
  mutating func groups(_ request: ObjectRequest, by path: FieldPath) throws(DecantError) -> String {
    let view = try view(request.entity)
    begin(request.entity)
    let field = try expression(path)
    let conditions = try conditions(request)
    // In the order of the list, where that is the first thing it is ordered by.
    let order = request.order.first.flatMap { $0.path == path ? $0 : nil }
    let term = OrderTerm(
      expression: field + (order?.ignoresCase == true ? " COLLATE NOCASE" : ""),
      isDescending: order?.isDescending ?? false)
    return "SELECT \(field), count(*) FROM \(source(view))\(joined(conditions)) GROUP BY 1 ORDER BY "
      + "\(term.sql(isBackward: false)), 1"
  }

  /// What the values at a path are.
  mutating func type(_ path: FieldPath, of entity: String) throws(DecantError) -> AttributeType? {
    begin(entity)
    defer { scopes.removeLast() }
    let object = try object(path)
    return try view(object.entity).columns.first { $0.name == path.name }?.type?.attribute
  }

  /// The statement that counts the objects.
  mutating func count(_ request: ObjectRequest) throws(DecantError) -> String {
    let view = try view(request.entity)
    begin(request.entity)
    let conditions = try conditions(request)
    let rows = "FROM \(source(view))\(joined(conditions))"
    return request.limit.map { "SELECT count(*) FROM (SELECT 1 \(rows) LIMIT \($0))" } ?? "SELECT count(*) \(rows)"
  }

  /// The view of an entity; throws for a name that the model lacks.
  func view(_ entity: String) throws(DecantError) -> EntityView {
    guard let view = views.views.first(where: { $0.entity == entity && $0.name == entity }) else {
      throw DecantError.unknownEntity(entity, model)
    }
    return view
  }

  // MARK: Parts

  private mutating func begin(_ entity: String, _ token: Int = 0) {
    scopes.append(Scope(token: token, entity: entity, alias: newAlias()))
  }

  private mutating func newAlias() -> String {
    defer { aliasCount += 1 }
    return "o\(aliasCount)"
  }

  private func source(_ view: EntityView) -> String {
    ([view.name.quotedName + " AS " + scopes[scopes.count - 1].alias] + scopes[scopes.count - 1].joins)
      .joined(separator: " ")
  }

  private func hasKey(_ view: EntityView) -> Bool { view.columns.first?.name == EntityView.key }

  private mutating func conditions(_ request: ObjectRequest) throws(DecantError) -> [String] {
    var parts: [String] = []
    if let owner = request.owner {
      // The key in front of all conditions: SQLite finds the links by it.
      let rows = try rows(of: owner.relationship, owner.entity)
      let link = newAlias()
      scopes[0].joins.append(
        "JOIN (\(rows)) AS \(link) ON \(link).target = \(scopes[0].alias).\(EntityView.key.quotedName)")
      parts.append("\(link).owner = \(bind(.integer(owner.key)))")
      scopes[0].list = "\(link).position"
    }
    for condition in request.conditions { parts.append(try render(condition)) }
    return parts
  }

  private func joined(_ conditions: [String]) -> String {
    conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
  }

  /// What the objects are ordered by; equal ones have an order, too: by their keys.
  private mutating func terms(_ request: ObjectRequest, _ view: EntityView) throws(DecantError) -> [OrderTerm] {
    var terms: [OrderTerm] = []
    for order in request.order {
      let collation = order.ignoresCase ? " COLLATE NOCASE" : ""
      terms.append(OrderTerm(expression: try expression(order.path) + collation, isDescending: order.isDescending))
    }
    if let list = scopes[0].list { terms.append(OrderTerm(expression: list, isDescending: false)) }
    guard hasKey(view) else { return terms }
    let key = "\(scopes[0].alias).\(EntityView.key.quotedName)"
    return terms + [OrderTerm(expression: key, isDescending: false, isNullable: false)]
  }

  private func order(_ terms: [OrderTerm], isBackward: Bool = false) -> String {
    terms.isEmpty ? "" : " ORDER BY " + terms.map { $0.sql(isBackward: isBackward) }.joined(separator: ", ")
  }

  /// The condition that an object comes after a position.
  private mutating func beyond(_ position: ObjectPosition, _ terms: [OrderTerm], _ part: PagePart) -> String {
    let parameters = position.values.map { value in
      bindings.append(value)
      return "?\(bindings.count)"
    }
    var cases: [String] = []
    for (count, term) in terms.enumerated() {
      let same = (0..<count).map { "\(terms[$0].expression) IS \(parameters[$0])" }
      let isNull = position.values[count] == .null
      let beyond = term.isBeyond(parameters[count], isNull: isNull, isBackward: part.isBackward)
      cases.append((same + [beyond]).joined(separator: " AND "))
    }
    if part.isIncluded {
      cases.append(terms.indices.map { "\(terms[$0].expression) IS \(parameters[$0])" }.joined(separator: " AND "))
    }
    let any = cases.map { "(\($0))" }.joined(separator: " OR ")
    guard let first = terms.first, position.values[0] != .null else { return "(\(any))" }
    // What the first term alone says lets an index begin in the right place; behind the lowest value come those without.
    let isDescending = first.isDescending != part.isBackward
    guard isDescending else { return "\(first.expression) >= \(parameters[0]) AND (\(any))" }
    guard first.isNullable else { return "\(first.expression) <= \(parameters[0]) AND (\(any))" }
    switch part.rest {
    case .withValue: return "\(first.expression) <= \(parameters[0]) AND (\(any))"
    case .withoutValue: return "\(first.expression) IS NULL AND (\(any))"
    }
  }

  private mutating func render(_ node: ObjectCondition.Node) throws(DecantError) -> String {
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
  private func decided(_ comparison: String, _ kind: ObjectCondition.Comparison) -> String {
    switch kind {
    case .isEqual, .isUnequal: "(\(comparison))"
    case .isLess, .isLessOrEqual, .isGreater, .isGreaterOrEqual: "((\(comparison)) IS TRUE)"
    }
  }

  private mutating func matching(
    _ field: String, _ match: ObjectCondition.TextMatch, _ text: String, _ ignoresCase: Bool
  ) -> String {
    let (value, part) = ignoresCase ? ("lower(\(field))", "lower(\(bind(.text(text))))") : (field, bind(.text(text)))
    return switch match {
    case .contains: "ifnull(instr(\(value), \(part)) > 0, 0)"
    case .begins: "ifnull(substr(\(value), 1, length(\(part))) = \(part), 0)"
    case .ends: "ifnull(length(\(part)) = 0 OR substr(\(value), -length(\(part))) = \(part), 0)"
    }
  }

  private mutating func bind(_ value: StoreValue) -> String {
    bindings.append(value.binding)
    return "?\(bindings.count)"
  }

  // MARK: Paths

  /// The value at a path as SQL; the key of the object for the object itself.
  private mutating func expression(_ path: FieldPath) throws(DecantError) -> String {
    let object = try object(path)
    let view = try view(object.entity)
    // A to-one relationship may be kept at its other end alone.
    if !path.name.isEmpty, !view.columns.contains(where: { $0.name == path.name }),
      model.relationships(of: object.entity).contains(where: { $0.name == path.name && !$0.isToMany })
    {
      return try expression(path.following(path.name))
    }
    let name = path.name.isEmpty ? EntityView.key : path.name
    if view.columns.contains(where: { $0.name == name && $0.type?.isExternal == true }) {
      throw DecantError(
        .invalidExpression,
        "\(object.entity).\(name) may lie in an external file, so it cannot be compared or read with the object",
        remedy: "read its bytes by Store.bytes"
      )
    }
    return "\(object.alias).\(try column(name, of: view).quotedName)"
  }

  /// The object whose property a path names, with the joins that lead to it.
  private mutating func object(_ path: FieldPath) throws(DecantError) -> (entity: String, alias: String) {
    guard let scope = scopes.lastIndex(where: { $0.token == path.scope }) else {
      throw DecantError(.invalidExpression, "a field of a condition about linked objects is used outside of it")
    }
    var object = (entity: scopes[scope].entity, alias: scopes[scope].alias)
    for count in path.steps.indices {
      let steps = Array(path.steps[...count])
      if let joined = scopes[scope].joined[steps] {
        object = joined
        continue
      }
      object = try join(path.steps[count], of: object, scope: scope)
      scopes[scope].joined[steps] = object
    }
    return object
  }

  private mutating func join(_ name: String, of object: (entity: String, alias: String), scope: Int)
    throws(DecantError) -> (entity: String, alias: String)
  {
    let relationship = try relationship(name, of: object.entity)
    guard !relationship.isToMany else {
      throw DecantError(
        .invalidExpression,
        "\(object.entity).\(name) leads to many objects",
        remedy: "ask whether it contains one that meets a condition"
      )
    }
    let target = (entity: relationship.destination, alias: newAlias())
    let key = EntityView.key.quotedName
    let view = try view(object.entity)
    if view.columns.contains(where: { $0.name == name }) {
      scopes[scope].joins.append(
        "LEFT JOIN \(try self.view(target.entity).name.quotedName) AS \(target.alias) "
          + "ON \(target.alias).\(key) = \(object.alias).\(name.quotedName)"
      )
    } else {
      let link = newAlias()
      scopes[scope].joins.append(
        "LEFT JOIN (\(try rows(of: name, object.entity))) AS \(link) ON \(link).owner = \(object.alias).\(key) "
          + "LEFT JOIN \(try self.view(target.entity).name.quotedName) AS \(target.alias) "
          + "ON \(target.alias).\(key) = \(link).target"
      )
    }
    return target
  }

  /// The condition that an object is one of those of a request: the first ones of an order.
  private mutating func within(_ request: ObjectRequest) throws(DecantError) -> String {
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

  private static func lacksKey(_ entity: String) -> DecantError {
    DecantError(
      .unsupportedContent,
      "the rows of \(entity) have no integer key, so they have no pages and no first ones to choose among",
      remedy: "read all of them"
    )
  }

  private mutating func leads(_ path: FieldPath, _ linked: FieldPath, _ condition: ObjectCondition.Node?)
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

  /// The links of a relationship as rows of `owner` and `target`.
  private func rows(of name: String, _ entity: String) throws(DecantError) -> String {
    let relationship = try relationship(name, of: entity)
    let inverse = relationship.inverse.map { Property(relationship.destination, $0) }
    let declaring = model.lineage(of: entity).first { each in each.relationships.contains { $0.name == name } }
    let property = Property(declaring?.name ?? entity, name)
    let declaredInverse = inverse.map { inverse in
      let owner = model.lineage(of: inverse.entity).first { each in
        each.relationships.contains { $0.name == inverse.name }
      }
      return Property(owner?.name ?? inverse.entity, inverse.name)
    }
    guard let link = views.layout.link(property, inverse: declaredInverse) else {
      throw DecantError(.invalidExpression, "the store keeps no links of \(property)")
    }
    return link.rows(in: CopySession.source)
  }

  private func relationship(_ name: String, of entity: String) throws(DecantError) -> ModelRelationship {
    if let found = model.relationships(of: entity).first(where: { $0.name == name }) { return found }
    throw DecantError.unknownProperty(name, of: entity, model.relationships(of: entity).map(\.name))
  }

  private func column(_ name: String, of view: EntityView) throws(DecantError) -> String {
    if view.columns.contains(where: { $0.name == name }) { return name }
    throw DecantError.unknownProperty(name, of: view.entity, view.columns.map(\.name))
  }
}

extension StoreValue {
  /// As SQLite compares it with what stores hold.
  var binding: Binding {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    case .double(let value), .date(let value): .real(value)
    // SQLite holds a decimal as a number where it is one.
    case .decimal(let text): Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) } ?? .text(text)
    case .text(let text), .uri(let text): .text(text)
    case .uuid(let bytes), .binary(let bytes): .blob(bytes)
    }
  }
}

extension DecantError {
  static func unknownEntity(_ name: String, _ model: Model) -> DecantError {
    let names = model.entities.map(\.name)
    return DecantError(
      .unknownName,
      "the model has no entity “\(name)”",
      remedy: name.remedy(among: names),
      remedies: [.correctName(name, among: names)]
    )
  }

  static func unknownProperty(_ name: String, of entity: String, _ names: [String]) -> DecantError {
    DecantError(
      .unknownName,
      "\(entity) has no property “\(name)”",
      remedy: name.remedy(among: names, of: "properties"),
      remedies: [.correctName(name, among: names)]
    )
  }
}
