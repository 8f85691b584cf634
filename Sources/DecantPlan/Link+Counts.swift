package import DecantBase
package import DecantStore
package import DecantSQLite

extension Layout {
  /// Returns the counts of links in a store, by relationship.
  ///
  /// A link is one pair of one relationship. For one-to-one relationships both ends are counted here;
  /// `Model.secondEnds` names those that a sum must omit.
  ///
  /// - Parameters:
  ///   - connection: The connection with the store as `source`.
  ///   - comparesValues: Whether links by values are counted, which requires the collations of their columns.
  /// - Returns: As `copied` the links between existing objects, as `dangling` the others.
  /// - Throws: `DecantError` if the store cannot be read.
  package func linkCounts(on connection: Connection, comparesValues: Bool) throws(DecantError) -> [String: LinkCounts] {
    var counts: [String: LinkCounts] = [:]
    for link in links where !link.isKey {
      counts[link.relationship.description] = try explaining("cannot count links") {
        () throws(SQLiteError) in
        let row = try connection.prepare(link.counting(in: CopySession.source, self))
        guard try row.step() else { return LinkCounts() }
        let (all, there) = (row.integer(at: 0), row.integer(at: 1))
        return LinkCounts(copied: there, dangling: all - there)
      }
    }
    guard comparesValues else { return counts }
    return counts.merging(try NonIntegerKeyTargets.counts(of: self, on: connection)) { $1 }
  }
}

extension Link {
  /// Returns a SELECT of the number of rows with a link, and of those with both ends.
  fileprivate func counting(in schema: String, _ layout: Layout) -> String {
    let columns = ends.enumerated().map { "\($1.key) AS end\($0)" }
    let isThere = ends.enumerated().map { number, end in
      guard let relation = layout.relation(of: end.root) else { return "0" }
      return
        "coalesce(end\(number) IN (SELECT \(relation.keyName) FROM \(relation.sqlTable(in: schema))), 0)"
    }
    let rows = SelectStatement(
      columns: columns,
      source: sqlTable(in: schema),
      conditions: isTable ? conditions : ends.map { "\($0.key) IS NOT NULL" }
    )
    return
      "SELECT count(*), coalesce(sum(\(isThere.joined(separator: " AND "))), 0) FROM (\(rows.sql))"
  }
}
