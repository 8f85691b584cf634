internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// Resolves the properties in conditions and orders, and adds the joins for them.
extension ObjectStatement {
  /// Returns the value at a path as SQL: the key if the path is that of the object itself.
  mutating func expression(_ path: FieldPath) throws(DecantError) -> String {
    let object = try object(path)
    let view = try view(object.entity)
    // A to-one relationship may be stored only at its other end.
    if !path.name.isEmpty, !view.columns.contains(where: { $0.name == path.name }),
      model.relationships(of: object.entity).contains(where: { $0.name == path.name && !$0.isToMany })
    {
      return try expression(path.following(path.name))
    }
    let name = path.name.isEmpty ? EntityView.key : path.name
    if view.columns.contains(where: { $0.name == name && $0.type?.isExternal == true }) {
      throw DecantError(
        .invalidExpression,
        "\(object.entity).\(name) may be in an external file, so it cannot be compared or read with the object",
        remedy: "read its bytes by Store.bytes"
      )
    }
    return "\(object.alias).\(try column(name, of: view).quotedName)"
  }

  /// Returns the object that has the property of a path, and adds the joins for it.
  mutating func object(_ path: FieldPath) throws(DecantError) -> (entity: String, alias: String) {
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

  mutating func join(_ name: String, of object: (entity: String, alias: String), scope: Int)
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

  /// Returns the links of a relationship as rows of `owner` and `target`.
  func rows(of name: String, _ entity: String) throws(DecantError) -> String {
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
    return link.rows(in: schema)
  }

  func relationship(_ name: String, of entity: String) throws(DecantError) -> ModelRelationship {
    if let found = model.relationships(of: entity).first(where: { $0.name == name }) { return found }
    throw DecantError.unknownProperty(name, of: entity, model.relationships(of: entity).map(\.name))
  }

  func column(_ name: String, of view: EntityView) throws(DecantError) -> String {
    if view.columns.contains(where: { $0.name == name }) { return name }
    throw DecantError.unknownProperty(name, of: view.entity, view.columns.map(\.name))
  }
}
