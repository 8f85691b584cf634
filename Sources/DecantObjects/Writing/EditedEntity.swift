internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// Where what belongs to the objects of an entity is written.
struct EditedEntity {
  let name: String
  /// The table with the objects, and its number among the store's tables.
  let table: EditedTable
  /// What the table's rows are told apart by; `nil` where it holds one entity alone.
  let code: Int64?
  /// Every column that holds a value, by the attribute's name.
  let attributes: [String: EditedAttribute]
  let links: [String: EditedLink]

  /// What the entity's properties are called.
  var names: [String] { attributes.keys.sorted() + links.keys.sorted() }
}

/// A table of objects and its number among those of the store.
struct EditedTable {
  let relation: Relation
  let number: Int

  /// The table as SQL names it.
  var sql: String { relation.sqlTable(in: "main") }
  /// The column with the key, as SQL names it.
  var key: String { relation.keyName }
  /// The code of a row's entity as SQL names it; 0 where all are of one.
  var code: String { relation.entityCode() ?? "0" }
}

/// An attribute and its column.
struct EditedAttribute {
  /// What the model says of it; `nil` for a column of a plain database that it does not know.
  let attribute: ModelAttribute?
  let column: RelationColumn
  /// Whether it is the row's own key.
  let isKey: Bool
}

/// A relationship as seen from its objects, and where its links lie.
struct EditedLink {
  let relationship: ModelRelationship
  /// The relationship by the entity that declares it.
  let property: Property
  let inverse: ModelRelationship?
  /// The column of the object itself that holds the key of the other one.
  var own: LinkColumn?
  /// The column of the object at the other end that holds the key of this one.
  var other: LinkColumn?
  /// The table of links, this object being the owner.
  var table: LinkRelation?

  /// Whether neither end has more than one.
  var isOneToOne: Bool { !relationship.isToMany && inverse?.isToMany == false }
}

/// A column that holds keys of other objects, with what goes with it.
struct LinkColumn {
  let table: EditedTable
  let column: RelationColumn
  /// The column that holds the entity of the object at the other end.
  let entity: String?
  /// The column that holds the row's place in the other object's list.
  let position: String?

  init(_ column: RelationColumn, of table: EditedTable) {
    (self.table, self.column) = (table, column)
    var (entity, position): (String?, String?) = (nil, nil)
    for companion in table.relation.columns where companion.isCompanion(of: column) {
      if case .targetEntity = companion.columnRole { entity = companion.name } else { position = companion.name }
    }
    (self.entity, self.position) = (entity, position)
  }

  /// The columns that are emptied with the link.
  var names: [String] { ([column.name, entity, position] as [String?]).compactMap(\.self).map(\.sqlName) }

  /// The condition under which a row can have such a link, behind another one.
  var only: String {
    guard let codes = column.onlyIn, let entity = table.relation.entityColumn else { return "" }
    return " AND \(entity.sqlName) IN (\(codes.map(String.init).joined(separator: ", ")))"
  }
}

/// Finds where the store keeps what the model names.
struct EditedEntities {
  let model: Model
  let layout: Layout

  /// Describes an entity.
  ///
  /// - Throws: `DecantError` for a name that the model lacks, or an entity of which the store can hold no objects.
  func entity(_ name: String) throws(DecantError) -> EditedEntity {
    guard model[name] != nil, let root = model.root(of: name), let table = table(of: root.name) else {
      throw DecantError.unknownEntity(name, model)
    }
    let lineage = Set(model.lineage(of: name).map(\.name))
    var attributes: [String: EditedAttribute] = [:]
    let declared = Dictionary(leaves(model.attributes(of: name)).map { ($0.name, $0) }) { $1 }
    for column in table.relation.columns {
      switch column.columnRole {
      case .attribute(let property) where lineage.contains(property.entity):
        attributes[property.name] = EditedAttribute(
          attribute: declared[property.name], column: column, isKey: false)
      case .key(let property) where lineage.contains(property.entity):
        attributes[property.name] = EditedAttribute(attribute: declared[property.name], column: column, isKey: true)
      default: break
      }
    }
    var links: [String: EditedLink] = [:]
    for relationship in model.relationships(of: name) where !relationship.isTransient {
      links[relationship.name] = link(relationship, of: name)
    }
    return EditedEntity(
      name: name, table: table, code: table.relation.code(of: name), attributes: attributes, links: links)
  }

  /// The attributes, of composite ones their leaves by the path to them, as columns are named.
  private func leaves(_ attributes: [ModelAttribute], in path: String = "") -> [ModelAttribute] {
    attributes.flatMap { attribute -> [ModelAttribute] in
      var attribute = attribute
      attribute.name = path + attribute.name
      guard case .composite(let parts) = attribute.type else { return [attribute] }
      return leaves(parts, in: attribute.name + ".")
    }
  }

  /// The table of a root entity.
  func table(of root: String) -> EditedTable? {
    layout.relations.firstIndex { $0.root == root }.map { EditedTable(relation: layout.relations[$0], number: $0) }
  }

  /// The table of the objects that a relationship leads to.
  func target(of relationship: ModelRelationship) -> EditedTable? {
    model.root(of: relationship.destination).flatMap { table(of: $0.name) }
  }

  private func link(_ relationship: ModelRelationship, of entity: String) -> EditedLink {
    let declaring = model.lineage(of: entity).first { $0.relationships.contains { $0.name == relationship.name } }
    let property = Property(declaring?.name ?? entity, relationship.name)
    var link = EditedLink(
      relationship: relationship, property: property, inverse: model.inverse(of: relationship))
    link.own = column(.target(property))
    link.other = column(.owner(property)) ?? model.inverseProperty(of: relationship).flatMap { column(.target($0)) }
    // A relationship that is its own inverse has one column, in which either object may stand.
    if link.own != nil, model.inverseProperty(of: relationship) == property { link.other = link.own }
    link.table =
      layout.linkRelations.first { $0.relationship == property }
      ?? layout.linkRelations.first { $0.inverse == property }?.reversed
    return link
  }

  private func column(_ role: ColumnRole) -> LinkColumn? {
    for (number, relation) in layout.relations.enumerated() {
      if let column = relation.column(role) {
        return LinkColumn(column, of: EditedTable(relation: relation, number: number))
      }
    }
    return nil
  }
}
