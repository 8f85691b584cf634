internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Updates derived attributes after a merge has changed the values that they are derived from.
///
/// It supports the two forms seen in stores: the count of a to-many relationship whose inverse is to-one, and a value
/// at the other end of a to-one relationship. A copy runs without triggers and copies such values unchanged; in a
/// merge, existing objects get parts from elsewhere.
struct DerivedValues {
  let model: Model
  let layout: Layout
  let written: WrittenObjects

  /// Writes the values that differ.
  func update(on connection: Connection) throws(SQLiteError) {
    for entity in model.entities where !entity.isAbstract {
      for attribute in model.attributes(of: entity.name) where attribute.isDerived {
        guard let sql = statement(attribute, of: entity) else { continue }
        try connection.run(sql)
      }
    }
  }

  /// Returns the statement for an attribute; `nil` if it has another form, or if nothing that it needs was written.
  private func statement(_ attribute: Attribute, of entity: Entity) -> String? {
    let path = DerivedTriggers.path(of: attribute.derivation ?? "")
    guard path.count == 2, let root = model.root(of: entity.name)?.name,
      let relation = layout.relation(of: root), let code = relation.code(of: entity.name),
      let column = column(attribute.name, of: entity.name, in: relation),
      let relationship = model.relationships(of: entity.name).first(where: { $0.name == path[0] }),
      let other = model.root(of: relationship.destination)?.name,
      let target = layout.relation(of: other)
    else { return nil }
    let isWritten = [root, other].contains {
      written.newKeys[$0] != nil || written.updatedKeys[$0] != nil
    }
    guard isWritten else { return nil }
    let value: String
    let there = "main.\(target.table.sqlName) AS t"
    if path[1] == "@count" {
      guard let inverse = model.inverse(of: relationship), relationship.isToMany, !inverse.isToMany,
        let link = link(inverse.name, of: relationship.destination, in: target)
      else { return nil }
      value = "(SELECT count(*) FROM \(there) WHERE t.\(link) = o.\(relation.keyName))"
    } else {
      guard !relationship.isToMany, let link = link(path[0], of: entity.name, in: relation),
        let end = self.column(path[1], of: relationship.destination, in: target)
      else { return nil }
      value = "(SELECT t.\(end) FROM \(there) WHERE t.\(target.keyName) = o.\(link))"
    }
    let entities = relation.entityColumn.map { "o.\($0.sqlName) = \(code) AND " } ?? ""
    return """
      UPDATE main.\(relation.table.sqlName) AS o SET \(column) = \(value)
      WHERE \(entities)o.\(column) IS NOT \(value)
      """
  }

  private func column(_ name: String, of entity: String, in relation: Relation) -> String? {
    model.lineage(of: entity).lazy
      .compactMap { relation.column(.attribute(Property($0.name, name)))?.name.sqlName }.first
  }

  private func link(_ name: String, of entity: String, in relation: Relation) -> String? {
    model.lineage(of: entity).lazy
      .compactMap { relation.column(.target(Property($0.name, name)))?.name.sqlName }.first
  }
}
