internal import DecantBase
internal import DecantSQLite

/// The table of a root entity, with columns in Core Data's order.
///
/// Integers and links come first, entity by entity; then list positions; then all other values by type. Readers do not
/// depend on the order, but it keeps stores of the same model comparable.
struct EntityTable {
  let name: String
  let columns: [String]
  let sql: String

  init(of root: Entity, names: SchemaNames, era: SchemaEra) {
    let family = names.model.family(of: root.name)
    name = names.table(of: root.name)
    let unique = era.constrainsInTables ? family.flatMap(names.uniqueColumns) : []
    var builder = Columns(names: names, unique: Set(unique.filter { $0.count == 1 }.flatMap(\.self)))
    for entity in family {
      builder.addIntegers(of: entity)
      builder.addLinks(of: entity)
      builder.addOwners(of: entity)
    }
    builder.definitions += builder.positions
    for group in TypeGroup.allCases { for entity in family { builder.add(group, of: entity) } }
    let head = [("Z_PK", "INTEGER PRIMARY KEY"), ("Z_ENT", "INTEGER"), ("Z_OPT", "INTEGER")]
    let all = head + builder.definitions
    columns = all.map(\.0)
    let definitions = all.map { "\($0.0.sqlName) \($0.1)" }.joined(separator: ", ")
    let constraints = unique.filter { $0.count > 1 }.map { columns in
      let names = columns.map(\.sqlName).joined(separator: ", ")
      return ", CONSTRAINT \(columns.joined(separator: "_").sqlName) UNIQUE (\(names))"
    }
    sql =
      "CREATE TABLE \(name.sqlName) ( \(definitions)"
      + (constraints.isEmpty ? " )" : constraints.joined() + ")")
  }

  /// The columns of the statement under construction, each with its content.
  private struct Columns {
    let names: SchemaNames
    let unique: Set<String>
    var definitions: [(String, String)] = []
    var positions: [(String, String)] = []

    mutating func add(_ column: String, _ type: String) {
      definitions.append((column, unique.contains(column) ? type + " UNIQUE" : type))
    }

    mutating func addIntegers(of entity: Entity) {
      for (path, attribute) in entity.storedAttributes where attribute.type.isInteger {
        add(names.columns[Property(entity.name, path)] ?? "", "INTEGER")
      }
    }

    mutating func addLinks(of entity: Entity) {
      for relationship in entity.storedToOnes {
        let column = names.columns[Property(entity.name, relationship.name)] ?? ""
        add(column, "INTEGER")
        if names.model.family(of: relationship.destination).count > 1 {
          add("Z\(names.number(relationship.destination))_\(column.dropFirst())", "INTEGER")
        }
        if names.model.inverse(of: relationship)?.isOrdered == true {
          positions.append(("Z_FOK_\(column.dropFirst())", "INTEGER"))
        }
      }
    }

    mutating func addOwners(of entity: Entity) {
      for (owner, relationship) in names.ownerships(of: entity.name) {
        let column = names.columns[Property(owner.name, relationship.name)] ?? ""
        add(column, "INTEGER")
        if relationship.isOrdered { add("Z_FOK_\(column.dropFirst())", "INTEGER") }
      }
    }

    mutating func add(_ group: TypeGroup, of entity: Entity) {
      let members = entity.storedAttributes.filter { group.contains($0.attribute.type) }
      for (path, attribute) in members.sorted(by: { $0.attribute.name < $1.attribute.name }) {
        add(names.columns[Property(entity.name, path)] ?? "", attribute.type.columnType)
      }
    }
  }

  /// The groups of value types, in the order of their columns.
  private enum TypeGroup: CaseIterable {
    case numbers, decimals, strings, uris, uuids, transformables, binaries

    func contains(_ type: AttributeType) -> Bool {
      switch type {
      case .double, .float, .date: self == .numbers
      case .decimal: self == .decimals
      case .string: self == .strings
      case .uri: self == .uris
      case .uuid: self == .uuids
      case .transformable: self == .transformables
      // No store with an object ID was seen; models that have one are refused earlier.
      case .binary, .objectID: self == .binaries
      case .integer16, .integer32, .integer64, .boolean, .undefined, .composite: false
      }
    }
  }
}

extension AttributeType {
  /// Whether the values are integers, whose columns come first.
  fileprivate var isInteger: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: true
    case .undefined, .decimal, .double, .float, .string, .date, .binary, .uuid, .uri,
      .transformable, .objectID, .composite:
      false
    }
  }

  /// The type that Core Data declares for the column.
  fileprivate var columnType: String {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .double, .float: "FLOAT"
    case .date: "TIMESTAMP"
    case .decimal: "DECIMAL"
    case .string, .uri: "VARCHAR"
    case .uuid, .transformable, .binary, .objectID, .undefined, .composite: "BLOB"
    }
  }
}

extension SchemaNames {
  /// Returns the columns of each uniqueness constraint of `entity`, without constraints on properties without a column.
  func uniqueColumns(of entity: Entity) -> [[String]] {
    entity.uniquenessConstraints.compactMap { properties in
      let columns = properties.compactMap { column(of: $0, in: entity.name) }
      return columns.isEmpty || columns.count < properties.count ? nil : columns
    }
  }
}
