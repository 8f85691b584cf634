package import DecantBase
internal import DecantSQLite

/// A relation of the source as SQL reads it: attribute names for columns, foreign values shut out.
///
/// The columns of every source have these names, whatever the table's own: `_id` for the key,
/// `_entity` for the concrete entity's code, attributes and to-one relationships by name, and beside
/// a relationship its `._entity` and `._position`.
package struct SourceRelation {
  package let relation: Relation
  /// The name under which the store is attached.
  package let schema: String
  private let names: [ColumnRole: String]

  package init(relation: Relation, schema: String) {
    self.relation = relation
    self.schema = schema
    names = SourceRelation.names(of: relation)
  }

  /// The table, as SQL names it.
  package var table: String { relation.sqlTable(in: schema) }

  /// The relation over all objects of its table, in parentheses.
  ///
  /// A property of a sub-entity goes by `Entity.name` where two siblings use one name.
  package var sql: String {
    let columns = relation.columns.map { column in
      "\(relation.value(of: column)) AS \(name(of: column).quotedName)"
    }
    return "(\(SelectStatement(columns: keyColumns + columns, source: table).sql))"
  }

  /// The name under which the relation offers `column`.
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

  /// Names all columns, no two alike: SQLite does not tell small letters from capitals.
  private static func names(of relation: Relation) -> [ColumnRole: String] {
    let properties = relation.columns.compactMap(\.columnRole.property)
    let uses = Dictionary(grouping: properties) { $0.name.lowercased() }.mapValues(\.count)
    // SQLite gives a subselect no columns of the last two names, whatever it is asked for.
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
  /// The attribute or to-one relationship whose value the column holds, or the key's name; `nil` for what goes with it.
  package var property: Property? {
    switch self {
    case .attribute(let property), .target(let property), .key(let property): property
    case .targetEntity, .position, .owner, .ownerPosition, .unnamed, .revision: nil
    }
  }
}

extension Relation {
  /// The column's value as SQL, as the column holds it, and of a text with a key only that; NULL in rows of entities
  /// that do not have the property.
  ///
  /// Where it stands in a subquery over another table, `row` names the row that is meant.
  package func value(of column: RelationColumn, in row: String? = nil) -> String {
    let name = column.name.sqlName(in: row)
    if let choice = column.choice(in: row) {
      var plain = column
      (plain.conditions, plain.exceptions) = ([], [])
      return "CASE WHEN \(choice) THEN \(value(of: plain, in: row)) END"
    }
    // The condition has found it to be a key.
    if let prefix = column.keyPrefix { return prefix.keyBehind(name) }
    if column.holdsLooseIntegers {
      let integer = "CAST(\(name) AS INTEGER)"
      // As a foreign key compares: “02” is 2 where an integer stands on the other side, “2a” is none.
      return "CASE WHEN \(integer) = \(name) THEN \(integer) ELSE \(name) END"
    }
    guard let codes = column.onlyIn, let entityCode = entityCode(in: row) else { return name }
    return "CASE WHEN \(entityCode) IN (\(codes.list)) THEN \(name) END"
  }

  /// The code of a row's concrete entity as SQL, NULL for a name that is none; `nil` where all rows are
  /// of one entity.
  package func entityCode(in row: String? = nil) -> String? {
    guard let name = entityColumn?.sqlName(in: row) else { return nil }
    guard namesEntities else { return name }
    guard !entities.isEmpty else { return "NULL" }
    let cases = entities.map { "WHEN \($0.name.sqlText) THEN \($0.code)" }
    return "CASE \(name) \(cases.joined(separator: " ")) END"
  }
}

extension String {
  /// The name of a column as SQL writes it, of the row that `row` names where that is to be said.
  package func sqlName(in row: String?) -> String { (row.map { $0 + "." } ?? "") + sqlName }
}
