internal import SQLite

/// The links of one relationship, wherever a store keeps them: rows with the key of a holder and that of a target.
///
/// A relationship between two ends is one link or, where both ends have a column, two. Whoever follows, counts or
/// compares links asks for these and need not know where they lie.
public struct Link: Sendable, Hashable {
  /// Where a store keeps links.
  public enum Storage: Sendable, Hashable {
    /// In a column of the holder: a to-one relationship, or a key that is a link.
    case column(RelationColumn)
    /// In a column of the target: a to-many relationship without inverse.
    case otherSide(RelationColumn)
    /// In a table of their own.
    case table(LinkRelation)
  }

  /// The relationship that leads from holder to target, by the entity that declares it.
  public var relationship: Property
  /// The relationship that leads back, where the store knows it.
  public var inverse: Property?
  /// The root entity of the objects that hold the links.
  public var holder: String
  /// The root entity of the objects that they lead to.
  public var target: String
  /// Where they lie.
  public var storage: Storage
  /// The holder's key as SQL over the rows.
  public var holderKey: String
  /// The target's key as SQL over the rows; NULL where a row holds no link.
  public var targetKey: String
  /// The column with the target's place in the holder's list, where that is ordered.
  public var position: String?
  /// The column with the holder's place in the target's list, where that is ordered.
  public var inversePosition: String?
  /// Conditions, as SQL over the rows, under which a row is a link.
  public var conditions: [String] = []

  /// The table that holds the rows, unquoted, without schema.
  public private(set) var table: String
  private var schema: String?

  /// Whether both ends are one relationship, so that a row stands for a pair without direction.
  public var isReflexive: Bool {
    if case .table(let links) = storage { links.isReflexive } else { false }
  }

  /// Whether it is a key that leads to the same object in another table.
  public var isKey: Bool {
    if case .column(let column) = storage { column.meaning.isKey } else { false }
  }

  /// The table that holds the rows as SQL names it, of a store that is attached as `schema`.
  public func sqlTable(in schema: String) -> String {
    "\((self.schema ?? schema).sqlName).\(table.sqlName)"
  }

  /// The rows as a SELECT of `owner`, `target` and `position`, of a store that is attached as `schema`.
  ///
  /// A pair without direction is two rows.
  public func rows(in schema: String) -> String {
    func select(_ owner: String, _ target: String, _ position: String?) -> String {
      SelectStatement(
        columns: [
          "\(owner) AS owner", "\(target) AS target",
          "\(position?.sqlName ?? "NULL") AS position",
        ],
        source: sqlTable(in: schema),
        conditions: conditions
      ).sql
    }
    let there = select(holderKey, targetKey, position)
    return isReflexive ? "\(there)\nUNION\n\(select(targetKey, holderKey, position))" : there
  }

  /// The same links seen from the other end, where `relationship` leads from.
  ///
  /// - Parameter relationship: What they are called from there.
  /// - Returns: The links, with holder and target exchanged.
  public func reversed(as relationship: Property) -> Link {
    var link = self
    (link.holder, link.target) = (target, holder)
    (link.holderKey, link.targetKey) = (targetKey, holderKey)
    (link.position, link.inversePosition) = (inversePosition, position)
    (link.relationship, link.inverse) = (relationship, self.relationship)
    return link
  }
}

extension Layout {
  /// All links whose ends are named by integers: those in columns, table by table, then those in tables of their own.
  public var links: [Link] {
    relations.flatMap { relation in relation.columns.compactMap { Link($0, of: relation) } }
      + linkRelations.map(Link.init)
  }

  /// Returns the links of `relationship`; `nil` where the store has no place for them.
  ///
  /// - Parameters:
  ///   - relationship: By the entity that declares it.
  ///   - inverse: The one that leads back, by which a column at the other end is found.
  /// - Returns: The links in the direction of `relationship`.
  public func link(_ relationship: Property, inverse: Property? = nil) -> Link? {
    let links = links.filter { !$0.isKey }
    if let link = links.first(where: { $0.relationship == relationship }) { return link }
    let back = links.first {
      $0.inverse == relationship || inverse != nil && $0.relationship == inverse
    }
    return back?.reversed(as: relationship)
  }
}

extension Link {
  /// The links in `column`; `nil` for a column that holds none, or of objects that no integer names.
  fileprivate init?(_ column: RelationColumn, of relation: Relation) {
    guard relation.keyColumn != nil else { return nil }
    let (own, other) = (relation.keyName, relation.value(of: column))
    let target = column.targetRoot ?? relation.root
    (table, schema) = (relation.table, relation.schema)
    inverse = nil
    conditions = ["\(other) IS NOT NULL"]
    switch column.meaning {
    case .target(let property), .key(let property):
      guard !column.meaning.isKey || column.targetRoot != nil else { return nil }
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
