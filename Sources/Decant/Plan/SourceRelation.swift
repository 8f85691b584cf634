internal import SQLite

/// A relation of the source as SQL reads it: attribute names for columns, foreign values shut out.
///
/// The columns of every source have these names, whatever the table's own: `_id` for the key,
/// `_entity` for the concrete entity's code, attributes and to-one relationships by name, and beside
/// a relationship its `._entity` and `._position`.
struct SourceRelation {
  let relation: Relation
  /// The name under which the store is attached.
  let schema: String

  /// The relation over all objects of its table, in parentheses.
  ///
  /// A property of a sub-entity goes by `Entity.name` where two siblings use one name.
  var sql: String {
    let columns = relation.columns.map { column in
      "\(value(of: column)) AS \(name(of: column.meaning).quotedName)"
    }
    return "(\(select(keyColumns + columns).sql))"
  }

  /// The relation over the objects of `entities` alone, with every property under its plain name.
  func sql(of entities: [String], properties: Set<Property>) -> String {
    let columns = relation.columns.compactMap { column -> String? in
      switch column.meaning {
      case .attribute(let property), .target(let property):
        guard properties.contains(property) else { return nil }
        return "\(column.name.sqlName) AS \(property.name.quotedName)"
      case .targetEntity, .position, .owner, .ownerPosition, .revision:
        return nil
      }
    }
    var select = select(keyColumns + columns)
    if let entityColumn = relation.entityColumn, entities.count < relation.entities.count {
      let codes = entities.compactMap { relation.code(of: $0) }
      // The plus keeps SQLite on the rowid: an index on the entity would hand the rows out of order.
      select.conditions = ["+\(entityColumn.sqlName) IN (\(codes.list))"]
    }
    return "(\(select.sql))"
  }

  /// The name under which the relation offers what `meaning` stands for.
  func name(of meaning: Meaning) -> String {
    switch meaning {
    case .attribute(let property), .target(let property): plainName(of: property)
    case .targetEntity(let property): plainName(of: property) + "._entity"
    case .position(let property): plainName(of: property) + "._position"
    case .owner(let property): "\(property)._owner"
    case .ownerPosition(let property): "\(property)._position"
    case .revision: "_revision"
    }
  }

  /// The column's value, NULL in rows of entities that do not have the property.
  func value(of column: RelationColumn) -> String {
    relation.value(of: column)
  }

  private var keyColumns: [String] {
    let key = "\(relation.keyColumn.sqlName) AS _id"
    return [key] + (relation.entityColumn.map { ["\($0.sqlName) AS _entity"] } ?? [])
  }

  private func select(_ columns: [String]) -> SelectStatement {
    SelectStatement(columns: columns, source: "\(schema.sqlName).\(relation.table.sqlName)")
  }

  private func plainName(of property: Property) -> String {
    let sameName = relation.columns.filter {
      switch $0.meaning {
      case .attribute(let other), .target(let other): other.name == property.name
      default: false
      }
    }
    return sameName.count > 1 ? property.description : property.name
  }
}

extension Relation {
  /// The column's value as SQL, NULL in rows of entities that do not have the property.
  func value(of column: RelationColumn) -> String {
    guard let codes = column.onlyIn, let entityColumn else { return column.name.sqlName }
    return "CASE WHEN \(entityColumn.sqlName) IN (\(codes.list)) THEN \(column.name.sqlName) END"
  }
}

extension [Int64] {
  /// The numbers as SQL lists them.
  var list: String { map(String.init).joined(separator: ", ") }
}
