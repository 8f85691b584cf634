internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// The table and columns in which an entity's objects are stored.
struct EditedEntity {
  let name: String
  /// The table of the objects, with its number among the store's tables.
  let table: EditedTable
  /// The entity code of the rows; `nil` if the table holds only one entity.
  let code: Int64?
  /// The columns that hold values, by attribute name.
  let attributes: [String: EditedAttribute]
  let links: [String: EditedLink]

  /// The names of the entity's properties.
  var names: [String] { attributes.keys.sorted() + links.keys.sorted() }
}

/// A table of objects, with its number among the store's tables.
struct EditedTable {
  let relation: Relation
  let number: Int

  /// The table name as SQL.
  var sql: String { relation.sqlTable(in: "main") }
  /// The key column as SQL.
  var key: String { relation.keyName }
  /// The entity code of a row as SQL; 0 if the table holds only one entity.
  var code: String { relation.entityCode() ?? "0" }
}

/// An attribute and its column.
struct EditedAttribute {
  /// The attribute in the model; `nil` for a column of a plain database that is not in the model.
  let attribute: ModelAttribute?
  let column: RelationColumn
  /// Whether the attribute is the row's own key.
  let isKey: Bool
}

/// A relationship from the side of its owner, and the place where its links are stored.
struct EditedLink {
  let relationship: ModelRelationship
  /// The relationship, named with the entity that declares it.
  let property: Property
  let inverse: ModelRelationship?
  /// The column of this object that holds the key of the other object.
  var own: LinkColumn?
  /// The column of the other object that holds the key of this object.
  var other: LinkColumn?
  /// The table of links, with this object as the owner.
  var table: LinkRelation?

  /// Whether each end has at most one target.
  var isOneToOne: Bool { !relationship.isToMany && inverse?.isToMany == false }
}

/// A column that holds keys of other objects, with its accompanying columns.
struct LinkColumn {
  let table: EditedTable
  let column: RelationColumn
  /// The column that holds the entity of the target.
  let entity: String?
  /// The column that holds the row's position in the target's list.
  let position: String?

  init(_ column: RelationColumn, of table: EditedTable) {
    (self.table, self.column) = (table, column)
    var (entity, position): (String?, String?) = (nil, nil)
    for companion in table.relation.columns where companion.isCompanion(of: column) {
      if case .targetEntity = companion.columnRole { entity = companion.name } else { position = companion.name }
    }
    (self.entity, self.position) = (entity, position)
  }

  /// The columns that are set to NULL when the link is removed.
  var names: [String] { ([column.name, entity, position] as [String?]).compactMap(\.self).map(\.sqlName) }

  /// The condition for rows that can have such a link, to be appended to another condition.
  var only: String {
    guard let codes = column.onlyIn, let entity = table.relation.entityColumn else { return "" }
    return " AND \(entity.sqlName) IN (\(codes.map(String.init).joined(separator: ", ")))"
  }
}

/// Finds the tables and columns in which the store keeps the parts of the model.
struct EditedEntities {
  let model: Model
  let layout: Layout

  /// Returns an entity's table and columns.
  ///
  /// - Throws: `DecantError` if the model has no such entity, or if the store cannot hold objects of it.
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

  /// Returns the attributes, with composite ones replaced by their leaves, named by path like the columns.
  private func leaves(_ attributes: [ModelAttribute], in path: String = "") -> [ModelAttribute] {
    attributes.flatMap { attribute -> [ModelAttribute] in
      var attribute = attribute
      attribute.name = path + attribute.name
      guard case .composite(let parts) = attribute.type else { return [attribute] }
      return leaves(parts, in: attribute.name + ".")
    }
  }

  /// Returns the table of a root entity.
  func table(of root: String) -> EditedTable? {
    layout.relations.firstIndex { $0.root == root }.map { EditedTable(relation: layout.relations[$0], number: $0) }
  }

  /// Returns the table of a relationship's targets.
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
    // A relationship that is its own inverse has one column, which can hold either object.
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
