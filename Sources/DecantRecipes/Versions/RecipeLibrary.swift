package import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// A store of recipes as decant makes them, in a plain database, with the versions that were imported into it.
package final class RecipeLibrary {
  private let connection: Connection
  private let versions: Statement?
  private let place: String

  /// Opens the store at `place` to look up versions; `nil` where there is none.
  package init?(_ place: String) throws(DecantError) {
    self.place = place
    guard FileStatus(place)?.isFile == true else { return nil }
    let found = try explaining("cannot read “\(place)”") {
      () throws(SQLiteError) -> (Connection, Statement?)? in
      let connection = try Connection(DatabaseFile.uri(of: place, "mode=ro"), mode: .readOnly)
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
    while try versions.step() {
      found.append(
        RecipeVersion(
          recipe: versions.text(at: 0) ?? "",
          content: versions.text(at: 1) ?? "",
          places: versions.text(at: 2) ?? ""
        )
      )
    }
    return found
  }

  /// The version of any origin of the recipe that has this `uuid`, the oldest first: what a shared recipe started as.
  func firstVersion(ofRecipe uuid: String) throws(SQLiteError) -> RecipeVersion? {
    guard versions != nil else { return nil }
    var found: RecipeVersion?
    let select = """
      SELECT content, places FROM \(OwnTables.importedVersions) WHERE recipe = ?1 ORDER BY rowid LIMIT 1
      """
    let statement = try connection.prepare(select)
    try statement.bind([.text(uuid)])
    if try statement.step() {
      found = RecipeVersion(recipe: uuid, content: statement.text(at: 0) ?? "", places: statement.text(at: 1) ?? "")
    }
    return found
  }

  /// Opens a picture by its SHA-256; `nil` where no recipe has it.
  func picture(_ digest: String) throws(SQLiteError) -> BlobHandle? {
    let row = try connection.integer("SELECT id FROM Image WHERE sha256 = ?1 LIMIT 1", .text(digest))
    return try row.map { row throws(SQLiteError) in
      try BlobHandle("main", "Image", "data", rowID: row, isWritable: false, on: connection)
    }
  }
}

// MARK: What was imported

extension RecipeLibrary {
  /// Keeps the versions of a run: each with the recipe that it became, or that was there already.
  ///
  /// - Parameters:
  ///   - versions: The database of the versions that were read.
  ///   - ids: The table of which of them became which.
  ///   - place: The store.
  ///   - overwrites: Whether what is kept of a recipe gives way to its new version.
  /// - Throws: `DecantError` where the store cannot be written.
  static func keep(_ versions: String, _ ids: String, in place: String, overwrites: Bool) throws(DecantError) {
    do throws(SQLiteError) {
      let connection = try Connection(DatabaseFile.uri(of: place, "mode=rw"), mode: .readWrite)
      connection.setBusyTimeout(milliseconds: 5000)
      guard try isLibrary(connection) else { return }
      try connection.attach(DatabaseFile.uri(of: versions, "mode=ro"), as: "versions")
      try connection.attach(DatabaseFile.uri(of: ids, "mode=ro"), as: "known")
      try connection.transaction { () throws(SQLiteError) in
        try RecipeSchema.makeVersions(on: connection)
        let table = OwnTables.importedVersions
        try connection.run("DELETE FROM main.\(table) WHERE recipe NOT IN (SELECT uuid FROM main.Recipe)")
        let became = """
          SELECT r.uuid AS recipe, v.origin, v.content, v.places, v.number FROM versions.read AS v
          JOIN known.ids AS i ON i.entity = 'Recipe' AND v.key >= i.source AND v.key < i.source + i.count
          JOIN main.Recipe AS r ON r.id = i.destination + v.key - i.source
          """
        // Where both versions were kept, the one that was there goes on from the new version as well.
        let stayed = """
          SELECT r.uuid, v.origin, v.content, v.places, v.number FROM versions.read AS v
          JOIN main.Recipe AS r ON r.uuid = v.recipe
          """
        try connection.run(
          """
          INSERT INTO main.\(table) (recipe, origin, content, places)
          SELECT recipe, origin, content, places FROM (\(became) UNION \(stayed)) WHERE true ORDER BY number
          ON CONFLICT (recipe, origin) DO \(overwrites
            ? "UPDATE SET content = excluded.content, places = excluded.places" : "NOTHING")
          """
        )
      }
    } catch {
      throw DecantError(
        .completedPartly,
        "the recipes were imported into “\(place)”, but not what they were compared with next time",
        place: "\(error)",
        remedy: "run the command again",
        cause: error
      )
    }
  }
}
