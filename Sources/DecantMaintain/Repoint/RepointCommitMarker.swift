internal import DecantStore
internal import DecantSQLite

/// A changed reference, which is in the store only if the change was committed.
struct RepointCommitMarker {
  let site: ReferenceSite
  let key: Int64
  let value: Binding

  /// Chooses a reference; `nil` if nothing is changed.
  init?(_ sites: [ReferenceSite], on connection: Connection) throws(SQLiteError) {
    for site in sites {
      var found: (Int64, Binding)?
      try connection.forEachRow(
        "SELECT row, value FROM \(ReferenceWork.table) WHERE site = \(site.number) LIMIT 1"
      ) { row throws(SQLiteError) in
        found = (row.integer(at: 0), try row.exactValue(at: 1))
      }
      guard let found else { continue }
      self.site = site
      (key, value) = found
      return
    }
    return nil
  }

  /// Whether the store contains it.
  func isThere(on connection: Connection) throws(SQLiteError) -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM \(site.table)
      WHERE \(site.relation.keyName) = ?1 AND \(site.column.name.sqlName) IS ?2
      """,
      .integer(key),
      value
    ) != nil
  }
}
