internal import DecantBase
internal import DecantPlan
internal import DecantVersions
internal import DecantSQLite

/// Source links of which each object has at most one, by the key of one end.
///
/// They are needed if a to-one link is made from links that the source stores at the other end or in a link table. It
/// is a temporary table that the view reads.
struct MappedPairs {
  /// The relationship of the source.
  let property: Property
  /// Whether they are looked up by their targets.
  let isReversed: Bool
  let tables: MappedTables

  private static let key = ".key"
  private static let other = ".other"

  private var name: String { "pairs \(isReversed ? "to" : "of") \(property)" }
  private var table: String { "temp.\(name.quotedName)" }

  /// Returns the SQL for the other end of the link of the object `key`; both are source keys.
  func end(of key: String) -> String {
    "(SELECT p.\"\(MappedPairs.other)\" FROM \(table) AS p WHERE p.\"\(MappedPairs.key)\" = \(key))"
  }

  /// Returns all that the links of `tables` need.
  static func all(_ tables: MappedTables) -> [MappedPairs] {
    var pairs: [String: MappedPairs] = [:]
    for value in tables.roots.flatMap(\.parts).flatMap(\.values.values) {
      guard case .link(.paired(let property, let isReversed), _, _, _) = value else { continue }
      let own = MappedPairs(property: property, isReversed: isReversed, tables: tables)
      pairs[own.name] = own
    }
    return pairs.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Creates the table and fills it from the present state of the source on `connection`.
  ///
  /// - Throws: `DecantError` of the family `.usage` if an object has two such links.
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
