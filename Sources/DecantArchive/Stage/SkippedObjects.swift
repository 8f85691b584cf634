internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The objects of a file of rejects that are not taken from it, and what has to wait for them.
///
/// An object that came without what it leads to would lack that link for good: what is there already is not
/// taken again when the file was mended. One that came without what belongs to it might not be known again, and come
/// twice.
final class SkippedObjects {
  private let connection: Connection
  private let ownerInsertion: Statement
  /// The objects that are not taken, by table, and the links of those that are there.
  ///
  /// A link is numbered by its place among the ends of the entity that is noted. Where that is negative, what belongs
  /// to an object is not taken, and -1 is the first of its ends.
  private let reach: Reach

  /// What objects that are not there belong to: `link` is the place among the ends of `entity`.
  private static let owners = "temp.skipped_owner"
  /// The objects that have to wait, with the link for which they do.
  private static let late = "temp.skipped_late"

  init(on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    reach = try Reach("skipped", on: connection)
    for (table, columns) in [
      (SkippedObjects.owners, "entity TEXT, key INTEGER, link INTEGER, owner INTEGER"),
      (
        SkippedObjects.late,
        "place TEXT, key INTEGER, entity INTEGER, link INTEGER, end_key INTEGER, PRIMARY KEY (place, key)"
      ),
    ] {
      try connection.run("CREATE TABLE \(table) (\(columns))")
    }
    ownerInsertion = try connection.prepare("INSERT INTO \(SkippedObjects.owners) VALUES (?1, ?2, ?3, ?4)")
  }

  /// Notes an object that is not there.
  ///
  /// - Parameters:
  ///   - key: Its key.
  ///   - entity: The object's.
  ///   - owners: What it belongs to: places among the entity's ends, and keys.
  /// - Throws: `SQLiteError`.
  func note(_ key: Int64?, of entity: StagedEntity, owners: [(place: Int, key: Int64)]) throws(SQLiteError) {
    guard let key else { return }
    try reach.start.run(.text(entity.table), .integer(key))
    for owner in owners {
      try ownerInsertion.run(.text(entity.name), .integer(key), .integer(Int64(owner.place)), .integer(owner.key))
    }
  }

  /// Takes out what leads to an object that is not taken, and what must not be without one that is not there.
  ///
  /// - Parameters:
  ///   - entities: Those of the store.
  ///   - skipped: Where each is reported.
  /// - Throws: `SQLiteError`.
  func settle(_ entities: [StagedEntity], into skipped: inout SkippedRejects) throws(SQLiteError) {
    let entities = entities.filter { $0.key != nil }
    for (number, entity) in entities.enumerated() {
      for (place, link) in entity.ends.enumerated() where link.isRequired && link.list == nil {
        try findLoose(entity, number, link, place, &skipped)
      }
    }
    guard try connection.integer("SELECT 1 FROM \(reach.objects) LIMIT 1") != nil else { return }
    for (number, entity) in entities.enumerated() {
      for (place, link) in entity.ends.enumerated() {
        try follow(entity, number, link, place)
        if link.isOwner { try followBack(entity, number, link, place) }
      }
    }
    try reach.spread()
    try connection.run(
      """
      INSERT OR IGNORE INTO \(SkippedObjects.late)
      SELECT l.root, l.key, l.note, l.link, l.end_key \(reach.followed) ORDER BY l.link < 0, l.link, o.step
      """
    )
    try tell(
      entities,
      "entity, key, link, end_key FROM \(SkippedObjects.late) ORDER BY entity, key",
      "which was skipped",
      &skipped
    )
    try remove(entities)
  }

  /// The rows of `entity` as `h`, those apart that only stand for objects elsewhere.
  private func rows(_ entity: StagedEntity, _ conditions: [String]) -> String {
    let key = "h.\((entity.key ?? "").sqlName)"
    let all = ["\(key) < \(ReferenceStubs.firstKey)", entity.condition] + conditions
    return "FROM main.\(entity.table.sqlName) AS h WHERE "
      + all.compactMap(\.self).joined(separator: " AND ")
  }

  /// Finds objects whose link leads to nothing that the file has, or had.
  private func findLoose(
    _ entity: StagedEntity,
    _ number: Int,
    _ link: StagedLink,
    _ place: Int,
    _ skipped: inout SkippedRejects
  ) throws(SQLiteError) {
    let value = "h.\(link.column.sqlName)"
    let rows = rows(
      entity,
      [
        "\(value) IS NOT NULL",
        "NOT EXISTS (SELECT 1 FROM main.\(link.target.sqlName) AS t "
          + "WHERE t.\(link.targetKey.sqlName) = \(value))",
        "\(value) NOT IN \(reach.keys(of: link.target))",
      ]
    )
    let key = "h.\((entity.key ?? "").sqlName)"
    try tell(
      [entity],
      "0, \(key), \(place), \(value) \(rows) ORDER BY 2",
      "which is not in the file, and the link is required",
      &skipped
    )
    // What leads to them waits as well; they are taken out with it.
    try reach.begin(at: "SELECT \(entity.table.sqlText), \(key) \(rows)")
  }

  /// Notes where the links lead.
  private func follow(_ entity: StagedEntity, _ number: Int, _ link: StagedLink, _ place: Int) throws(SQLiteError) {
    let key = "h.\((entity.key ?? "").sqlName)"
    var (value, source) = ("h.\(link.column.sqlName)", rows(entity, []))
    if let list = link.list {
      value = "l.\(link.column.sqlName)"
      source =
        "FROM main.\(list.table.sqlName) AS l CROSS JOIN (SELECT h.* \(source)) AS h "
        + "ON \(key) = l.\(list.owner.sqlName) WHERE 1"
    }
    try reach.add(
      """
      SELECT \(link.target.sqlText), \(value), \(entity.table.sqlText), \(key), \(place), \(number)
      \(source) AND typeof(\(value)) = 'integer' AND \(value) < \(ReferenceStubs.firstKey)
      """
    )
  }

  /// Notes to what the objects belong, which waits for them.
  private func followBack(_ entity: StagedEntity, _ number: Int, _ link: StagedLink, _ place: Int) throws(SQLiteError) {
    let value = "h.\(link.column.sqlName)"
    let (end, owner) = (entity.table.sqlText, link.target.sqlText)
    let isThere = "IN (SELECT \(link.targetKey.sqlName) FROM main.\(link.target.sqlName))"
    try reach.add(
      """
      SELECT \(end), h.\((entity.key ?? "").sqlName), \(owner), \(value), \(-1 - place), \(number)
      \(rows(entity, ["\(value) < \(ReferenceStubs.firstKey)", "\(value) \(isThere)"]))
      UNION ALL SELECT \(end), key, \(owner), owner, \(-1 - place), \(number) FROM \(SkippedObjects.owners)
      WHERE entity = \(entity.name.sqlText) AND link = \(place) AND owner \(isThere)
      """
    )
  }

  /// Tells of objects, each a row of number of the entity, key, number of the link and where that leads.
  private func tell(
    _ entities: [StagedEntity],
    _ rows: String,
    _ why: String,
    _ skipped: inout SkippedRejects
  ) throws(SQLiteError) {
    let rows = try connection.prepare("SELECT \(rows)")
    while try rows.step() {
      let entity = entities[Int(rows.integer(at: 0))]
      let place = Int(rows.integer(at: 2))
      guard place >= 0 else {
        skipped.note(
          "\(entity.ends[-1 - place].destination) p\(rows.integer(at: 1))",
          RejectCode.link.message("\(entity.name) p\(rows.integer(at: 3)), which belongs to it, was skipped")
        )
        continue
      }
      let link = entity.ends[place]
      skipped.note(
        "\(entity.name) p\(rows.integer(at: 1))",
        RejectCode.link.message("its link \(link.name) points to \(link.destination) p\(rows.integer(at: 3)), \(why)")
      )
    }
  }

  /// Takes out the objects, and the lists of all that are not taken.
  private func remove(_ entities: [StagedEntity]) throws(SQLiteError) {
    var done: Set<String> = []
    for entity in entities {
      for link in entity.ends {
        guard let list = link.list, done.insert("\(list.table).\(entity.table)").inserted else {
          continue
        }
        try connection.run(
          "DELETE FROM main.\(list.table.sqlName) WHERE \(list.owner.sqlName) IN \(reach.keys(of: entity.table))"
        )
      }
    }
    for entity in entities where done.insert(entity.table).inserted {
      try connection.run(
        "DELETE FROM main.\(entity.table.sqlName) WHERE \((entity.key ?? "").sqlName) IN \(reach.keys(of: entity.table))"
      )
    }
  }
}
