package import DecantBase
internal import DecantSQLite

extension Relation {
  /// Returns the links in `column` as a link table: one row for each object with a link, in the direction of
  /// `relationship`.
  ///
  /// - Parameters:
  ///   - column: The column with the key of the object at the other end.
  ///   - relationship: The relationship in the direction of the rows.
  ///   - inverse: Its inverse, if there is one.
  ///   - isOwner: Whether the table's objects are the targets, and the column contains their owner.
  ///   - position: The position of the table's object in the list of the other, if that is ordered.
  /// - Returns: The links; `nil` if the objects have no integer keys.
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

  /// Returns the statement that clears the links in `column` of the rows that meet `condition`, with the columns that
  /// describe these links further.
  package func clearing(_ column: RelationColumn, in schema: String, where condition: String) -> String {
    let cleared = [column] + columns.filter { $0.isCompanion(of: column) }
    let sets = cleared.map { "\($0.name.sqlName) = NULL" }.joined(separator: ", ")
    return "UPDATE \(sqlTable(in: schema)) SET \(sets) WHERE \(condition)"
  }
}
