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
  /// Returns the number of owners of each object that has several, by its key.
  package func severalOwners(in schema: String, on connection: Connection) throws(DecantError) -> [Int64: Int64] {
    let target = targetColumn.sqlName
    return try explaining("cannot read the links \(relationship)") { () throws(SQLiteError) in
      var counts: [Int64: Int64] = [:]
      try connection.forEachRow(
        """
        SELECT \(target), count(*) FROM \(sqlTable(in: schema)) WHERE \(target) IS NOT NULL
        GROUP BY \(target) HAVING count(*) > 1
        """
      ) { row in counts[row.integer(at: 0)] = row.integer(at: 1) }
      return counts
    }
  }

  /// Throws if an object has two owners, naming it, its owners and a query for all such objects.
  ///
  /// - Parameters:
  ///   - schema: The schema of the attached store.
  ///   - connection: The connection.
  ///   - place: The store, for errors.
  ///   - home: The schema of the table in its store, for the query; `nil` if that has none.
  ///   - former: The objects that had several owners before, with their numbers, which only more owners violate.
  /// - Throws: `DecantError` of the family `.modelMismatch`.
  package func checkSingleOwners(
    in schema: String,
    on connection: Connection,
    place: String,
    home: String? = nil,
    former: [Int64: Int64] = [:]
  ) throws(DecantError) {
    let (owner, target) = (ownerColumn.sqlName, targetColumn.sqlName)
    var (count, first): (Int64, String?) = (0, nil)
    try explaining("cannot read the links \(relationship)") { () throws(SQLiteError) in
      try connection.forEachRow(
        """
        SELECT \(target), min(\(owner)), max(\(owner)), count(*) FROM \(sqlTable(in: schema)) WHERE \(target) IS NOT NULL
        GROUP BY \(target) HAVING count(*) > 1
        """
      ) { row in
        guard row.integer(at: 3) > former[row.integer(at: 0)] ?? 1 else { return }
        count += 1
        if first == nil {
          first =
            "\(targetRoot) p\(row.integer(at: 0)) is in \(relationship) of p\(row.integer(at: 1)) and p\(row.integer(at: 2))"
        }
      }
    }
    guard let first else { return }
    let (key, rows) = (targetColumn.quotedName, (home.map { "\($0.quotedName)." } ?? "") + table.quotedName)
    throw DecantError(
      .modelsDiffer,
      first + ", but an object may be in one such list only" + (count > 1 ? "; \(count) objects are in several" : ""),
      place: "“\(place)”, table \(table)",
      remedy:
        "delete all rows of such an object but one; SELECT \(key) FROM \(rows) WHERE \(key) IS NOT NULL GROUP BY \(key) "
        + "HAVING count(*) > 1 lists them" + (inverse == nil ? "" : ". Or make the inverse of the relationship to-many")
    )
  }
}
