internal import SQLite

extension EntityViews {
  /// The views of to-many relationships whose links are no column of the view at their other end.
  static func linkViews(_ model: Model, _ layout: Layout) -> [EntityView] {
    let joined = layout.linkRelations.flatMap { links -> [EntityView] in
      if links.keepsStrangers { return [EntityView(table: links)] }
      let own = view(of: links, model)
      guard let reversed = links.reversed else { return [own] }
      let other = view(of: reversed, model)
      guard links.isReflexive else { return [own, other] }
      // A row stands for a pair without direction: either object finds the other.
      return [EntityView(own, union: other)]
    }
    let owned = layout.relations.flatMap { relation in
      relation.columns.compactMap { view(of: $0, in: relation, model) }
    }
    return joined + owned
  }

  private static func view(of links: LinkRelation, _ model: Model) -> EntityView {
    var columns = LinkColumns(links.relationship, inverse: links.inverse, model)
    columns.add(owner: links.ownerColumn, target: links.targetColumn)
    columns.add(position: links.positionColumn, inverse: links.inversePositionColumn)
    return EntityView(
      name: columns.viewName,
      entity: links.relationship.entity,
      columns: columns.columns,
      table: .links(links)
    )
  }

  /// The links of a to-many relationship without inverse, which lie with the objects they lead to.
  private static func view(of column: RelationColumn, in relation: Relation, _ model: Model)
    -> EntityView?
  {
    guard case .owner(let property) = column.meaning else { return nil }
    var columns = LinkColumns(property, inverse: nil, model)
    columns.add(owner: column.name, target: relation.keyColumn ?? "")
    columns.add(position: relation.column(.ownerPosition(property))?.name, inverse: nil)
    return EntityView(
      name: columns.viewName,
      entity: property.entity,
      columns: columns.columns,
      table: .objects(relation),
      // In rows of other entities the column may hold anything.
      conditions: ["\(relation.value(of: column)) IS NOT NULL"]
    )
  }
}

extension EntityView {
  /// A table of links under the names that its maker gave it.
  fileprivate init(table links: LinkRelation) {
    self.init(
      name: links.table,
      entity: links.relationship.entity,
      columns: [links.ownerColumn, links.targetColumn].map { column in
        Column(
          name: column,
          expression: column.sqlName,
          type: ColumnType(attribute: .integer64, isExternal: false)
        )
      },
      table: .links(links)
    )
  }
}

/// The columns of a view of links: `<Entity>_id`, `<Destination>_id`, and positions.
private struct LinkColumns {
  let relationship: Property
  let inverse: Property?
  let destination: String
  private(set) var columns: [EntityView.Column] = []
  private var names = DistinctNames()

  var viewName: String { "\(relationship.entity)_\(relationship.name)" }

  init(_ relationship: Property, inverse: Property?, _ model: Model) {
    self.relationship = relationship
    self.inverse = inverse
    destination =
      model.relationship(relationship)?.destination ?? inverse?.entity ?? relationship.name
  }

  mutating func add(owner: String, target: String) {
    add("\(relationship.entity)_id", owner)
    let isWithItself = destination.lowercased() == relationship.entity.lowercased()
    add("\(isWithItself ? relationship.name : destination)_id", target)
  }

  mutating func add(position: String?, inverse inversePosition: String?) {
    if let position { add("position", position) }
    if let inversePosition { add("\(inverse?.name ?? "inverse")_position", inversePosition) }
  }

  private mutating func add(_ name: String, _ column: String) {
    columns.append(
      EntityView.Column(
        name: names.claim(name),
        expression: column.sqlName,
        type: ColumnType(attribute: .integer64, isExternal: false)
      )
    )
  }
}
