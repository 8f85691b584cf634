internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// A mark in the store that the bare keys of a place were changed for a copy.
///
/// A bare key does not say to which store it belongs: only the mark keeps a second run from treating new keys as old
/// ones. It is written in the transaction that changes the keys, in decant's own table.
struct RepointMark {
  static let table = OwnTables.repointMark
  private let connection: Connection
  /// The identification of the copy.
  private let copy: String

  init(copy: String, on connection: Connection) {
    self.copy = copy
    self.connection = connection
  }

  /// Whether `site` is marked.
  func isThere(for site: ReferenceSite) throws(DecantError) -> Bool {
    guard site.place.target != nil else { return false }
    return try explaining("cannot read the table \(RepointMark.table)") {
      () throws(SQLiteError) in
      guard try hasTable() else { return false }
      return try connection.integer(
        "SELECT 1 FROM main.\(RepointMark.table) WHERE attribute = ?1 AND copy = ?2",
        .text(name(of: site)),
        .text(copy)
      ) != nil
    }
  }

  /// Throws if a place that no longer exists was marked for the copy, since its keys may now be in `site`.
  ///
  /// A migration keeps marks, and may have renamed the attribute.
  func checkNames(for site: ReferenceSite) throws(DecantError) {
    guard site.place.target != nil else { return }
    let lost = try explaining("cannot read the table \(RepointMark.table)") {
      () throws(SQLiteError) -> String? in
      guard try hasTable() else { return nil }
      return try connection.text(
        """
        SELECT attribute FROM main.\(RepointMark.table) AS m WHERE copy = ?1 AND NOT EXISTS (
          SELECT 1 FROM main.sqlite_schema AS t CROSS JOIN pragma_table_info(t.name, 'main') AS c
          WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%' AND t.name || '.' || c.name = m.attribute)
        """,
        .text(copy)
      )
    }
    guard let lost else { return }
    throw DecantError(
      .conflict,
      "keys in \(lost) were already repointed for this copy, but \(lost) no longer exists: if they are now in "
        + "\(name(of: site)), they would be changed twice",
      place: "the table \(RepointMark.table) of the store",
      remedy: "if they are, there is nothing to do; otherwise delete the row of \(lost) from that table"
    )
  }

  /// Marks `site`.
  func write(for site: ReferenceSite) throws(DecantError) {
    try explaining("cannot write the table \(RepointMark.table)") { () throws(SQLiteError) in
      if try !hasTable() {
        try connection.run(
          """
          CREATE TABLE main.\(RepointMark.table)
            (attribute TEXT NOT NULL, copy TEXT NOT NULL, time TEXT NOT NULL, PRIMARY KEY (attribute, copy))
          """
        )
      }
      try connection.run(
        """
        INSERT OR REPLACE INTO main.\(RepointMark.table)
        VALUES (?1, ?2, strftime('%Y-%m-%dT%H:%M:%fZ'))
        """,
        .text(name(of: site)),
        .text(copy)
      )
    }
  }

  private func name(of site: ReferenceSite) -> String {
    "\(site.relation.table).\(site.column.name)"
  }

  private func hasTable() throws(SQLiteError) -> Bool {
    let columns = try connection.text(
      "SELECT group_concat(name) FROM pragma_table_info(?1, 'main')",
      .text(RepointMark.table)
    )
    guard let columns else { return false }
    guard columns == "attribute,copy,time" else {
      throw SQLiteError(
        code: SQLiteError.corruptCode,
        message: "a table with that name exists, but decant did not create it"
      )
    }
    return true
  }
}
