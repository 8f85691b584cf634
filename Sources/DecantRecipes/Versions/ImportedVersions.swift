package import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// A store of recipes as decant makes them, in a plain database, with the versions that were imported into it.
package final class ImportedVersions {
  private let connection: Connection
  private let versions: Statement?
  /// What the connection reads; a private copy goes with it.
  private let file: DatabaseFile

  /// Opens the store at `place` to look up versions; `nil` where there is none.
  package init?(_ place: String) throws(DecantError) {
    // Whoever writes to it says what is wrong with it.
    guard FileStatus(place)?.isFile == true, let file = try? DatabaseFile.open(place) else { return nil }
    self.file = file
    let found = try explaining("cannot read “\(place)”") {
      () throws(SQLiteError) -> (Connection, Statement?)? in
      let connection = try Connection(file.uri, mode: .readOnly)
      guard try Self.isLibrary(connection) else { return nil }
      let hasVersions = "SELECT 1 FROM sqlite_schema WHERE name = '\(OwnTables.importedVersions)'"
      guard try connection.integer(hasVersions) == 1 else { return (connection, nil) }
      return (
        connection,
        try connection.prepare(
          """
          SELECT v.recipe, v.content, v.places FROM \(OwnTables.importedVersions) AS v
          JOIN Recipe AS r ON r.uuid = v.recipe WHERE v.origin = ?1
          ORDER BY NOT EXISTS (SELECT 1 FROM NativeID WHERE recipe_id = r.id), r.id
          """
        )
      )
    }
    guard let (connection, versions) = found else { return nil }
    (self.connection, self.versions) = (connection, versions)
  }

  /// Whether the file at `place` is such a store; one that cannot be read is none.
  package static func isLibrary(at place: String) -> Bool { (try? ImportedVersions(place)) ?? nil != nil }

  /// Whether a database has the tables of recipes, and is not Core Data's.
  private static func isLibrary(_ connection: Connection) throws(SQLiteError) -> Bool {
    let names = ["Recipe", "Ingredient", "Step", "Image", "Nutrition", "NativeID", "Source", "Category", "Tag"]
    let list = names.map(\.sqlText).joined(separator: ", ")
    return try connection.integer(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN (\(list))"
    ) == Int64(names.count)
  }

  /// The versions that were imported last of what comes from `origin`, with the recipes that are still there.
  ///
  /// A recipe that was kept beside another one has a version of its own: the one with an app's ID comes first.
  func versions(of origin: String) throws(SQLiteError) -> [RecipeVersion] {
    guard let versions else { return [] }
    try versions.bind([.text(origin)])
    defer { versions.reset() }
    var found: [RecipeVersion] = []
    while try versions.step() { found.append(Self.version(versions)) }
    return found
  }

  /// Returns the version that is most like `shared`, of the recipe with this `uuid` or one of its IDs.
  ///
  /// It is what a recipe was when it was shared that comes back now; of equally like versions it is the oldest.
  func nearestVersion(ofRecipe uuid: String, orWithIDsOf shared: RecipeVersion) throws(SQLiteError) -> [RecipeVersion] {
    guard versions != nil else { return [] }
    let statement = try connection.prepare(
      """
      WITH there (uuid, rank) AS (SELECT uuid, 0 FROM Recipe WHERE uuid = ?1
        UNION ALL SELECT r.uuid, 1 FROM json_each(?2, '$.NativeID') AS i JOIN NativeID AS n
          ON n.format = json_extract(i.value, '$.format') AND n.value = json_extract(i.value, '$.value')
        JOIN Recipe AS r ON r.id = n.recipe_id)
      SELECT v.recipe, v.content, v.places FROM there JOIN \(OwnTables.importedVersions) AS v ON v.recipe = there.uuid
      ORDER BY rank, (SELECT count(*) FROM json_tree(v.content) AS a, json_tree(?2) AS b
        WHERE a.atom IS NOT NULL AND b.fullkey = a.fullkey AND b.atom IS a.atom) DESC, v.rowid LIMIT 1
      """
    )
    try statement.bind([.text(uuid), .text(shared.content)])
    guard try statement.step() else { return [] }
    return [Self.version(statement)]
  }

  private static func version(_ row: Statement) -> RecipeVersion {
    RecipeVersion(recipe: row.text(at: 0) ?? "", content: row.text(at: 1) ?? "", places: row.text(at: 2) ?? "")
  }

  /// The fingerprint that the store has for the recipe with this `uuid`.
  func fingerprint(ofRecipe uuid: String) throws(SQLiteError) -> String {
    try connection.text("SELECT fingerprint FROM Recipe WHERE uuid = ?1", .text(uuid)) ?? ""
  }

  /// Opens a picture by its SHA-256; `nil` where no recipe has it.
  func picture(_ digest: String) throws(SQLiteError) -> BlobHandle? {
    let row = try connection.integer("SELECT id FROM Image WHERE sha256 = ?1 LIMIT 1", .text(digest))
    return try row.map { row throws(SQLiteError) in
      try BlobHandle("main", "Image", "data", rowID: row, isWritable: false, on: connection)
    }
  }
}

// MARK: After an import

extension ImportedVersions {
  /// Keeps the versions of a run, each with the recipe that it became, or that was there already; and looks for recipes
  /// that are nearly the same.
  ///
  /// - Parameters:
  ///   - versions: The database of the versions that were read.
  ///   - ids: The table of which recipe became which.
  ///   - place: The store.
  ///   - overwrites: Whether what is kept of a recipe gives way to its new version.
  ///   - unites: Whether recipes that are nearly the same become one; else those are named that came now.
  /// - Returns: What is to be said of recipes that are nearly the same.
  /// - Throws: `DecantError` where the store cannot be written.
  static func settle(_ versions: String, _ ids: String, in place: String, overwrites: Bool, unites: Bool)
    throws(DecantError) -> [ReportNote]
  {
    do throws(SQLiteError) {
      let connection = try Connection(DatabaseFile.uri(of: place, "mode=rw"), mode: .readWrite)
      connection.setBusyTimeout(milliseconds: 5000)
      guard try isLibrary(connection) else { return [] }
      try connection.run("PRAGMA foreign_keys = ON")
      try connection.attach(DatabaseFile.uri(of: versions, "mode=ro"), as: "versions")
      try connection.attach(DatabaseFile.uri(of: ids, "mode=ro"), as: "known")
      var notes: [ReportNote] = []
      try connection.transaction { () throws(SQLiteError) in
        try keep(on: connection, overwrites: overwrites)
        let alike = try RecipeLookAlikes(on: connection)
        notes =
          try unites
          ? alike.unite()
          : alike.notes(
            ofNew:
              "SELECT destination, count FROM known.ids WHERE entity = 'Recipe' AND outcome IN ('copied', 'kept-both')")
      }
      return notes
    } catch {
      throw DecantError(
        .completedPartly,
        "the recipes were imported into “\(place)”, but not what they are compared with next time",
        place: "\(error)",
        remedy: .againOtherwise,
        cause: error
      )
    }
  }

  private static func keep(on connection: Connection, overwrites: Bool) throws(SQLiteError) {
    guard try connection.integer("SELECT 1 FROM versions.read LIMIT 1") == 1 else { return }
    try RecipeSchema.makeVersions(on: connection)
    let table = OwnTables.importedVersions
    try connection.run("DELETE FROM main.\(table) WHERE recipe NOT IN (SELECT uuid FROM main.Recipe)")
    // A version that was left aside is never a base: the store does not have it.
    let became = """
      SELECT r.uuid AS recipe, v.origin, v.content, v.places, v.number FROM versions.read AS v
      JOIN known.ids AS i ON i.entity = 'Recipe' AND v.key >= i.source AND v.key < i.source + i.count
      JOIN main.Recipe AS r ON r.id = i.destination + v.key - i.source
      WHERE i.outcome IN ('copied', 'kept-both', 'updated')
        OR json_extract(v.content, '$.Recipe.fingerprint') = r.fingerprint
      """
    // Where both versions were kept, the one that was there goes on from the new version as well.
    let stayed = """
      SELECT r.uuid, v.origin, v.content, v.places, v.number FROM versions.read AS v
      JOIN main.Recipe AS r ON r.uuid = v.recipe
      """
    if overwrites {
      // An earlier version is what a recipe was shared as, perhaps.
      try connection.run(
        """
        INSERT INTO main.\(table) (recipe, origin, content, places)
        SELECT o.recipe, 'was ' || hex(randomblob(8)) || ' ' || o.origin, o.content, o.places
        FROM main.\(table) AS o JOIN (\(became) UNION \(stayed)) AS n ON n.recipe = o.recipe AND n.origin = o.origin
        WHERE n.content <> o.content
        """
      )
    }
    try connection.run(
      """
      INSERT INTO main.\(table) (recipe, origin, content, places)
      SELECT recipe, origin, content, places FROM (\(became) UNION \(stayed)) WHERE true ORDER BY number
      ON CONFLICT (recipe, origin) DO \(overwrites
        ? "UPDATE SET content = excluded.content, places = excluded.places" : "NOTHING")
      """
    )
  }
}
