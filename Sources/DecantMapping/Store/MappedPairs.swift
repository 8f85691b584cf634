internal import DecantBase
internal import DecantPlan
internal import DecantVersions
internal import DecantSQLite

/// Links of the source of which each object has one at most, by the key of one of their ends.
///
/// Where a link to one object is made of links that the source keeps elsewhere, with the other end or in a table of their
/// own: a table of SQLite's in the temporary database, which the view reads.
struct MappedPairs {
  /// The relationship of the source.
  let property: Property
  /// Whether they are asked for by what they lead to.
  let isReversed: Bool
  let tables: MappedTables

  private static let key = ".key"
  private static let other = ".other"

  private var name: String { "pairs \(isReversed ? "to" : "of") \(property)" }
  private var table: String { "temp.\(name.quotedName)" }

  /// The other end, as SQL, of the link of the object `key`; both are keys of the source.
  func end(of key: String) -> String {
    "(SELECT p.\"\(MappedPairs.other)\" FROM \(table) AS p WHERE p.\"\(MappedPairs.key)\" = \(key))"
  }

  /// All that the links of `tables` need.
  static func all(_ tables: MappedTables) -> [MappedPairs] {
    var pairs: [String: MappedPairs] = [:]
    for value in tables.roots.flatMap(\.parts).flatMap(\.values.values) {
      guard case .link(.paired(let property, let isReversed), _, _, _) = value else { continue }
      let own = MappedPairs(property: property, isReversed: isReversed, tables: tables)
      pairs[own.name] = own
    }
    return pairs.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Makes the table, and fills it with what `connection` sees of the source at this moment.
  ///
  /// - Throws: `DecantError` of the family `.usage` where an object has two such links.
  func fill(_ schema: String, on connection: Connection) throws(DecantError) {
    let (model, layout) = (tables.source.model, tables.source.layout)
    guard let links = LinkEnds(property, model, layout, in: schema) else { return }
    let (key, other) = isReversed ? ("target", "owner") : ("owner", "target")
    let double = try explaining("cannot look up \(property)") { () throws(SQLiteError) in
      try connection.makeEmpty(table, "\"\(MappedPairs.key)\" INTEGER PRIMARY KEY, \"\(MappedPairs.other)\" INTEGER")
      try connection.run(
        "INSERT OR IGNORE INTO \(table) SELECT \(key), \(other) FROM (\(links.sql)) WHERE typeof(\(key)) = 'integer'"
      )
      return try connection.integer(
        "SELECT \(key) FROM (\(links.sql)) AS l WHERE \(end(of: "l.\(key)")) <> l.\(other) LIMIT 1"
      )
    }
    guard let double else { return }
    let entity =
      isReversed
      ? tables.source.model[property.entity]?.relationships
        .first { $0.name == property.name }?.destination ?? "" : property.entity
    throw tables.mapping.mistake(
      "\(entity) p\(double) has more than one link \(property), but the destination allows only one",
      at: .start,
      remedy: "delete the extra links in a copy, or make the inverse of the relationship to-many"
    )
  }
}
