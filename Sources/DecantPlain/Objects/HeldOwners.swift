package import DecantBase
internal import DecantPlan
package import DecantSQLite
internal import DecantStore

/// A table of the links of a to-many relationship without inverse, in which an object has one owner, while the objects
/// hold their owners themselves: so they are merged by the rules for a value of the object.
package struct HeldOwners {
  let links: LinkRelation
  /// The table of the objects, the column of their owners, and that of their places, if lists are ordered.
  private let objects: Relation
  private let owner: String
  private let place: String?

  /// Describes the table `links`; `nil` if the objects of `layout` do not hold such owners.
  init?(_ links: LinkRelation, _ layout: Layout) {
    guard let objects = layout.relation(of: links.targetRoot),
      let owner = objects.column(.owner(links.relationship))?.name
    else { return nil }
    (self.links, self.objects, self.owner) = (links, objects, owner)
    place = objects.column(.ownerPosition(links.relationship))?.name
  }

  private var table: String { "main.\(links.table.sqlName)" }
  private var target: String { links.targetColumn.sqlName }

  /// The columns of a row, each with that of the object.
  private var columns: [(row: String, object: String)] {
    [(links.ownerColumn.sqlName, owner.sqlName)]
      + (zip([links.positionColumn].compactMap(\.self), [place].compactMap(\.self)))
      .map { ($0.sqlName, $1.sqlName) }
  }

  /// Throws `DecantError` of the family `.modelMismatch` if an object of the store at `place`, with its tables in the
  /// schema `home`, has several owners.
  package func check(on connection: Connection, place: String, home: String) throws(DecantError) {
    try links.checkSingleOwners(in: "main", on: connection, place: place, home: home)
  }

  /// Reads the owners from the rows of the table.
  ///
  /// - Parameters:
  ///   - connection: The connection with both tables in `main`.
  ///   - place: The store, for errors.
  ///   - home: The schema of its tables, for errors.
  /// - Throws: `DecantError` of the family `.modelMismatch` if an object has several owners.
  package func read(on connection: Connection, place: String, home: String) throws(DecantError) {
    try check(on: connection, place: place, home: home)
    try explaining("cannot read the links \(links.relationship)") { () throws(SQLiteError) in
      let sets = columns.map { "\($0.object) = l.\($0.row)" }.joined(separator: ", ")
      try connection.run(
        "UPDATE main.\(objects.table.sqlName) AS t SET \(sets) FROM \(table) AS l WHERE l.\(target) = t.\(objects.keyName)"
      )
    }
  }

  /// Changes the rows of the table so that they are the owners of the objects.
  ///
  /// - Parameter connection: The connection with both tables in `main`.
  /// - Throws: `DecantError` if the tables cannot be written.
  package func write(on connection: Connection) throws(DecantError) {
    let (key, owner) = ("t.\(objects.keyName)", "t.\(owner.sqlName)")
    try explaining("cannot write the links \(links.relationship)") { () throws(SQLiteError) in
      // A row stays the same one under another owner, with what only the server has of it.
      try connection.run(
        """
        UPDATE \(table) AS l SET \(columns.map { "\($0.row) = t.\($0.object)" }.joined(separator: ", "))
        FROM main.\(objects.table.sqlName) AS t WHERE \(key) = l.\(target) AND \(owner) IS NOT NULL
          AND (\(columns.map { "l.\($0.row) IS NOT t.\($0.object)" }.joined(separator: " OR ")))
        """)
      try connection.run(
        """
        DELETE FROM \(table) AS l WHERE NOT EXISTS (
          SELECT 1 FROM main.\(objects.table.sqlName) AS t WHERE \(key) = l.\(target) AND \(owner) IS NOT NULL)
        """)
      try connection.run(
        """
        INSERT INTO \(table) (\((columns.map(\.row) + [target]).joined(separator: ", ")))
        SELECT \((columns.map { "t.\($0.object)" } + [key]).joined(separator: ", "))
        FROM main.\(objects.table.sqlName) AS t
        WHERE \(owner) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(table) AS l WHERE l.\(target) = \(key))
        """)
    }
  }
}
