internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// Translates a request into SQL over the entity views of a store, and binds its values.
///
/// Each to-one path becomes one join; a condition on related objects becomes an EXISTS.
struct ObjectStatement {
  let views: EntityViews
  let model: Model
  /// The schema name under which the store is attached.
  let schema: String
  var bindings: [Binding] = []
  /// The objects that a condition can refer to, the outermost first.
  var scopes: [Scope] = []
  private var aliasCount = 0

  /// The object of a condition, and the objects reached over its to-one relationships.
  struct Scope {
    /// The number by which paths refer to the object.
    let token: Int
    let entity: String
    let alias: String
    var joined: [[String]: (entity: String, alias: String)] = [:]
    var joins: [String] = []
    /// The columns with the owner of the requested list and with the position in it.
    var owner, list: String?
  }

  init(_ views: EntityViews, _ model: Model, schema: String) {
    (self.views, self.model, self.schema) = (views, model, schema)
  }

  /// Returns the statement that reads the key, the entity and `names` of the objects.
  ///
  /// For lists it also reads the owner, for pages the position.
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
    if let owner = scopes[0].owner { columns.append(owner) }
    if let part {
      guard hasKey(view) else { throw ObjectStatement.lacksKey(request.entity) }
      columns += terms.map(\.expression)
      if let position = part.position { conditions.append(beyond(position, terms, part)) }
    }
    return "SELECT \(columns.joined(separator: ", ")) FROM \(source(view))\(joined(conditions))"
      + order(terms, isBackward: part?.isBackward ?? false) + (request.limit.map { " LIMIT \($0)" } ?? "")
  }

  /// Returns the statement that reads the key, the entity and one binary attribute as stored.
  mutating func select(_ request: ObjectRequest, bytes name: String) throws(DecantError) -> String {
    let view = try view(request.entity)
    begin(request.entity)
    let alias = scopes[0].alias
    let conditions = try conditions(request)
    return "SELECT \(alias).\(EntityView.key.quotedName), \(alias).\(EntityView.entityName.quotedName), "
      + "\(alias).\(try column(name, of: view).quotedName) FROM \(source(view))\(joined(conditions))"
  }

  /// Returns the statement that reads the positions of the objects, in order.
  mutating func positions(_ request: ObjectRequest) throws(DecantError) -> String {
    let view = try view(request.entity)
    guard hasKey(view) else { throw ObjectStatement.lacksKey(request.entity) }
    begin(request.entity)
    let conditions = try conditions(request)
    let terms = try terms(request, view)
    return "SELECT \(terms.map(\.expression).joined(separator: ", ")) FROM \(source(view))\(joined(conditions))"
      + order(terms) + (request.limit.map { " LIMIT \($0)" } ?? "")
  }

  /// Returns the statement that counts the objects for each value of a field.
  mutating func groups(_ request: ObjectRequest, by path: FieldPath) throws(DecantError) -> String {
    let view = try view(request.entity)
    begin(request.entity)
    let field = try expression(path)
    let conditions = try conditions(request)
    // In the order of the list, if the list is ordered by this field first.
    let order = request.order.first.flatMap { $0.path == path ? $0 : nil }
    let term = OrderTerm(
      expression: field + (order?.ignoresCase == true ? " COLLATE NOCASE" : ""),
      isDescending: order?.isDescending ?? false)
    return "SELECT \(field), count(*) FROM \(source(view))\(joined(conditions)) GROUP BY 1 ORDER BY "
      + "\(term.sql(isBackward: false)), 1"
  }

  /// Returns the type of the values at a path.
  mutating func type(_ path: FieldPath, of entity: String) throws(DecantError) -> AttributeType? {
    begin(entity)
    defer { scopes.removeLast() }
    let object = try object(path)
    return try view(object.entity).columns.first { $0.name == path.name }?.type?.attribute
  }

  /// Returns the statement that counts the objects.
  mutating func count(_ request: ObjectRequest) throws(DecantError) -> String {
    let view = try view(request.entity)
    begin(request.entity)
    let conditions = try conditions(request)
    let rows = "FROM \(source(view))\(joined(conditions))"
    return request.limit.map { "SELECT count(*) FROM (SELECT 1 \(rows) LIMIT \($0))" } ?? "SELECT count(*) \(rows)"
  }

  /// Returns the view of an entity; throws if the model has no such entity.
  func view(_ entity: String) throws(DecantError) -> EntityView {
    guard let view = views.views.first(where: { $0.entity == entity && $0.name == entity }) else {
      throw DecantError.unknownEntity(entity, model)
    }
    return view
  }

  // MARK: Parts

  mutating func begin(_ entity: String, _ token: Int = 0) {
    scopes.append(Scope(token: token, entity: entity, alias: newAlias()))
  }

  mutating func newAlias() -> String {
    defer { aliasCount += 1 }
    return "o\(aliasCount)"
  }

  func source(_ view: EntityView) -> String {
    ([view.name.quotedName + " AS " + scopes[scopes.count - 1].alias] + scopes[scopes.count - 1].joins)
      .joined(separator: " ")
  }

  func hasKey(_ view: EntityView) -> Bool { view.columns.first?.name == EntityView.key }

  mutating func conditions(_ request: ObjectRequest) throws(DecantError) -> [String] {
    var parts: [String] = []
    if let owner = request.owner {
      // The key comes before all conditions: SQLite finds the links by it.
      let rows = try rows(of: owner.relationship, owner.entity)
      let link = newAlias()
      scopes[0].joins.append(
        "JOIN (\(rows)) AS \(link) ON \(link).target = \(scopes[0].alias).\(EntityView.key.quotedName)")
      let keys = owner.keys.map { bind(.integer($0)) }
      parts.append("\(link).owner IN (\(keys.joined(separator: ", ")))")
      (scopes[0].owner, scopes[0].list) = ("\(link).owner", "\(link).position")
    }
    for condition in request.conditions { parts.append(try render(condition)) }
    return parts
  }

  func joined(_ conditions: [String]) -> String {
    conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
  }

  /// Returns the sort keys; the key of the object comes last and orders equal objects.
  mutating func terms(_ request: ObjectRequest, _ view: EntityView) throws(DecantError) -> [OrderTerm] {
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

  func order(_ terms: [OrderTerm], isBackward: Bool = false) -> String {
    terms.isEmpty ? "" : " ORDER BY " + terms.map { $0.sql(isBackward: isBackward) }.joined(separator: ", ")
  }

  /// Returns the condition that an object comes after a position.
  mutating func beyond(_ position: ObjectPosition, _ terms: [OrderTerm], _ part: PagePart) -> String {
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
    // The condition on the first sort key alone lets SQLite start at the right place of an index. After the lowest
    // value come the objects without one.
    let isDescending = first.isDescending != part.isBackward
    guard isDescending else { return "\(first.expression) >= \(parameters[0]) AND (\(any))" }
    guard first.isNullable else { return "\(first.expression) <= \(parameters[0]) AND (\(any))" }
    switch part.rest {
    case .withValue: return "\(first.expression) <= \(parameters[0]) AND (\(any))"
    case .withoutValue: return "\(first.expression) IS NULL AND (\(any))"
    }
  }

  static func lacksKey(_ entity: String) -> DecantError {
    DecantError(
      .unsupportedContent,
      "the rows of \(entity) have no integer key, so they have no pages and no first ones to choose among",
      remedy: "read all of them"
    )
  }
}

extension StoreValue {
  /// The value in the form in which SQLite compares it with stored values.
  var binding: Binding {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    case .double(let value), .date(let value): .real(value)
    // SQLite stores a decimal as a number if it can.
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
