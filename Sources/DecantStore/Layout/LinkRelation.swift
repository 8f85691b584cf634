package import DecantBase
internal import DecantSQLite

/// The links of one relationship where they have a table of their own.
package struct LinkRelation: Sendable, Hashable {
  /// The relationship in whose direction the rows are read: from owner to target.
  package var relationship: Property
  /// The relationship that leads back, if there is one.
  package var inverse: Property?
  /// The table's name, unquoted, without schema.
  package var table: String
  /// The schema that always holds the table; `nil` for the one under which the store is attached.
  package var schema: String?
  /// The column that holds the owner's key.
  package var ownerColumn: String
  /// The column that holds the target's key.
  package var targetColumn: String
  /// The root entity whose keys are in `ownerColumn`.
  package var ownerRoot: String
  /// The root entity whose keys are in `targetColumn`.
  package var targetRoot: String
  /// The target's place in the owner's list, where that is ordered.
  package var positionColumn: String?
  /// The owner's place in the target's list, where that is ordered.
  package var inversePositionColumn: String?
  /// Whether both ends are one and the same relationship, so that a row stands for an undirected pair.
  package var isReflexive: Bool
  /// The condition, as SQL over the table, under which a row is a link; `nil` where all are.
  package var condition: String?
  /// The name by which its rowid can be asked for; `nil` for a table without rowids, whose primary key
  /// is made of the two ends, the owner first.
  package var rowID: String? = "rowid"
  /// Whether a row with an end that leads nowhere stays as it is, where it can lead to no other object.
  package var keepsUnresolvedKeys = false

  /// Describes a link table, read in the direction of `relationship`, without order at either end.
  package init(
    relationship: Property,
    inverse: Property?,
    table: String,
    ownerColumn: String,
    targetColumn: String,
    ownerRoot: String,
    targetRoot: String,
    positionColumn: String? = nil,
    inversePositionColumn: String? = nil,
    isReflexive: Bool = false
  ) {
    self.relationship = relationship
    self.inverse = inverse
    self.table = table
    self.ownerColumn = ownerColumn
    self.targetColumn = targetColumn
    self.ownerRoot = ownerRoot
    self.targetRoot = targetRoot
    self.positionColumn = positionColumn
    self.inversePositionColumn = inversePositionColumn
    self.isReflexive = isReflexive
  }

  /// The table as SQL names it, of a store that is attached as `schema`.
  package func sqlTable(in schema: String) -> String {
    "\((self.schema ?? schema).sqlName).\(table.sqlName)"
  }

  /// The same links seen from the other end.
  package var reversed: LinkRelation? {
    guard let inverse else { return nil }
    var reversed = LinkRelation(
      relationship: inverse,
      inverse: relationship,
      table: table,
      ownerColumn: targetColumn,
      targetColumn: ownerColumn,
      ownerRoot: targetRoot,
      targetRoot: ownerRoot,
      positionColumn: inversePositionColumn,
      inversePositionColumn: positionColumn,
      isReflexive: isReflexive
    )
    reversed.schema = schema
    reversed.rowID = rowID
    reversed.keepsUnresolvedKeys = keepsUnresolvedKeys
    return reversed
  }
}
