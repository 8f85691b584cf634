internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The positions of objects in ordered lists for which the source has no order, or an incomplete one.
///
/// It is a temporary table that the view of the objects reads. Positions are spaced as in a new list of Core Data:
/// 2048, 3072, 4096 and so on, in each list separately.
struct MappedPlaces {
  /// The root entity of the destination whose objects have the positions.
  let root: String
  /// The relationship to the owner of the list.
  let property: Property
  let tables: MappedTables

  private static let key = ".key"
  private static let place = ".place"

  private var name: String { "places in \(property)" }
  private var table: String { "temp.\(name.quotedName)" }

  /// Returns the SQL for the position of the object `key`, a key of the destination's view.
  func place(of key: String) -> String {
    "(SELECT p.\"\(MappedPlaces.place)\" FROM \(table) AS p WHERE p.\"\(MappedPlaces.key)\" = \(key))"
  }

  /// Returns all that the lists of `tables` need.
  static func all(_ tables: MappedTables) -> [MappedPlaces] {
    tables.roots.flatMap { mapped -> [MappedPlaces] in
      var properties: Set<Property> = []
      for (columnRole, value) in mapped.parts.flatMap(\.values) {
        if case .position(let property) = columnRole, case .place = value {
          properties.insert(property)
        }
      }
      return properties.sorted { "\($0)" < "\($1)" }
        .map { MappedPlaces(root: mapped.root, property: $0, tables: tables) }
    }
  }

  /// Creates the empty table: views can be read only when all of their tables exist.
  func make(on connection: Connection) throws(DecantError) {
    try explaining("cannot assign positions in \(property)") { () throws(SQLiteError) in
      try connection.makeEmpty(table, "\"\(MappedPlaces.key)\" INTEGER PRIMARY KEY, \"\(MappedPlaces.place)\" INTEGER")
    }
  }

  /// Fills the table from the present state of the source on `connection`.
  func fill(_ schema: String, on connection: Connection) throws(DecantError) {
    guard let mapped = tables.roots.first(where: { $0.root == root }) else { return }
    let shown = MappedRelation(
      mapped: mapped,
      store: tables,
      only: [.target(property), .position(property)],
      showsSourcePlaces: true
    )
    let (relation, view) = try shown.relation(in: schema)
    guard let view, let owner = relation.column(.target(property)),
      let place = relation.column(.position(property))
    else { return }
    try explaining("cannot assign positions in \(property)") { () throws(SQLiteError) in
      try connection.run(
        """
        INSERT INTO \(table) SELECT key, 1024 + 1024 * row_number() OVER (
          PARTITION BY owner ORDER BY place IS NULL, place, key)
        FROM (SELECT \(EntityView.key) AS key, \(owner.name.sqlName) AS owner,
          \(place.name.sqlName) AS place FROM (\(view)))
        WHERE owner <> \(MappedKeys.nobody)
        """
      )
    }
  }
}
