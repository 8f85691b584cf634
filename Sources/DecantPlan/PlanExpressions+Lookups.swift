internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// Values that the destination stores with an object, and the source elsewhere: with the other end of a link, or in a
/// link table.
extension PlanExpressions {
  /// Returns the assignment of `column` from another table of the source; `nil` if there is none.
  func lookedUp(_ column: RelationColumn) throws(DecantError) -> CopyStep.Assignment? {
    switch column.columnRole {
    case .targetEntity(let property): return try entity(ofTarget: property, column)
    case .owner(let property):
      guard let links = links(property) else { return nil }
      return assignment(
        column.name,
        { reading in
          SQLExpression(
            LinkExpression(
              root: links.ownerRoot,
              key: owner(reading, links, column),
              counting: reading.counts ? property.description : nil
            )
          )
        },
        actual: destination.value(of: column),
        property: property.name
      )
    case .ownerPosition(let property):
      guard let links = links(property), let position = links.positionColumn,
        let there = destination.column(.owner(property))
      else { return nil }
      return assignment(
        column.name,
        { reading in
          let owner = "id(\(links.ownerRoot.sqlText), \(owner(reading, links, there)))"
          let place = value(position, reading, links)
          return "CASE WHEN \(owner) IS NOT NULL THEN \(place) END"
        },
        actual: "CASE WHEN \(destination.value(of: there)) IS NOT NULL "
          + "THEN \(destination.value(of: column)) END",
        property: "the place in \(property)"
      )
    case .attribute, .key, .target, .position, .unnamed, .revision: return nil
    }
  }

  /// Returns the assignment of the target's concrete entity, as stored with the target itself.
  private func entity(ofTarget property: Property, _ column: RelationColumn) throws(DecantError)
    -> CopyStep.Assignment?
  {
    guard let link = relation.column(.target(property)), let root = link.targetRoot,
      let target = sourceLayout.relation(of: root), let key = target.keyColumn,
      let there = destination.column(link.columnRole)
    else { return nil }
    var known: CodePairs = []
    for entity in target.entities {
      guard let code = column.targetEntities.first(where: { $0.name == entity.name })?.code else {
        continue
      }
      known.append((entity.code, code))
    }
    let table = target.sqlTable(in: source.schema)
    return assignment(
      column.name,
      { reading in
        let value = reading.outerValue(link)
        let only = target.entities.first.map { "\($0.code)" } ?? "NULL"
        let code =
          "(SELECT \(target.entityCode(in: "t") ?? only) FROM \(table) AS t "
          + "WHERE t.\(key.sqlName) = \(value))"
        // An object that is left out is not a target, although it exists.
        return """
          CASE WHEN id(\(root.sqlText), \(value)) IS NOT NULL \
          THEN \(known.choosing(by: code, otherwise: "NULL")) END
          """
      },
      actual: "CASE WHEN \(destination.value(of: there)) IS NOT NULL "
        + "THEN \(destination.value(of: column)) END",
      property: "the entity of \(property.name)"
    )
  }

  private func links(_ property: Property) -> LinkRelation? {
    sourceLayout.linkRelations.first { $0.relationship == property }
  }

  /// Returns the owner's key, for objects of the entities that the destination's `column` applies to.
  private func owner(_ reading: Reading, _ links: LinkRelation, _ column: RelationColumn) -> String {
    let value = value(links.ownerColumn, reading, links)
    guard let codes = column.onlyIn, let entity = reading.entity else { return value }
    let names = destination.entities.filter { codes.contains($0.code) }.map(\.name)
    let own = names.compactMap { relation.code(of: $0) }
    return "CASE WHEN \(entity) IN (\(own.list)) THEN \(value) END"
  }

  /// Returns the value of `column` in a link table for the object.
  private func value(_ column: String, _ reading: Reading, _ links: LinkRelation) -> String {
    let table = links.sqlTable(in: source.schema)
    let key = reading.row == "r" ? reading.key : (relation.keyColumn ?? "").sqlName(in: reading.row)
    return "(SELECT l.\(column.sqlName) FROM \(table) AS l "
      + "WHERE l.\(links.targetColumn.sqlName) = \(key))"
  }
}
