internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// Proves that every changed reference has its new value and leads to an existing object.
struct RepointProof {
  let connection: Connection
  let resolver: ReferenceResolver
  /// The store's place, as given by the user.
  let place: String

  /// Reads the changed references of `site` back.
  func check(_ site: ReferenceSite, count: Int64, _ progress: (Int64) throws(DecantError) -> Void) throws(DecantError) {
    let value = site.column.name.sqlName(in: "o")
    let entity = site.entityColumn.map { $0.name.sqlName(in: "o") } ?? "NULL"
    let statement = try reading(site) { () throws(SQLiteError) in
      try connection.prepare(
        """
        SELECT w.row, \(value), coalesce(w.entity, \(entity)), \(value) IS w.value,
          w.entity IS NULL OR \(site.entityColumn == nil ? "1" : "\(entity) IS w.entity")
        FROM \(ReferenceWork.table) AS w
        JOIN \(site.table) AS o ON o.\(site.relation.keyName) = w.row
        WHERE w.site = \(site.number) ORDER BY w.row
        """
      )
    }
    var read: Int64 = 0
    while try reading(site, { () throws(SQLiteError) in try statement.step() }) {
      read += 1
      let key = statement.integer(at: 0)
      guard statement.integer(at: 3) == 1, statement.integer(at: 4) == 1 else {
        throw failure("\(site.object(key)) does not contain the written value", site)
      }
      let name = statement.text(at: 2, byteLimit: 1_000)
      guard try resolver.leads(statement, 1, entityName: name, at: site) else {
        throw failure("the reference of \(site.object(key)) has no target", site)
      }
      if read % 10_000 == 0 { try progress(10_000) }
    }
    guard read == count else {
      throw failure("only \(read) of \(count) changed references were found", site)
    }
  }

  private func reading<Result>(
    _ site: ReferenceSite,
    _ body: () throws(SQLiteError) -> Result
  ) throws(DecantError) -> Result {
    try explaining("cannot read \(site.place.property) again", body)
  }

  private func failure(_ what: String, _ site: ReferenceSite) -> DecantError {
    DecantError(
      .proofFailed,
      "the changes to “\(place)” could not be verified: \(what)",
      place: "\(site.place)",
      remedy:
        "nothing was changed; unless a trigger of the store or another program caused this, it is a bug in decant: "
        + "please report it"
    )
  }
}
