internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The objects of a file of rejects that are skipped, and the objects that depend on them.
///
/// An object imported without its target would lack that link for good, because existing objects are not imported again
/// after the file was repaired. An object imported without its parts might not be matched later, and be duplicated.
final class SkippedObjects {
  private let connection: Connection
  private let ownerInsertion: Statement
  /// The skipped objects by table, and the links of the others.
  ///
  /// A link is numbered by its position among the ends of its entity. A negative number is the reverse direction: an
  /// owner depends on a part of its identity; -1 is the first end.
  private let reach: Reach

  /// The owners of objects that were not inserted: `link` is the position among the ends of `entity`.
  private static let owners = "temp.skipped_owner"
  /// The objects that are skipped because of others, with the responsible link.
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

  /// Records an object that was not inserted.
  ///
  /// - Parameters:
  ///   - key: Its key.
  ///   - entity: Its entity.
  ///   - owners: Its owners: positions among the entity's ends, and keys.
  /// - Throws: `SQLiteError`.
  func note(_ key: Int64?, of entity: StagedEntity, owners: [(place: Int, key: Int64)]) throws(SQLiteError) {
    guard let key else { return }
    try reach.start.run(.text(entity.table), .integer(key))
    for owner in owners {
      try ownerInsertion.run(.text(entity.name), .integer(key), .integer(Int64(owner.place)), .integer(owner.key))
    }
  }

  /// Removes the objects that point to a skipped object, and those with a part that was skipped.
  ///
  /// - Parameters:
  ///   - entities: The entities of the store.
  ///   - skipped: Receives the removed objects.
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

  /// Returns the rows of `entity` as `h`, without stubs.
  private func rows(_ entity: StagedEntity, _ conditions: [String]) -> String {
    let key = "h.\((entity.key ?? "").sqlName)"
    let all = ["\(key) < \(ReferenceStubs.firstKey)", entity.condition] + conditions
    return "FROM main.\(entity.table.sqlName) AS h WHERE "
      + all.compactMap(\.self).joined(separator: " AND ")
  }

  /// Finds objects with a required link whose target is neither in the file nor rejected.
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
    // Objects that point to them are skipped as well; they are removed together.
    try reach.begin(at: "SELECT \(entity.table.sqlText), \(key) \(rows)")
  }

  /// Records the targets of the links.
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

  /// Records the owners of the objects, which are skipped together with them.
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

  /// Reports objects; each row has the number of the entity, the key, the number of the link and its target.
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

  /// Removes the objects, and the list links of all skipped objects.
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
