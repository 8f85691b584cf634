public import DecantBase
internal import DecantStore
internal import DecantSQLite

/// A table as the user's SQL sees it: an entity with its attributes, or the links of a relationship.
///
/// Conditions and queries are written over these names, whatever the tables of the store are called.
package struct EntityView: Sendable {
  /// A column as the user's SQL sees it.
  package struct Column: Sendable {
    /// The name, by which no other column of the view goes.
    package let name: String
    /// The value, as an expression over the store's table.
    package let expression: String
    /// What the values are, where the column is an attribute.
    package let type: ColumnType?
  }

  /// A table of the store: of objects, of links, or a view that the store holds under this name.
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

  /// The name, by which no other view of the store goes.
  package private(set) var name: String
  /// The entity, or for links the one that declares the relationship.
  package let entity: String
  package let columns: [Column]
  private let parts: [Part]

  /// A view of `columns` over the rows of a table that meet `conditions`.
  init(name: String, entity: String, columns: [Column], table: Table, conditions: [String] = []) {
    self.name = name
    self.entity = entity
    self.columns = columns
    parts = [Part(columns: columns, table: table, conditions: conditions)]
  }

  /// The rows of `one` and `other`, which have the same columns, as one view; equal rows count once.
  init(_ one: EntityView, union other: EntityView) {
    name = one.name
    entity = one.entity
    columns = one.columns
    parts = one.parts + other.parts
  }

  /// The same view under another name.
  func named(_ name: String) -> EntityView {
    var view = self
    view.name = name
    return view
  }

  /// The statement that reads the view where the store is attached as `schema`.
  private func select(in schema: String) -> String {
    parts.map { $0.select(in: schema) }.joined(separator: "\nUNION\n")
  }

  /// The view as a relation in parentheses.
  package func relation(in schema: String) -> String { "(\(select(in: schema)))" }

  /// The statement that makes the view on a connection where the store is attached as `schema`.
  func creation(in schema: String) -> String {
    "CREATE TEMP VIEW \(name.quotedName) AS \(select(in: schema))"
  }

  /// The statement that makes an empty table of the same columns.
  ///
  /// Without row numbers, as a view has none either: SQLite takes them for NULL there and says nothing.
  /// Behind its columns are those that `twin` names.
  func outline(_ twin: (Column) -> String?) -> String {
    let names = (columns.map(\.name) + columns.compactMap(twin)).map(\.quotedName)
    let key = names.first ?? "_"
    return """
      CREATE TEMP TABLE \(name.quotedName) (\(names.joined(separator: ", ")), \
      PRIMARY KEY (\(key))) WITHOUT ROWID
      """
  }

  /// The names a person knows the columns by: without those that every view has.
  var propertyNames: [String] {
    columns.map(\.name).filter { $0 != EntityView.key && $0 != EntityView.entityName }
  }

  /// The column with the object's key.
  package static let key = "_id"
  /// The column with the name of the object's own entity.
  package static let entityName = "_entity"
}

/// What the values of a column of a result are.
public struct ColumnType: Sendable, Hashable {
  /// The type of the attribute they belong to.
  public var attribute: AttributeType
  /// Whether a value may lie in a file of its own.
  public var isExternal: Bool
}

/// Hands out names, no two of which are alike: SQLite does not tell small letters from capitals.
package struct DistinctNames {
  private var taken: Set<String> = []

  package init() {}

  /// Returns `name`, or `name (2)` and so on where it is taken; `separator` and `end` stand around the number.
  package mutating func claim(_ name: String, separator: String = " (", end: String = ")") -> String {
    var candidate = name
    var number = 1
    while !taken.insert(candidate.lowercased()).inserted {
      number += 1
      candidate = "\(name)\(separator)\(number)\(end)"
    }
    return candidate
  }

  /// Returns whether `name` was free, and takes it.
  package mutating func take(_ name: String) -> Bool { taken.insert(name.lowercased()).inserted }
}
