/// The columns of one table, in the order in which Core Data creates them.
///
/// Per entity whole numbers, then to-one links each with its discriminator; then all places in
/// ordered lists; then one group after the other of the wider types, through all entities. Inside
/// a group names are sorted, with regard to case.
struct TableColumns {
  private let family: [SchemaEntity]
  private let schema: Schema
  /// The column of each property; siblings that use one name get a number behind it.
  private var names: [String: String] = [:]

  init(of family: [SchemaEntity], in schema: Schema) {
    self.family = family
    self.schema = schema
    var uses: [String: Int] = [:]
    for entity in family {
      for property in stored(entity).map(\.name) + links(entity).map(\.name) {
        let plain = property.uppercased()
        let count = uses[plain, default: 0]
        uses[plain] = count + 1
        names["\(entity.name).\(property)"] = plain + (count == 0 ? "" : String(count))
      }
    }
  }

  /// The types whose columns stand together, in the order of the groups.
  private static let groups: [[SchemaAttribute.Kind]] = [
    [.double, .float, .date], [.decimal], [.string], [.uri], [.uuid], [.transformable], [.binary],
  ]

  /// The columns.
  var all: [Layout.Column] {
    let keys = [
      Layout.Column(name: "Z_PK", type: "INTEGER PRIMARY KEY", role: .key),
      Layout.Column(name: "Z_ENT", type: "INTEGER", role: .entity),
      Layout.Column(name: "Z_OPT", type: "INTEGER", role: .version),
    ]
    let narrow = family.flatMap { entity in
      attributes(of: entity, [.integer16, .integer32, .integer64, .boolean])
        + links(entity).flatMap { linkColumns(of: entity, $0) }
    }
    let wide = TableColumns.groups.flatMap { kinds in
      family.flatMap { attributes(of: $0, kinds) }
    }
    return keys + narrow + family.flatMap(orderColumns) + wide
  }

  private func stored(_ entity: SchemaEntity) -> [SchemaAttribute] {
    entity.attributes.filter { !$0.isTransient }.sorted { $0.name < $1.name }
  }

  private func links(_ entity: SchemaEntity) -> [SchemaRelationship] {
    entity.relationships.filter { !$0.isToMany }.sorted { $0.name < $1.name }
  }

  private func name(_ entity: SchemaEntity, _ property: String) -> String {
    names["\(entity.name).\(property)"] ?? property.uppercased()
  }

  private func attributes(of entity: SchemaEntity, _ kinds: [SchemaAttribute.Kind]) -> [Layout.Column] {
    stored(entity).filter { kinds.contains($0.kind) }.map { attribute in
      Layout.Column(
        name: "Z" + name(entity, attribute.name),
        type: attribute.kind.declaredType,
        role: .attribute(of: entity.name, name: attribute.name)
      )
    }
  }

  private func linkColumns(of entity: SchemaEntity, _ link: SchemaRelationship) -> [Layout.Column] {
    let name = name(entity, link.name)
    let column = Layout.Column(name: "Z" + name, type: "INTEGER", role: .link(of: entity.name, name: link.name))
    guard schema.entities.contains(where: { $0.parent == link.destination }) else {
      return [column]
    }
    let discriminator = Layout.Column(
      name: "Z\(schema.number(of: link.destination))_\(name)",
      type: "INTEGER",
      role: .discriminator(of: entity.name, name: link.name)
    )
    return [column, discriminator]
  }

  private func orderColumns(of entity: SchemaEntity) -> [Layout.Column] {
    links(entity).filter { schema.inverse(of: $0).isOrdered }.map { link in
      Layout.Column(
        name: "Z_FOK_" + name(entity, link.name),
        type: "INTEGER",
        role: .order(of: entity.name, name: link.name)
      )
    }
  }
}

extension SchemaAttribute.Kind {
  /// The type that Core Data declares a column of this kind with.
  var declaredType: String {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .double, .float: "FLOAT"
    case .date: "TIMESTAMP"
    case .decimal: "DECIMAL"
    case .string, .uri: "VARCHAR"
    case .uuid, .transformable, .binary: "BLOB"
    }
  }
}
