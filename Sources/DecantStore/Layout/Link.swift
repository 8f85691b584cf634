package import DecantBase
internal import DecantSQLite

/// The links of one relationship, wherever a store keeps them: rows with the key of a holder and that of a target.
///
/// A relationship whose two ends both have a column is two links, any other is one. Code that follows, counts or
/// compares links uses these, and does not depend on where they lie.
package struct Link: Sendable, Hashable {
  /// Where a store keeps links.
  package enum Storage: Sendable, Hashable {
    /// In a column of the holder: a to-one relationship, or a key that is a link.
    case column(RelationColumn)
    /// In a column of the target: a to-many relationship without inverse.
    case otherSide(RelationColumn)
    /// In a table of their own.
    case table(LinkRelation)
  }

  /// The relationship that leads from holder to target, by the entity that declares it.
  package var relationship: Property
  /// The relationship that leads back, where the store knows it.
  package var inverse: Property?
  /// The root entity of the objects that hold the links.
  package var holder: String
  /// The root entity of the objects that they lead to.
  package var target: String
  /// Where they lie.
  package var storage: Storage
  /// The holder's key as SQL over the rows.
  package var holderKey: String
  /// The target's key as SQL over the rows; NULL where a row holds no link.
  package var targetKey: String
  /// The column with the target's place in the holder's list, where that is ordered.
  package var position: String?
  /// The column with the holder's place in the target's list, where that is ordered.
  package var inversePosition: String?
  /// Conditions, as SQL over the rows, under which a row is a link.
  package var conditions: [String] = []

  /// The table that holds the rows, unquoted, without schema.
  package private(set) var table: String
  private var schema: String?

  /// A column of the rows that holds keys of objects.
  package struct End: Sendable, Hashable {
    /// The root entity of these objects.
    package var root: String
    /// The column's name.
    package var column: String
    /// The key as SQL over the rows; NULL where a row holds no link.
    package var key: String
  }

  /// The columns that hold keys: one beside the object that the row is, two in a table of links.
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

  /// Whether they have a table of their own.
  package var isTable: Bool { if case .table = storage { true } else { false } }

  /// Whether they lie in a column of their holder.
  package var isColumn: Bool { if case .column = storage { true } else { false } }

  /// Whether both ends are one relationship, so that a row stands for a pair without direction.
  package var isReflexive: Bool {
    if case .table(let links) = storage { links.isReflexive } else { false }
  }

  /// Whether it is a key that leads to the same object in another table.
  package var isKey: Bool {
    if case .column(let column) = storage { column.columnRole.isKey } else { false }
  }

  /// The table that holds the rows as SQL names it, of a store that is attached as `schema`.
  package func sqlTable(in schema: String) -> String {
    "\((self.schema ?? schema).sqlName).\(table.sqlName)"
  }

  /// The rows as a SELECT of `owner`, `target` and `position`.
  ///
  /// - Parameters:
  ///   - schema: The name under which the store is attached.
  ///   - place: The column that keeps the targets in order where the links themselves have no positions.
  ///   - bothWays: Whether a pair without direction is two rows.
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

  /// The same links seen from the other end, where `relationship` leads from.
  ///
  /// - Parameter relationship: What they are called from there.
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
  /// All links to objects that integers name: those in columns, table by table, then those in tables of their own.
  package var links: [Link] {
    relations.flatMap { relation in relation.columns.compactMap { Link($0, of: relation) } }
      + linkRelations.map { Link($0) }
  }

  /// Returns the links of `relationship`; `nil` where the store has no place for them.
  ///
  /// - Parameters:
  ///   - relationship: By the entity that declares it.
  ///   - inverse: The one that leads back, by which a column at the other end is found.
  /// - Returns: The links in the direction of `relationship`.
  package func link(_ relationship: Property, inverse: Property? = nil) -> Link? {
    if let link = columnLink(relationship) { return link }
    for links in linkRelations {
      if links.relationship == relationship { return Link(links) }
      if links.inverse == relationship { return Link(links).reversed(as: relationship) }
    }
    return inverse.flatMap(columnLink)?.reversed(as: relationship)
  }

  /// The links of `relationship` that lie in a column, of the holder or of the target.
  private func columnLink(_ relationship: Property) -> Link? {
    for relation in relations {
      if let column = relation.column(.target(relationship))
        ?? relation.column(.owner(relationship))
      {
        return Link(column, of: relation)
      }
    }
    return nil
  }
}

extension Link {
  /// The links in `column`; `nil` for a column that holds none.
  fileprivate init?(_ column: RelationColumn, of relation: Relation) {
    let (own, other) = (relation.keyName, relation.value(of: column))
    let target = column.targetRoot ?? relation.root
    (table, schema) = (relation.table, relation.schema)
    inverse = nil
    // Of rows that no integer names the key is NULL: they have links, and `rows` cannot show them.
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

  fileprivate init(_ links: LinkRelation) {
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
