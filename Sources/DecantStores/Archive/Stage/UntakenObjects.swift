internal import Decant
internal import SQLite

/// The objects of a file of rejects that are not taken from it, and what has to wait for them.
///
/// An object that came without what it leads to would lack that link for good: what is there already is not
/// taken again when the file was mended. One that came without what belongs to it might not be known again, and come
/// twice.
final class UntakenObjects {
  private let connection: Connection
  private let insertion: Statement
  private let ownerInsertion: Statement

  /// The keys of objects that are not taken, by table.
  private static let table = "temp.untaken"
  /// Links of objects that are there: from their ends to those that hold them.
  private static let edges = "temp.untaken_edge"
  /// What objects that are not there belong to: `link` is the place among the ends of `entity`.
  private static let owners = "temp.untaken_owner"
  /// The objects that have to wait, with the link for which they do; where it is negative, what belongs to them is not
  /// taken, and -1 is the first of its ends.
  private static let late = "temp.untaken_late"

  init(on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    for (table, columns) in [
      (UntakenObjects.table, "place TEXT, key INTEGER, PRIMARY KEY (place, key)"),
      (
        UntakenObjects.edges,
        "end_place TEXT, end_key INTEGER, place TEXT, key INTEGER, entity INTEGER, link INTEGER"
      ),
      (UntakenObjects.owners, "entity TEXT, key INTEGER, link INTEGER, owner INTEGER"),
      (
        UntakenObjects.late,
        "place TEXT, key INTEGER, entity INTEGER, link INTEGER, end_key INTEGER, PRIMARY KEY (place, key)"
      ),
    ] {
      try connection.run("CREATE TABLE \(table) (\(columns))")
    }
    insertion = try connection.prepare(
      "INSERT OR IGNORE INTO \(UntakenObjects.table) VALUES (?1, ?2)"
    )
    ownerInsertion = try connection.prepare(
      "INSERT INTO \(UntakenObjects.owners) VALUES (?1, ?2, ?3, ?4)"
    )
  }

  /// Notes an object that is not there.
  ///
  /// - Parameters:
  ///   - key: Its key.
  ///   - entity: The object's.
  ///   - owners: What it belongs to: places among the entity's ends, and keys.
  /// - Throws: `SQLiteError`.
  func note(_ key: Int64?, of entity: StagedEntity, owners: [(place: Int, key: Int64)])
    throws(SQLiteError)
  {
    guard let key else { return }
    try insertion.run(.text(entity.table), .integer(key))
    for owner in owners {
      try ownerInsertion.run(
        .text(entity.name),
        .integer(key),
        .integer(Int64(owner.place)),
        .integer(owner.key)
      )
    }
  }

  /// Takes out what leads to an object that is not taken, and what must not be without one that is not there.
  ///
  /// - Parameters:
  ///   - entities: Those of the store.
  ///   - untaken: Where each is told.
  /// - Throws: `SQLiteError`.
  func settle(_ entities: [StagedEntity], into untaken: inout UntakenRejects) throws(SQLiteError) {
    let entities = entities.filter { $0.key != nil }
    for (number, entity) in entities.enumerated() {
      for (place, link) in entity.ends.enumerated() where link.isRequired && link.list == nil {
        try findLoose(entity, number, link, place, &untaken)
      }
    }
    let count = try connection.integer("SELECT count(*) FROM \(UntakenObjects.table)") ?? 0
    guard count > 0 else { return }
    for (number, entity) in entities.enumerated() {
      for (place, link) in entity.ends.enumerated() {
        try follow(entity, number, link, place)
        if link.isOwner { try followBack(entity, number, link, place) }
      }
    }
    try spread()
    try tell(
      entities,
      "entity, key, link, end_key FROM \(UntakenObjects.late) ORDER BY entity, key",
      "which was not taken",
      &untaken
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
    _ untaken: inout UntakenRejects
  ) throws(SQLiteError) {
    let value = "h.\(link.column.sqlName)"
    let rows = rows(
      entity,
      [
        "\(value) IS NOT NULL",
        "NOT EXISTS (SELECT 1 FROM main.\(link.target.sqlName) AS t "
          + "WHERE t.\(link.targetKey.sqlName) = \(value))",
        "NOT EXISTS (SELECT 1 FROM \(UntakenObjects.table) AS u "
          + "WHERE u.place = \(link.target.sqlText) AND u.key = \(value))",
      ]
    )
    let key = "h.\((entity.key ?? "").sqlName)"
    try tell(
      [entity],
      "0, \(key), \(place), \(value) \(rows) ORDER BY 2",
      "which is not in the file, and must not be empty",
      &untaken
    )
    // What leads to them waits as well; they are taken out with it.
    try connection.run(
      "INSERT OR IGNORE INTO \(UntakenObjects.table) SELECT \(entity.table.sqlText), \(key) \(rows)"
    )
  }

  /// Notes where the links lead.
  private func follow(_ entity: StagedEntity, _ number: Int, _ link: StagedLink, _ place: Int)
    throws(SQLiteError)
  {
    let key = "h.\((entity.key ?? "").sqlName)"
    var (value, source) = ("h.\(link.column.sqlName)", rows(entity, []))
    if let list = link.list {
      value = "l.\(link.column.sqlName)"
      source =
        "FROM main.\(list.table.sqlName) AS l CROSS JOIN (SELECT h.* \(source)) AS h "
        + "ON \(key) = l.\(list.owner.sqlName) WHERE 1"
    }
    try connection.run(
      """
      INSERT INTO \(UntakenObjects.edges)
      SELECT \(link.target.sqlText), \(value), \(entity.table.sqlText), \(key), \(number), \(place)
      \(source) AND typeof(\(value)) = 'integer' AND \(value) < \(ReferenceStubs.firstKey)
      """
    )
  }

  /// Notes to what the objects belong, which waits for them.
  private func followBack(_ entity: StagedEntity, _ number: Int, _ link: StagedLink, _ place: Int)
    throws(SQLiteError)
  {
    let value = "h.\(link.column.sqlName)"
    let (end, owner) = (entity.table.sqlText, link.target.sqlText)
    let isThere = "IN (SELECT \(link.targetKey.sqlName) FROM main.\(link.target.sqlName))"
    try connection.run(
      """
      INSERT INTO \(UntakenObjects.edges)
      SELECT \(end), h.\((entity.key ?? "").sqlName), \(owner), \(value), \(number), \(-1 - place)
      \(rows(entity, ["\(value) < \(ReferenceStubs.firstKey)", "\(value) \(isThere)"]))
      UNION ALL SELECT \(end), key, \(owner), owner, \(number), \(-1 - place) FROM \(UntakenObjects.owners)
      WHERE entity = \(entity.name.sqlText) AND link = \(place) AND owner \(isThere)
      """
    )
  }

  /// Finds all that leads to what is not taken, and what leads to that.
  private func spread() throws(SQLiteError) {
    try connection.run("CREATE INDEX temp.untaken_end ON untaken_edge (end_place, end_key)")
    try connection.run(
      """
      INSERT OR IGNORE INTO \(UntakenObjects.late)
      WITH RECURSIVE lost (place, key) AS (
        SELECT place, key FROM \(UntakenObjects.table)
        UNION
        SELECT e.place, e.key FROM lost CROSS JOIN \(UntakenObjects.edges) AS e
        ON e.end_place = lost.place AND e.end_key = lost.key
      )
      SELECT e.place, e.key, e.entity, e.link, e.end_key FROM lost CROSS JOIN \(UntakenObjects.edges) AS e
      ON e.end_place = lost.place AND e.end_key = lost.key
      WHERE NOT EXISTS (SELECT 1 FROM \(UntakenObjects.table) AS u WHERE u.place = e.place AND u.key = e.key)
      ORDER BY e.link < 0, e.link
      """
    )
    try connection.run(
      "INSERT OR IGNORE INTO \(UntakenObjects.table) SELECT place, key FROM \(UntakenObjects.late)"
    )
  }

  /// Tells of objects, each a row of number of the entity, key, number of the link and where that leads.
  private func tell(
    _ entities: [StagedEntity],
    _ rows: String,
    _ why: String,
    _ untaken: inout UntakenRejects
  ) throws(SQLiteError) {
    let rows = try connection.prepare("SELECT \(rows)")
    while try rows.step() {
      let entity = entities[Int(rows.integer(at: 0))]
      let place = Int(rows.integer(at: 2))
      guard place >= 0 else {
        untaken.note(
          "\(entity.ends[-1 - place].destination) p\(rows.integer(at: 1))",
          RejectCode.link.message(
            "\(entity.name) p\(rows.integer(at: 3)), which belongs to it, was not taken"
          )
        )
        continue
      }
      let link = entity.ends[place]
      untaken.note(
        "\(entity.name) p\(rows.integer(at: 1))",
        RejectCode.link.message(
          "its link \(link.name) leads to \(link.destination) p\(rows.integer(at: 3)), \(why)"
        )
      )
    }
  }

  /// Takes out the objects, and the lists of all that are not taken.
  private func remove(_ entities: [StagedEntity]) throws(SQLiteError) {
    func keys(_ table: String) -> String {
      "(SELECT key FROM \(UntakenObjects.table) WHERE place = \(table.sqlText))"
    }
    var done: Set<String> = []
    for entity in entities {
      for link in entity.ends {
        guard let list = link.list, done.insert("\(list.table).\(entity.table)").inserted else {
          continue
        }
        try connection.run(
          "DELETE FROM main.\(list.table.sqlName) WHERE \(list.owner.sqlName) IN \(keys(entity.table))"
        )
      }
    }
    for entity in entities where done.insert(entity.table).inserted {
      try connection.run(
        "DELETE FROM main.\(entity.table.sqlName) WHERE \((entity.key ?? "").sqlName) IN \(keys(entity.table))"
      )
    }
  }
}
