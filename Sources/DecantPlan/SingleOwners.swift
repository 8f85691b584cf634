package import DecantBase
internal import DecantStore
package import DecantSQLite

extension CopyPlan {
  /// Throws if an object is in the lists of two owners, and the destination allows only one.
  package func checkSingleOwners(on connection: Connection, place: String) throws(DecantError) {
    for links in singleOwners {
      let (name, target) = (links.relationship.description, links.targetColumn.sqlName)
      let key = try explaining("cannot read the links \(name)") { () throws(SQLiteError) in
        try connection.integer(
          """
          SELECT \(target) FROM \(links.sqlTable(in: CopySession.source)) WHERE \(target) IS NOT NULL
          GROUP BY \(target) HAVING count(*) > 1 LIMIT 1
          """
        )
      }
      guard let key else { continue }
      throw DecantError(
        .modelsDiffer,
        "\(links.targetRoot) p\(key) is in \(name) of several objects, but only one is allowed",
        place: "“\(place)”, table \(links.table)",
        remedy: "delete the extra rows in a copy, or make the inverse of the relationship to-many"
      )
    }
  }
}
