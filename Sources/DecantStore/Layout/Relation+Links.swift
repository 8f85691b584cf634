package import DecantBase

extension Relation {
  /// The links in `column` as a table of links: a row for each object that has one, in the direction of `relationship`.
  ///
  /// - Parameters:
  ///   - column: Where the key of the object at the other end lies.
  ///   - relationship: The relationship in whose direction the rows are read.
  ///   - inverse: The one that leads back, if there is one.
  ///   - isOwner: Whether the objects of the table are what the relationship leads to, and the column holds its owner.
  ///   - position: The place of the table's object in the list of the other, where that is ordered.
  /// - Returns: The links; `nil` where no integer names the objects.
  package func links(
    in column: RelationColumn,
    as relationship: Property,
    inverse: Property?,
    isOwner: Bool,
    position: String?
  ) -> LinkRelation? {
    guard let keyColumn, let other = column.targetRoot else { return nil }
    var links = LinkRelation(
      relationship: relationship,
      inverse: inverse,
      table: table,
      ownerColumn: isOwner ? column.name : keyColumn,
      targetColumn: isOwner ? keyColumn : column.name,
      ownerRoot: isOwner ? other : root,
      targetRoot: isOwner ? root : other,
      positionColumn: isOwner ? position : nil,
      inversePositionColumn: isOwner ? nil : position
    )
    links.condition = "\(value(of: column)) IS NOT NULL"
    return links
  }
}
