package import DecantBase
internal import DecantSQLite

/// The links of one relationship, independent of storage: rows with the key of a holder and that of a target.
///
/// A relationship with a column at each end is two links, any other is one. Code that follows, counts or compares links
/// uses this type, and does not depend on their storage.
package struct Link: Sendable, Hashable {
  /// The storage of links.
  package enum Storage: Sendable, Hashable {
    /// A column of the holder: a to-one relationship, or a key that is a link.
    case column(RelationColumn)
    /// A column of the target: a to-many relationship without inverse.
    case otherSide(RelationColumn)
    /// A table of their own.
    case table(LinkRelation)
  }

  /// The relationship from holder to target, with the entity that declares it.
  package var relationship: Property
  /// The inverse relationship, if the store knows it.
  package var inverse: Property?
  /// The root entity of the objects that hold the links.
  package var holder: String
  /// The root entity of the targets.
  package var target: String
  /// The storage of the links.
  package var storage: Storage
  /// The holder's key as SQL on the rows.
  package var holderKey: String
  /// The target's key as SQL on the rows; NULL in a row without link.
  package var targetKey: String
  /// The column with the target's position in the holder's list, if that is ordered.
  package var position: String?
  /// The column with the holder's position in the target's list, if that is ordered.
  package var inversePosition: String?
  /// The SQL conditions on the rows that are links.
  package var conditions: [String] = []

  /// The table with the rows, unquoted, without schema.
  package private(set) var table: String
  private var schema: String?

  /// A column of the rows that contains keys of objects.
  package struct End: Sendable, Hashable {
    /// The root entity of these objects.
    package var root: String
    /// The column's name.
    package var column: String
    /// The key as SQL on the rows; NULL in a row without link.
    package var key: String
  }

  /// The columns that contain keys: one if the row itself is an object, two in a link table.
  package var ends: [End] {
    switch storage {
    case .column(let column): [End(root: target, column: column.name, key: targetKey)]
    case .otherSide(let column): [End(root: holder, column: column.name, key: holderKey)]
    case .table(let links):
      [
        End(root: links.ownerRoot, column: links.ownerColumn, key: links.ownerColumn.sqlName),
        End(root: links.targetRoot, column: links.targetColumn, key: links.targetColumn.sqlName),
      ]
    }
  }

  /// Whether the links have a table of their own.
  package var isTable: Bool { if case .table = storage { true } else { false } }

  /// The name of the rowid in the table of the links; `nil` if they are in a column, or the table has no rowid.
  package var rowID: String? { if case .table(let links) = storage { links.rowID } else { nil } }

  /// Whether the links are in a column of their holder.
  package var isColumn: Bool { if case .column = storage { true } else { false } }

  /// Whether both ends are the same relationship, so that a row is an undirected pair.
  package var isReflexive: Bool {
    if case .table(let links) = storage { links.isReflexive } else { false }
  }

  /// Whether the link is a key that leads to the same object in another table.
  package var isKey: Bool {
    if case .column(let column) = storage { column.columnRole.isKey } else { false }
  }

  /// Returns the SQL name of the table with the rows in a store that is attached as `schema`.
  package func sqlTable(in schema: String) -> String {
    "\((self.schema ?? schema).sqlName).\(table.sqlName)"
  }

  /// Returns a SELECT of the rows as `owner`, `target` and `position`.
  ///
  /// - Parameters:
  ///   - schema: The schema of the attached store.
  ///   - place: The column with the order of the targets if the links have no positions.
  ///   - bothWays: Whether an undirected pair gives two rows.
  /// - Returns: The statement.
  package func rows(in schema: String, orderedBy place: String? = nil, bothWays: Bool = true) -> String {
    let place = (position ?? place)?.sqlName ?? "NULL"
    func select(_ owner: String, _ target: String) -> String {
      SelectStatement(
        columns: ["\(owner) AS owner", "\(target) AS target", "\(place) AS position"],
        source: sqlTable(in: schema),
        conditions: conditions
      ).sql
    }
    let there = select(holderKey, targetKey)
    return isReflexive && bothWays ? "\(there)\nUNION\n\(select(targetKey, holderKey))" : there
  }

  /// Returns the same links seen from the other end.
  ///
  /// - Parameter relationship: Their relationship from there.
  /// - Returns: The links, with holder and target exchanged.
  package func reversed(as relationship: Property) -> Link {
    var link = self
    (link.holder, link.target) = (target, holder)
    (link.holderKey, link.targetKey) = (targetKey, holderKey)
    (link.position, link.inversePosition) = (inversePosition, position)
    (link.relationship, link.inverse) = (relationship, self.relationship)
    return link
  }
}

extension Layout {
  /// All links to objects with integer keys: those in columns, table by table, then those in link tables.
  package var links: [Link] { linkIndex.links }

  /// Returns the links of `relationship`; `nil` if the store does not contain it.
  ///
  /// - Parameters:
  ///   - relationship: The relationship, with the entity that declares it.
  ///   - inverse: Its inverse, to find a column at the other end.
  /// - Returns: The links in the direction of `relationship`.
  package func link(_ relationship: Property, inverse: Property? = nil) -> Link? {
    linkIndex.link(relationship, inverse: inverse)
  }
}

extension Link {
  /// Creates the links in `column`; `nil` for a column without links.
  init?(_ column: RelationColumn, of relation: Relation) {
    let (own, other) = (relation.keyName, relation.value(of: column))
    let target = column.targetRoot ?? relation.root
    (table, schema) = (relation.table, relation.schema)
    inverse = nil
    // Rows without an integer key have the key NULL: they have links that `rows` cannot show.
    conditions = ["\(own) IS NOT NULL", "\(other) IS NOT NULL"]
    switch column.columnRole {
    case .target(let property), .key(let property):
      guard !column.columnRole.isKey || column.targetRoot != nil else { return nil }
      relationship = property
      (holder, holderKey) = (relation.root, own)
      (self.target, targetKey) = (target, other)
      storage = .column(column)
      inversePosition = relation.column(.position(property))?.name
    case .owner(let property):
      relationship = property
      (holder, holderKey) = (target, other)
      (self.target, targetKey) = (relation.root, own)
      storage = .otherSide(column)
      position = relation.column(.ownerPosition(property))?.name
    case .attribute, .targetEntity, .position, .ownerPosition, .unnamed, .revision: return nil
    }
  }

  init(_ links: LinkRelation) {
    relationship = links.relationship
    inverse = links.inverse
    (holder, holderKey) = (links.ownerRoot, links.ownerColumn.sqlName)
    (target, targetKey) = (links.targetRoot, links.targetColumn.sqlName)
    storage = .table(links)
    (position, inversePosition) = (links.positionColumn, links.inversePositionColumn)
    conditions = links.condition.map { ["(\($0))"] } ?? []
    (table, schema) = (links.table, links.schema)
  }
}
