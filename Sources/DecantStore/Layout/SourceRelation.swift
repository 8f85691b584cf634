package import DecantBase
internal import DecantSQLite

/// A relation of the source as SQL reads it: columns have attribute names, and values of other entities are excluded.
///
/// The columns of every source have these names, independent of the table: `_id` for the key, `_entity` for the
/// concrete entity's code, attributes and to-one relationships by name, and for a relationship also `._entity` and
/// `._position`.
package struct SourceRelation {
  package let relation: Relation
  /// The schema of the attached store.
  package let schema: String
  private let names: [ColumnRole: String]

  package init(relation: Relation, schema: String) {
    self.relation = relation
    self.schema = schema
    names = SourceRelation.names(of: relation)
  }

  /// The table's SQL name.
  package var table: String { relation.sqlTable(in: schema) }

  /// The relation of all objects of its table, in parentheses.
  ///
  /// A property of a subentity is called `Entity.name` if two siblings use the same name.
  package var sql: String {
    let columns = relation.columns.map { column in
      "\(relation.value(of: column)) AS \(name(of: column).quotedName)"
    }
    return "(\(SelectStatement(columns: keyColumns + columns, source: table).sql))"
  }

  /// Returns the name of `column` in the relation.
  package func name(of column: RelationColumn) -> String {
    names[column.columnRole] ?? column.name
  }

  private var keyColumns: [String] {
    let key =
      switch relation.key {
      case .integer(let column, _): ["\(column.sqlName) AS _id"]
      case .values(let columns): columns.enumerated().map { "\($1.sqlName) AS _k\($0)" }
      case .none: [String]()
      }
    return key + (relation.entityCode().map { ["\($0) AS _entity"] } ?? [])
  }

  /// Returns unique names for all columns: SQLite ignores case in names.
  private static func names(of relation: Relation) -> [ColumnRole: String] {
    let properties = relation.columns.compactMap(\.columnRole.property)
    let uses = Dictionary(grouping: properties) { $0.name.lowercased() }.mapValues(\.count)
    // SQLite cannot name columns of a subselect `true` or `false`.
    var taken: Set<String> = ["_id", "_entity", "true", "false"]
    if case .values(let key) = relation.key { taken.formUnion(key.indices.map { "_k\($0)" }) }
    var names: [ColumnRole: String] = [:]
    for column in relation.columns {
      func plain(_ property: Property) -> String {
        uses[property.name.lowercased()] ?? 0 > 1 ? property.description : property.name
      }
      let wanted =
        switch column.columnRole {
        case .attribute(let property), .target(let property), .key(let property): plain(property)
        case .targetEntity(let property): plain(property) + "._entity"
        case .position(let property): plain(property) + "._position"
        case .owner(let property): "\(property)._owner"
        case .ownerPosition(let property): "\(property)._position"
        case .unnamed(let name): name
        case .revision: "_revision"
        }
      var name = wanted
      var number = 1
      while !taken.insert(name.lowercased()).inserted {
        number += 1
        name = "\(wanted) (\(number))"
      }
      names[column.columnRole] = name
    }
    return names
  }
}

extension ColumnRole {
  /// The attribute or to-one relationship in the column, or the key's name; `nil` for companion columns.
  package var property: Property? {
    switch self {
    case .attribute(let property), .target(let property), .key(let property): property
    case .targetEntity, .position, .owner, .ownerPosition, .unnamed, .revision: nil
    }
  }
}

extension Relation {
  /// Returns the column's value as SQL, unconverted, or only the key of a text with a key; NULL in rows of entities
  /// without the property.
  ///
  /// In a subquery over another table, `row` names the row.
  package func value(of column: RelationColumn, in row: String? = nil) -> String {
    let name = column.name.sqlName(in: row)
    if let choice = column.choice(in: row) {
      var plain = column
      (plain.conditions, plain.exceptions) = ([], [])
      return "CASE WHEN \(choice) THEN \(value(of: plain, in: row)) END"
    }
    // The condition ensures that it is a key.
    if let prefix = column.keyPrefix { return prefix.keyBehind(name) }
    if column.holdsLooseIntegers {
      let integer = "CAST(\(name) AS INTEGER)"
      // As a foreign key compares: “02” equals 2 if the other side is an integer, “2a” does not.
      return "CASE WHEN \(integer) = \(name) THEN \(integer) ELSE \(name) END"
    }
    guard let codes = column.onlyIn, let entityCode = entityCode(in: row) else { return name }
    return "CASE WHEN \(entityCode) IN (\(codes.list)) THEN \(name) END"
  }

  /// Returns the code of a row's concrete entity as SQL, NULL for an unknown name; `nil` if there is only one entity.
  package func entityCode(in row: String? = nil) -> String? {
    guard let name = entityColumn?.sqlName(in: row) else { return nil }
    guard namesEntities else { return name }
    guard !entities.isEmpty else { return "NULL" }
    let cases = entities.map { "WHEN \($0.name.sqlText) THEN \($0.code)" }
    return "CASE \(name) \(cases.joined(separator: " ")) END"
  }
}

extension String {
  /// Returns the column's SQL name, qualified with `row` if given.
  package func sqlName(in row: String?) -> String { (row.map { $0 + "." } ?? "") + sqlName }
}
