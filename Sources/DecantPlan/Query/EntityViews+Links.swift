internal import DecantBase
internal import DecantStore
internal import DecantSQLite

extension EntityViews {
  /// Returns the views of to-many relationships whose links are not a column of the view at the other end.
  static func linkViews(_ model: Model, _ layout: Layout) -> [EntityView] {
    // A link in a column at its other end is a column of that view.
    let links =
      layout.links.filter(\.isTable)
      + layout.links.filter { link in
        if case .otherSide = link.storage { true } else { false }
      }
    return links.flatMap { link -> [EntityView] in
      let own = view(of: link, model, layout)
      guard case .table(let links) = link.storage else { return [own] }
      if links.keepsUnresolvedKeys { return [EntityView(table: link, named: links.table)] }
      guard let inverse = link.inverse else { return [own] }
      let other = view(of: link.reversed(as: inverse), model, layout)
      // A row is an undirected pair: the view has both directions.
      return link.isReflexive ? [EntityView(own, union: other)] : [own, other]
    }
  }

  private static func view(of link: Link, _ model: Model, _ layout: Layout) -> EntityView {
    var columns = LinkColumns(link.relationship, inverse: link.inverse, model)
    columns.add(owner: link.holderKey, target: link.targetKey)
    columns.add(position: link.position, inverse: link.inversePosition)
    return EntityView(
      name: columns.viewName,
      entity: link.relationship.entity,
      columns: columns.columns,
      table: .links(link),
      conditions: link.isTable ? link.conditions : ["\(link.holderKey) IS NOT NULL"]
    )
  }
}

extension EntityView {
  /// Creates a view of a link table with its original names.
  fileprivate init(table link: Link, named name: String) {
    self.init(
      name: name,
      entity: link.relationship.entity,
      columns: link.ends.map { end in
        Column(name: end.column, expression: end.key, type: ColumnType(attribute: .integer64, isExternal: false))
      },
      table: .links(link)
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
    if let position { add("position", position.sqlName) }
    if let inversePosition {
      add("\(inverse?.name ?? "inverse")_position", inversePosition.sqlName)
    }
  }

  private mutating func add(_ name: String, _ expression: String) {
    columns.append(
      EntityView.Column(
        name: names.claim(name),
        expression: expression,
        type: ColumnType(attribute: .integer64, isExternal: false)
      )
    )
  }
}
