/// How Core Data lays a model out in SQLite: the tables, their columns and the joins.
struct Layout {
  /// What a column holds.
  enum Role: Hashable {
    /// `Z_PK`, the object's key.
    case key
    /// `Z_ENT`, the number of the object's own entity.
    case entity
    /// `Z_OPT`, how often the object was saved.
    case version
    case attribute(of: String, name: String)
    /// The key of the object that a to-one relationship leads to.
    case link(of: String, name: String)
    /// The number of that object's entity, kept where the destination has sub-entities.
    case discriminator(of: String, name: String)
    /// The object's place in the ordered list at the other end of a to-one relationship.
    case order(of: String, name: String)
  }

  /// A column of an entity's table.
  struct Column {
    let name: String
    let type: String
    let role: Role
  }

  /// The table of a root entity and everything below it.
  struct Table {
    let root: String
    let name: String
    let columns: [Column]
    let hasSubentities: Bool
    /// The joins that are named after an entity of this table.
    let joins: [Join]
  }

  /// The table of a many-to-many relationship, named after the end with the lower number.
  struct Join {
    let entity: String
    let relationship: String
    let name: String
    /// The keys of the objects of `entity`; named after the inverse, which leads to them.
    let first: String
    /// The keys of the objects at the other end.
    let second: String
  }

  let schema: Schema
  let tables: [Table]

  init(_ schema: Schema) {
    self.schema = schema
    tables = schema.numbered.filter { $0.parent == nil }.map { root in
      let family = schema.numbered.filter { schema.root(of: $0.name) == root.name }
      return Table(
        root: root.name,
        name: "Z" + root.name.uppercased(),
        columns: TableColumns(of: family, in: schema).all,
        hasSubentities: family.count > 1,
        joins: family.flatMap { Layout.joins(of: $0, in: schema) }
      )
    }
  }

  private static func joins(of entity: SchemaEntity, in schema: Schema) -> [Join] {
    entity.relationships.compactMap { relationship in
      let inverse = schema.inverse(of: relationship)
      let (near, far) = (schema.number(of: entity.name), schema.number(of: relationship.destination))
      guard relationship.isToMany, inverse.isToMany, near < far else { return nil }
      let name = relationship.name.uppercased()
      return Join(
        entity: entity.name,
        relationship: relationship.name,
        name: "Z_\(near)\(name)",
        first: "Z_\(near)\(inverse.name.uppercased())",
        second: "Z_\(far)\(name)"
      )
    }
  }
}
