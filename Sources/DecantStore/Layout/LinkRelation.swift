package import DecantBase
internal import DecantSQLite

/// A link table: the links of one relationship.
package struct LinkRelation: Sendable, Hashable {
  /// The relationship in the direction of the rows: from owner to target.
  package var relationship: Property
  /// The inverse relationship, if there is one.
  package var inverse: Property?
  /// The table's name, unquoted, without schema.
  package var table: String
  /// The schema that always contains the table; `nil` for the one of the attached store.
  package var schema: String?
  /// The column of the owner's key.
  package var ownerColumn: String
  /// The column of the target's key.
  package var targetColumn: String
  /// The root entity whose keys are in `ownerColumn`.
  package var ownerRoot: String
  /// The root entity whose keys are in `targetColumn`.
  package var targetRoot: String
  /// The column with the target's position in the owner's list, if that is ordered.
  package var positionColumn: String?
  /// The column with the owner's position in the target's list, if that is ordered.
  package var inversePositionColumn: String?
  /// Whether both ends are the same relationship, so that a row is an undirected pair.
  package var isReflexive: Bool
  /// The SQL condition on the rows that are links; `nil` if all are.
  package var condition: String?
  /// The name of its rowid; `nil` for a table without rowids, whose primary key consists of the two ends, the owner
  /// first.
  package var rowID: String? = "rowid"
  /// Whether a row with a dangling end stays unchanged if it cannot lead to another object.
  package var keepsUnresolvedKeys = false

  /// Describes a link table in the direction of `relationship`, by default without order.
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

  /// Returns the table's SQL name in a store that is attached as `schema`.
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
