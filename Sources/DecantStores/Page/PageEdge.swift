internal import Decant
internal import SQLite

/// An object of the store by its place: the table it lies in, and its key there.
struct PageReference: Hashable {
  /// The place of its relation in the layout.
  var relation: Int
  var key: Int64
}

/// A way that leads from the objects of an entity to others: a relationship, or one read backwards.
struct PageEdge {
  /// Where it is written where the way leads.
  enum Place {
    /// In this column of the object's own table.
    case column(Int)
    /// In this table of links, made for the page: owner, position, target.
    case links(String)
  }

  /// The name by which the model knows it; of one read backwards the other entity's.
  let name: PageName
  /// The name for a reader.
  let label: String
  /// The entity at the other end.
  let destination: String
  /// The place of its relation in the layout.
  let target: Int
  let isToMany: Bool
  /// Whether the objects keep an order.
  var isOrdered: Bool
  /// Whether what it leads to is part of the object: deleted with it, and so shown within it.
  var isOwning: Bool
  /// Whether what it leads to may be led to from several objects.
  let isShared: Bool
  let place: Place
}

/// The ways that lead from an entity, and the statements that make the tables of links they need.
struct PageEdges {
  let model: Model
  let layout: Layout
  private let leavingOut: Set<Property>
  /// For each table of links the SELECT it is filled with, of owner, position and target.
  private(set) var selects: [String] = []
  private var tables: [String: String] = [:]

  /// Looks into `model`, passing over the relationships in `leavingOut`.
  init(model: Model, layout: Layout, leavingOut: Set<Property> = []) {
    self.model = model
    self.layout = layout
    self.leavingOut = leavingOut
  }

  /// Returns the place in the layout of the relation that holds `entity`.
  func relation(of entity: String) -> Int? {
    guard let root = model.root(of: entity)?.name else { return nil }
    return layout.relations.firstIndex { $0.root == root }
  }

  /// Finds the ways that lead from `entity`, inherited ones too.
  mutating func edges(of entity: String) -> [PageEdge] {
    var edges: [PageEdge] = []
    for relationship in model.relationships(of: entity) where !relationship.isTransient {
      if let edge = edge(relationship, of: entity) { edges.append(edge) }
    }
    return edges + incoming(to: entity)
  }

  private mutating func edge(_ relationship: Relationship, of entity: String) -> PageEdge? {
    guard let own = self.relation(of: entity),
      let target = self.relation(of: relationship.destination),
      layout.relations[target].keyColumn != nil,
      let property = property(relationship.name, of: entity), !leavingOut.contains(property)
    else { return nil }
    let inverse = relationship.inverse.flatMap {
      self.property($0, of: relationship.destination)
    }
    let place: PageEdge.Place
    let column = layout.relations[own].columns.firstIndex { $0.meaning == .target(property) }
    if !relationship.isToMany, let column {
      place = .column(column)
    } else if let links = links(property, inverse, from: own, to: target) {
      place = .links(links)
    } else {
      return nil
    }
    // Where both ends would delete each other, the one with many holds the others.
    let back = model.inverse(of: relationship)
    let isParent = back?.deleteRule == .cascade && back?.isToMany == true && !relationship.isToMany
    let name = PageName(relationship.name)
    return PageEdge(
      name: name,
      label: model.isFromTables ? name.label(without: ["id", "fk", "pk"]) : name.label,
      destination: relationship.destination,
      target: target,
      isToMany: relationship.isToMany,
      isOrdered: relationship.isOrdered || hasPositions(relationship.destination),
      isOwning: relationship.deleteRule == .cascade && !isParent,
      isShared: layout.linkRelations.contains {
        $0.relationship == property || $0.inverse == property
      },
      place: place
    )
  }

  /// Columns of other entities that lead here by a relationship without inverse, read backwards.
  private mutating func incoming(to entity: String) -> [PageEdge] {
    guard let own = relation(of: entity), layout.relations[own].keyColumn != nil else { return [] }
    let lineage = Set(model.lineage(of: entity).map(\.name))
    var edges: [PageEdge] = []
    for (place, relation) in layout.relations.enumerated() where relation.keyColumn != nil {
      for column in relation.columns {
        guard case .target(let property) = column.meaning, column.targetRoot != nil,
          !leavingOut.contains(property),
          let relationship = model[property.entity]?.relationships.first(where: {
            $0.name == property.name
          }),
          relationship.inverse == nil, lineage.contains(relationship.destination),
          let links = links(property, from: column, in: relation)
        else { continue }
        edges.append(
          PageEdge(
            name: PageName(property.entity),
            label: PageName(property.entity).plural,
            destination: property.entity,
            target: place,
            isToMany: true,
            isOrdered: hasPositions(property.entity),
            isOwning: model.isFromTables && isPart(relationship, of: property.entity),
            isShared: false,
            place: .links(links)
          )
        )
      }
    }
    return edges
  }

  /// Whether the objects of `entity` are parts of what `relationship` leads to.
  ///
  /// Tables do not say what is deleted with what. Taken for parts are the rows that have to lead
  /// somewhere and lead nowhere else, and those of a table named after the other one:
  /// `recipe_ingredients` has a recipe and a food.
  private func isPart(_ relationship: Relationship, of entity: String) -> Bool {
    guard let relation = relation(of: entity), relationship.destination != entity else {
      return false
    }
    let links = model.relationships(of: entity).filter { !$0.isToMany }
    let own = PageName(entity).joined
    let other = PageName(relationship.destination).joined
    let stem = other.last == "s" ? String(other.dropLast()) : other
    if own.hasPrefix(stem), own != other { return true }
    return links.count == 1 && !layout.relations[relation].columns.isEmpty
  }

  /// Whether an attribute keeps the objects of `entity` in order.
  private func hasPositions(_ entity: String) -> Bool {
    relation(of: entity).map { positionColumn(in: layout.relations[$0], of: entity) != nil }
      ?? false
  }

  /// The column with the attribute that keeps the objects of `entity` in order.
  func positionColumn(in relation: Relation, of entity: String) -> RelationColumn? {
    let lineage = Set(model.lineage(of: entity).map(\.name))
    return relation.columns.first { column in
      guard case .attribute(let property) = column.meaning, lineage.contains(property.entity) else {
        return false
      }
      return column.type?.isWhole == true && PageName(property.name).isOne(of: PageWords.positions)
    }
  }

  private func property(_ name: String, of entity: String) -> Property? {
    model.lineage(of: entity).first { $0.relationships.contains { $0.name == name } }
      .map { Property($0.name, name) }
  }
}

extension PageEdges {
  private mutating func links(
    _ property: Property,
    _ inverse: Property?,
    from own: Int,
    to target: Int
  ) -> String? {
    for links in layout.linkRelations {
      if links.relationship == property { return self.links(property, links) }
      if links.inverse == property { return links.reversed.flatMap { self.links(property, $0) } }
    }
    let relation = layout.relations[target]
    if let column = relation.column(.owner(property)) {
      return table(
        "\(property)",
        select(
          column,
          relation.column(.ownerPosition(property))?.name.sqlName,
          in: relation,
          of: relation.root
        )
      )
    }
    guard let inverse, let column = relation.column(.target(inverse)) else { return nil }
    return links(inverse, from: column, in: relation)
  }

  private mutating func links(
    _ property: Property,
    from column: RelationColumn,
    in relation: Relation
  ) -> String? {
    table(
      "\(property) backwards",
      select(
        column,
        relation.column(.position(property))?.name.sqlName,
        in: relation,
        of: property.entity
      )
    )
  }

  private mutating func links(_ property: Property, _ links: LinkRelation) -> String? {
    let source = links.sqlTable(in: PageStore.schema)
    let condition = links.condition.map { " WHERE \($0)" } ?? ""
    func select(_ owner: String, _ target: String, _ position: String?) -> String {
      "SELECT \(owner.sqlName), \(position?.sqlName ?? "0"), \(target.sqlName) FROM \(source)"
        + condition
    }
    var parts = [select(links.ownerColumn, links.targetColumn, links.positionColumn)]
    if links.isReflexive {
      // A row stands for a pair without direction: either object finds the other.
      parts.append(select(links.targetColumn, links.ownerColumn, links.positionColumn))
    }
    return table("\(property)", parts.joined(separator: " UNION "))
  }

  private func select(
    _ column: RelationColumn,
    _ position: String?,
    in relation: Relation,
    of entity: String
  ) -> String {
    let position = position ?? positionColumn(in: relation, of: entity)?.name.sqlName ?? "0"
    return """
      SELECT \(relation.value(of: column)), \(position), \(relation.keyName) \
      FROM \(relation.sqlTable(in: PageStore.schema)) \
      WHERE \(relation.value(of: column)) IS NOT NULL
      """
  }

  private mutating func table(_ name: String, _ select: String) -> String {
    if let known = tables[name] { return known }
    let table = "links_\(selects.count)"
    selects.append(select)
    tables[name] = table
    return table
  }
}

extension AttributeType {
  /// Whether values are whole numbers.
  var isWhole: Bool { [.integer16, .integer32, .integer64].contains(self) }
}

extension PageName {
  /// The name of several such things, as English makes it of a simple noun.
  var plural: String {
    let label = label
    guard let last = label.last, last.isASCII, last.isLetter, last.isLowercase else { return label }
    if last == "s" { return label }
    if label.hasSuffix("y"), !["ay", "ey", "oy", "uy"].contains(where: label.hasSuffix) {
      return label.dropLast() + "ies"
    }
    return label + (["x", "ch", "sh"].contains(where: label.hasSuffix) ? "es" : "s")
  }
}
