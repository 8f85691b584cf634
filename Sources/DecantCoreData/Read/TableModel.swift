internal import DecantBase
internal import DecantStore

/// A model derived from the tables of a store, for a store whose model is not available.
///
/// Names, inheritance and numbers of the entities are in `Z_PRIMARYKEY`. The meaning of the columns is unknown: each is
/// an attribute with the column's name, and a link is a number like any other. Such a store can be copied unchanged,
/// but its keys cannot be changed.
struct TableModel {
  let model: Model
  let layout: Layout
  let numbers: [String: Int64]

  /// Derives a model from `books`; throws if they are inconsistent.
  init(_ books: Bookkeeping, place: String) throws(DecantError) {
    let entries = books.entries.filter { $0.number < EntityNumbers.firstPrivate }
    let names = Dictionary(entries.map { ($0.number, $0.name) }) { first, _ in first }
    var entities: [Entity] = []
    for entry in entries {
      let parent = entry.parent == 0 ? nil : names[entry.parent]
      guard entry.parent == 0 || parent != nil else {
        throw TableModel.damaged("the parent of \(entry.name) has no row", place)
      }
      entities.append(Entity(name: entry.name, superentity: parent))
    }
    let tables = try TableModel.tables(of: entities, in: books, place)
    for index in entities.indices {
      guard let table = tables[entities[index].name] else { continue }
      entities[index].attributes = TableModel.attributes(of: table, in: books)
    }
    let model = try ModelAssembly.model(of: entities, versionIdentifiers: [], place: place)
    numbers = Dictionary(entries.map { ($0.name, $0.number) }) { first, _ in first }
    guard Set(numbers.values).count == entries.count else {
      throw TableModel.damaged("two entities have the same number", place)
    }
    self.model = model
    let relations = model.roots.compactMap { [numbers] root in
      tables[root.name].map { table in
        TableModel.relation(of: root, in: table, family: model.family(of: root.name), numbers)
      }
    }
    layout = Layout(relations: relations)
  }

  /// Finds the table of each root entity.
  ///
  /// A migration may leave an entity's previous name in `Z_PRIMARYKEY`; its table is then the only table of objects not
  /// matched by another entity.
  private static func tables(of entities: [Entity], in books: Bookkeeping, _ place: String)
    throws(DecantError) -> [String: String]
  {
    let roots = entities.filter { $0.superentity == nil }.map(\.name)
    var tables: [String: String] = [:]
    for root in roots {
      let table = CoreDataLayout.tableName(of: root)
      guard let columns = books.columns[table] else { continue }
      try ColumnNaming(table: table, present: columns, place: place).checkOwnColumns(of: root)
      tables[root] = table
    }
    let lost = roots.filter { tables[$0] == nil }
    let free = books.columns.filter { table, columns in
      columns.starts(with: ["Z_PK", "Z_ENT", "Z_OPT"]) && !tables.values.contains(table)
        && !SyncMetadata.isTable(table)
    }.keys
    if lost.isEmpty, let table = free.min() {
      throw damaged("none of them belongs to the table \(table)", place)
    }
    guard let first = lost.first else { return tables }
    guard lost.count == 1, free.count == 1, let table = free.first else {
      throw DecantError(
        .damaged,
        "“\(place)” has no table \(CoreDataLayout.tableName(of: first))",
        place: "entity \(first)",
        remedy:
          "the file is damaged: restore it from a backup, or pass the model with \(say: .model)"
      )
    }
    tables[first] = table
    return tables
  }

  private static let bookColumns: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]

  private static func attributes(of table: String, in books: Bookkeeping) -> [Attribute] {
    (books.columns[table] ?? []).filter { !bookColumns.contains($0) }.map { column in
      Attribute(name: column, type: type(declared: books.declaredTypes[table]?[column] ?? ""), isOptional: true)
    }
  }

  /// Returns the type of the values in a column declared as `declared`; Core Data uses no other declarations.
  private static func type(declared: String) -> AttributeType {
    switch declared.uppercased() {
    case "INTEGER": .integer64
    case "FLOAT": .double
    case "TIMESTAMP": .date
    case "DECIMAL": .decimal
    case "VARCHAR": .string
    default: .binary
    }
  }

  private static func relation(
    of root: Entity,
    in table: String,
    family: [Entity],
    _ numbers: [String: Int64]
  ) -> Relation {
    let values = root.attributes.map { attribute in
      RelationColumn(
        name: attribute.name,
        columnRole: .attribute(Property(root.name, attribute.name)),
        type: attribute.type,
        // Which attributes allow external storage is unknown, but a reference to a file is unambiguous.
        isExternal: attribute.type == .binary
      )
    }
    return Relation(
      root: root.name,
      table: table,
      keyColumn: "Z_PK",
      entityColumn: "Z_ENT",
      entities: family.map { Relation.EntityCode(name: $0.name, code: numbers[$0.name] ?? 0) },
      columns: values + [RelationColumn(name: "Z_OPT", columnRole: .revision)]
    )
  }

  private static func damaged(_ what: String, _ place: String) -> DecantError {
    DecantError(
      .damaged,
      "the entities of “\(place)” contradict each other: \(what)",
      place: "table Z_PRIMARYKEY",
      remedy: "the file is damaged: restore it from a backup"
    )
  }
}
