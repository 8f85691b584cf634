public import DecantBase
package import DecantStore
internal import DecantSQLite

/// A table in the user's SQL: an entity with its attributes, or the links of a relationship.
///
/// Conditions and queries use these names, independent of the store's tables.
package struct EntityView: Sendable {
  /// A column in the user's SQL.
  package struct Column: Sendable {
    /// The name, unique in the view.
    package let name: String
    /// The value, as an expression on the store's table.
    package let expression: String
    /// The type of the values, if the column is an attribute.
    package let type: ColumnType?
    /// The spelling of values from a server; the expression has its collation.
    package var spelling: ValueSpelling?
  }

  /// A table of the store: of objects, of links, or a view of the store with this name.
  enum Table: Sendable {
    case objects(Relation)
    case links(Link)
    case stored(String)

    func sqlTable(in schema: String) -> String {
      switch self {
      case .objects(let relation): relation.sqlTable(in: schema)
      case .links(let link): link.sqlTable(in: schema)
      case .stored(let name): "\(schema.sqlName).\(name.sqlName)"
      }
    }
  }

  /// Rows of one table of the store.
  private struct Part: Sendable {
    let columns: [Column]
    let table: EntityView.Table
    let conditions: [String]

    func select(in schema: String) -> String {
      SelectStatement(
        columns: columns.map { "\($0.expression) AS \($0.name.quotedName)" },
        source: table.sqlTable(in: schema),
        conditions: conditions
      ).sql
    }
  }

  /// The name, unique in the store.
  package private(set) var name: String
  /// The entity; for links the one that declares the relationship.
  package let entity: String
  package let columns: [Column]
  private let parts: [Part]

  /// Creates a view of `columns` on the rows of a table that satisfy `conditions`.
  init(name: String, entity: String, columns: [Column], table: Table, conditions: [String] = []) {
    self.name = name
    self.entity = entity
    self.columns = columns
    parts = [Part(columns: columns, table: table, conditions: conditions)]
  }

  /// Creates a view of the rows of `one` and `other`, which have the same columns; equal rows count once.
  init(_ one: EntityView, union other: EntityView) {
    name = one.name
    entity = one.entity
    columns = one.columns
    parts = one.parts + other.parts
  }

  /// Returns the same view under another name.
  func named(_ name: String) -> EntityView {
    var view = self
    view.name = name
    return view
  }

  /// Returns the SELECT of the view if the store is attached as `schema`.
  private func select(in schema: String) -> String {
    parts.map { $0.select(in: schema) }.joined(separator: "\nUNION\n")
  }

  /// Returns the view as a relation in parentheses.
  package func relation(in schema: String) -> String { "(\(select(in: schema)))" }

  /// Returns the statement that creates the view if the store is attached as `schema`.
  func creation(in schema: String) -> String {
    "CREATE TEMP VIEW \(name.quotedName) AS \(select(in: schema))"
  }

  /// Returns the statement that creates an empty table with the same columns.
  ///
  /// It has no rowids, as a view has none: SQLite silently reads them as NULL there. Its columns are followed by those
  /// that `twin` names.
  func outline(_ twin: (Column) -> String?) -> String {
    let names = (columns.map(\.name) + columns.compactMap(twin)).map(\.quotedName)
    let key = names.first ?? "_"
    return """
      CREATE TEMP TABLE \(name.quotedName) (\(names.joined(separator: ", ")), \
      PRIMARY KEY (\(key))) WITHOUT ROWID
      """
  }

  /// The names of the properties, without the columns that every view has.
  var propertyNames: [String] {
    columns.map(\.name).filter { $0 != EntityView.key && $0 != EntityView.entityName }
  }

  /// The column with the object's key.
  package static let key = "_id"
  /// The column with the name of the object's own entity.
  package static let entityName = "_entity"
}

/// The type of the values in a column of a result.
public struct ColumnType: Sendable, Hashable {
  /// The type of their attribute.
  public var attribute: AttributeType
  /// Whether a value may be in an external file.
  public var isExternal: Bool
}

/// A generator of unique names, without regard to case as in SQLite.
package struct DistinctNames {
  private var taken: Set<String> = []

  package init() {}

  /// Returns `name`, or `name (2)` and so on if it is taken; `separator` and `end` surround the number.
  package mutating func claim(_ name: String, separator: String = " (", end: String = ")") -> String {
    var candidate = name
    var number = 1
    while !taken.insert(candidate.lowercased()).inserted {
      number += 1
      candidate = "\(name)\(separator)\(number)\(end)"
    }
    return candidate
  }

  /// Claims `name`, and returns whether it was free.
  package mutating func take(_ name: String) -> Bool { taken.insert(name.lowercased()).inserted }
}
