package import DecantBase
package import DecantStore
package import DecantSQLite

extension CopyPlan {
  /// Throws if an object is in the lists of two owners, and the destination allows only one.
  package func checkSingleOwners(on connection: Connection, place: String) throws(DecantError) {
    for links in singleOwners { try links.checkSingleOwners(in: CopySession.source, on: connection, place: place) }
  }
}

extension LinkRelation {
  /// Throws if an object has two owners, naming it, its owners and a query for all such objects.
  ///
  /// - Parameters:
  ///   - schema: The schema of the attached store.
  ///   - connection: The connection.
  ///   - place: The store, for errors.
  /// - Throws: `DecantError` of the family `.modelMismatch`.
  package func checkSingleOwners(in schema: String, on connection: Connection, place: String) throws(DecantError) {
    let (owner, target) = (ownerColumn.sqlName, targetColumn.sqlName)
    var (count, first): (Int64, String?) = (0, nil)
    try explaining("cannot read the links \(relationship)") { () throws(SQLiteError) in
      try connection.forEachRow(
        """
        SELECT \(target), min(\(owner)), max(\(owner)) FROM \(sqlTable(in: schema)) WHERE \(target) IS NOT NULL
        GROUP BY \(target) HAVING count(*) > 1
        """
      ) { row in
        count += 1
        if first == nil {
          first =
            "\(targetRoot) p\(row.integer(at: 0)) is in \(relationship) of p\(row.integer(at: 1)) and p\(row.integer(at: 2))"
        }
      }
    }
    guard let first else { return }
    throw DecantError(
      .modelsDiffer,
      first + ", but an object may be in one such list only" + (count > 1 ? "; \(count) objects are in several" : ""),
      place: "“\(place)”, table \(table)",
      remedy:
        "delete all rows of such an object but one; SELECT \(target) FROM \(table.sqlName) GROUP BY \(target) HAVING "
        + "count(*) > 1 lists them. Or make the inverse of the relationship to-many"
    )
  }
}
