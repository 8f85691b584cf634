internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// What the destination keeps beside an object, and the source elsewhere: with the object at the other
/// end of a link, or in a table of links.
extension PlanExpressions {
  /// What fills `column` from another table of the source; `nil` where there is none.
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

  /// The concrete entity of the object at the other end, as that object itself tells it.
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
        // An object that is left out is no target, though it is there.
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

  /// The owner's key, for objects of the entities that `column`, the destination's, is for.
  private func owner(_ reading: Reading, _ links: LinkRelation, _ column: RelationColumn) -> String {
    let value = value(links.ownerColumn, reading, links)
    guard let codes = column.onlyIn, let entity = reading.entity else { return value }
    let names = destination.entities.filter { codes.contains($0.code) }.map(\.name)
    let own = names.compactMap { relation.code(of: $0) }
    return "CASE WHEN \(entity) IN (\(own.list)) THEN \(value) END"
  }

  /// What a table of links says of the object, in `column`.
  private func value(_ column: String, _ reading: Reading, _ links: LinkRelation) -> String {
    let table = links.sqlTable(in: source.schema)
    let key = reading.row == "r" ? reading.key : (relation.keyColumn ?? "").sqlName(in: reading.row)
    return "(SELECT l.\(column.sqlName) FROM \(table) AS l "
      + "WHERE l.\(links.targetColumn.sqlName) = \(key))"
  }
}
