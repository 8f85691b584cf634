internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// A reference to an object of the store: the table it is in, and its key there.
package struct PageReference: Hashable {
  /// The index of its relation in the layout.
  package var relation: Int
  package var key: Int64

  package init(relation: Int, key: Int64) {
    (self.relation, self.key) = (relation, key)
  }
}

/// A path from the objects of an entity to others: a relationship, or one read backwards.
struct PageEdge {
  /// Where the targets are stored.
  enum Place {
    /// In this column of the object's own table.
    case column(Int)
    /// In this table of links, created for the page: owner, position, target.
    case links(String)
  }

  /// The name in the model; for a relationship read backwards, that of the other entity.
  let name: PageName
  /// The name for a reader.
  let label: String
  /// The entity at the other end.
  let destination: String
  /// The index of its relation in the layout.
  let target: Int
  let isToMany: Bool
  /// Whether the targets are ordered.
  var isOrdered: Bool
  /// Whether the targets are parts of the object: deleted with it, and therefore shown within it.
  var isOwning: Bool
  /// Whether several objects may have the same target.
  let isShared: Bool
  let place: Place
}

/// The edges from an entity, and the statements that fill the tables of links they need.
struct PageEdges {
  let model: Model
  let layout: Layout
  /// The name under which the store is attached.
  private let schema: String
  private let leavingOut: Set<Property>
  /// The SELECT that fills each table of links, with owner, position and target.
  private(set) var selects: [String] = []
  private var tables: [String: String] = [:]

  /// Examines `model`, ignoring the relationships in `leavingOut`.
  init(model: Model, layout: Layout, schema: String, leavingOut: Set<Property> = []) {
    self.model = model
    self.layout = layout
    self.schema = schema
    self.leavingOut = leavingOut
  }

  /// Returns the index in the layout of the relation that holds `entity`.
  func relation(of entity: String) -> Int? {
    guard let root = model.root(of: entity)?.name else { return nil }
    return layout.relations.firstIndex { $0.root == root }
  }

  /// Finds the edges from `entity`, including inherited ones.
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
    let column = layout.relations[own].columns.firstIndex { $0.columnRole == .target(property) }
    if !relationship.isToMany, let column {
      place = .column(column)
    } else if let links = links(property, inverse, to: target) {
      place = .links(links)
    } else {
      return nil
    }
    // If each end would delete the other, the object with many targets contains them.
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

  /// Returns the relationships without an inverse of other entities that lead here, read backwards.
  private mutating func incoming(to entity: String) -> [PageEdge] {
    guard let own = relation(of: entity), layout.relations[own].keyColumn != nil else { return [] }
    let lineage = Set(model.lineage(of: entity).map(\.name))
    var edges: [PageEdge] = []
    for (place, relation) in layout.relations.enumerated() where relation.keyColumn != nil {
      for column in relation.columns {
        guard case .target(let property) = column.columnRole, column.targetRoot != nil,
          !leavingOut.contains(property),
          let relationship = model.relationship(property),
          relationship.inverse == nil, lineage.contains(relationship.destination),
          let link = layout.link(property)?.reversed(as: property)
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
            place: .links(links(backwards: property, link))
          )
        )
      }
    }
    return edges
  }

  /// Whether the objects of `entity` are parts of the targets of `relationship`.
  ///
  /// Tables do not state which rows are deleted together. Rows count as parts if they have a required reference and no
  /// other one, or if their table is named after the other one: `recipe_ingredients` has a recipe and a food.
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

  /// Whether an attribute defines the order of the objects of `entity`.
  private func hasPositions(_ entity: String) -> Bool {
    relation(of: entity).map { positionColumn(in: layout.relations[$0], of: entity) != nil }
      ?? false
  }

  /// Returns the column with the attribute that defines the order of the objects of `entity`.
  func positionColumn(in relation: Relation, of entity: String) -> RelationColumn? {
    let lineage = Set(model.lineage(of: entity).map(\.name))
    return relation.columns.first { column in
      guard case .attribute(let property) = column.columnRole, lineage.contains(property.entity) else {
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
  private mutating func links(_ property: Property, _ inverse: Property?, to target: Int) -> String? {
    guard let link = layout.link(property, inverse: inverse) else { return nil }
    switch link.storage {
    case .column: return inverse.map { links(backwards: $0, link) }
    case .otherSide: return links("\(property)", link, of: layout.relations[target].root)
    case .table: return links("\(property)", link, of: nil)
    }
  }

  /// Returns a table of the links in columns of the target, by the relationship that owns the columns.
  private mutating func links(backwards property: Property, _ link: Link) -> String {
    links("\(property) backwards", link, of: property.entity)
  }

  /// Fills a table with links; if they have no positions, an attribute of `entity` may define the order.
  private mutating func links(_ name: String, _ link: Link, of entity: String?) -> String {
    let relation = layout.relation(of: link.target)
    let attribute = entity.flatMap { entity in
      relation.flatMap { positionColumn(in: $0, of: entity)?.name }
    }
    let rows = link.rows(in: schema, orderedBy: attribute)
    return table(name, "SELECT owner, position, target FROM (\(rows))")
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
  /// Whether values are integers.
  var isWhole: Bool { [.integer16, .integer32, .integer64].contains(self) }
}

extension PageName {
  /// The regular English plural of a simple noun.
  var plural: String {
    let label = label
    // Uncountable nouns have no plural.
    if words.last == "nutrition" || words.last == "equipment" { return label }
    guard let last = label.last, last.isASCII, last.isLetter, last.isLowercase else { return label }
    if last == "s" { return label }
    if label.hasSuffix("y"), !["ay", "ey", "oy", "uy"].contains(where: label.hasSuffix) {
      return label.dropLast() + "ies"
    }
    return label + (["x", "ch", "sh"].contains(where: label.hasSuffix) ? "es" : "s")
  }
}
