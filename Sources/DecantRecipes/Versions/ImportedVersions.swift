package import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// A plain database with recipes in decant's model and the versions that were imported into it.
package final class ImportedVersions {
  private let connection: Connection
  private let statements: Statements?
  /// The file that the connection reads; a private copy is removed with it.
  private let file: DatabaseFile

  /// The statements that look up versions by their origin.
  private struct Statements {
    let versions, origins, isDeleted: Statement

    init(_ connection: Connection) throws(SQLiteError) {
      let table = OwnTables.importedVersions
      let digest = try RecipeSchema.hasDigests(on: connection) ? "v.digest" : "NULL"
      // Of several recipes, the least edited one counts: the other one is the kept version of a conflict.
      let agreement = """
        CASE WHEN (SELECT count(*) FROM \(table) WHERE origin = ?1) > 1 THEN
          (SELECT count(*) FROM json_tree(\(RecipeVersion.contentExpression)) AS a, json_tree(v.content) AS b
            WHERE a.atom IS NOT NULL AND b.fullkey = a.fullkey AND b.atom IS a.atom
              AND a.fullkey NOT IN ('$.Recipe.title', '$.Recipe.fingerprint', '$.Recipe.page')
              AND a.fullkey NOT LIKE '$.NativeID%') END
        """
      versions = try connection.prepare(
        """
        SELECT v.recipe, v.content, v.places, \(digest) FROM \(table) AS v
        JOIN Recipe AS r ON r.uuid = v.recipe WHERE v.origin = ?1 AND v.content <> ''
        ORDER BY \(agreement) DESC, NOT EXISTS (SELECT 1 FROM NativeID WHERE recipe_id = r.id), r.id
        """
      )
      origins = try connection.prepare(
        """
        SELECT DISTINCT v.origin FROM \(table) AS v JOIN Recipe AS r ON r.uuid = v.recipe
        WHERE v.origin > ?1 AND v.origin < ?2 AND v.content <> '' ORDER BY v.origin
        """
      )
      isDeleted = try connection.prepare(
        """
        SELECT 1 FROM \(table) WHERE origin = ?1 AND NOT EXISTS (SELECT 1 FROM \(table) AS v
          JOIN Recipe AS r ON r.uuid = v.recipe WHERE v.origin = ?1) LIMIT 1
        """
      )
    }
  }

  /// Opens the store at `place` to look up versions; `nil` if it has no recipes, or cannot be opened.
  package init?(_ place: String) throws(DecantError) {
    // Whoever writes to the store reports what is wrong with it.
    guard FileStatus(place)?.isFile == true, let file = try? DatabaseFile.open(place) else { return nil }
    self.file = file
    let found = try explaining("cannot read “\(place)”") {
      () throws(SQLiteError) -> (Connection, Statements?)? in
      let connection = try Connection(file.uri, mode: .readOnly)
      guard try Self.isLibrary(connection) else { return nil }
      return (connection, try Self.hasVersions(connection) ? try Statements(connection) : nil)
    }
    guard let (connection, statements) = found else { return nil }
    (self.connection, self.statements) = (connection, statements)
  }

  private static func hasVersions(_ connection: Connection) throws(SQLiteError) -> Bool {
    try connection.integer("SELECT 1 FROM main.sqlite_schema WHERE name = '\(OwnTables.importedVersions)'") == 1
  }

  /// Whether the file at `place` is such a store; `false` if it cannot be read.
  package static func isLibrary(at place: String) -> Bool { (try? ImportedVersions(place)) ?? nil != nil }

  /// Whether a database has the tables of recipes, and is not a Core Data store.
  private static func isLibrary(_ connection: Connection) throws(SQLiteError) -> Bool {
    let names = ["Recipe", "Ingredient", "Step", "Image", "Nutrition", "NativeID", "Source", "Category", "Tag"]
    let list = names.map(\.sqlText).joined(separator: ", ")
    return try connection.integer(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN (\(list))"
    ) == Int64(names.count)
  }

  /// Returns the last imported versions from `origin`, of recipes that still exist.
  ///
  /// A recipe that was kept beside another one has its own version: the one that is more similar to its version comes
  /// first, then the one with an app's ID.
  func versions(of origin: String) throws(SQLiteError) -> [RecipeVersion] {
    guard let versions = statements?.versions else { return [] }
    try versions.bind([.text(origin)])
    defer { versions.reset() }
    var found: [RecipeVersion] = []
    while try versions.step() {
      var version = Self.version(versions)
      version.digest = versions.text(at: 3)
      found.append(version)
    }
    return found
  }

  /// Returns the origins of versions of existing recipes that begin with `place`: all those from one file or one page.
  func origins(in place: String) throws(SQLiteError) -> [String] {
    guard let origins = statements?.origins else { return [] }
    // The place is followed by a title.
    try origins.bind([.text(place), .text(place + "\u{10FFFF}")])
    defer { origins.reset() }
    var found: [String] = []
    while try origins.step() { found.append(origins.text(at: 0) ?? "") }
    return found
  }

  /// Whether recipes were imported from `origin`, and all of them have been deleted since.
  func isDeleted(_ origin: String) throws(SQLiteError) -> Bool {
    guard let isDeleted = statements?.isDeleted else { return false }
    try isDeleted.bind([.text(origin)])
    defer { isDeleted.reset() }
    return try isDeleted.step()
  }

  /// Returns the version that is most similar to `shared`, of the recipe with this `uuid` or one of its IDs.
  ///
  /// It is the recipe as it was when it was shared and now comes back; of equally similar versions it is the oldest.
  func nearestVersion(ofRecipe uuid: String, orWithIDsOf shared: RecipeVersion) throws(SQLiteError) -> [RecipeVersion] {
    guard statements != nil else { return [] }
    let statement = try connection.prepare(
      """
      WITH there (uuid, rank) AS (SELECT uuid, 0 FROM Recipe WHERE uuid = ?1
        UNION ALL SELECT r.uuid, 1 FROM json_each(?2, '$.NativeID') AS i JOIN NativeID AS n
          ON n.format = json_extract(i.value, '$.format') AND n.value = json_extract(i.value, '$.value')
        JOIN Recipe AS r ON r.id = n.recipe_id)
      SELECT v.recipe, v.content, v.places FROM there JOIN \(OwnTables.importedVersions) AS v ON v.recipe = there.uuid
      WHERE v.content <> '' ORDER BY rank, (SELECT count(*) FROM json_tree(v.content) AS a, json_tree(?2) AS b
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

  /// Returns the store's fingerprint for the recipe with this `uuid`.
  func fingerprint(ofRecipe uuid: String) throws(SQLiteError) -> String {
    try connection.text("SELECT fingerprint FROM Recipe WHERE uuid = ?1", .text(uuid)) ?? ""
  }

  /// Returns the current state of the recipe with this `uuid`.
  func current(ofRecipe uuid: String) throws(SQLiteError) -> RecipeVersion? {
    let statement = try connection.prepare(
      "SELECT r.uuid, \(RecipeVersion.contentExpression), \(RecipeVersion.placesExpression) FROM main.Recipe AS r "
        + "WHERE r.uuid = ?1"
    )
    try statement.bind([.text(uuid)])
    return try statement.step() ? Self.version(statement) : nil
  }

  /// Whether the recipe with this `uuid` has no app's ID.
  func lacksID(_ uuid: String) throws(SQLiteError) -> Bool {
    try connection.integer(
      "SELECT 1 FROM NativeID AS n JOIN Recipe AS r ON r.id = n.recipe_id WHERE r.uuid = ?1 LIMIT 1", .text(uuid))
      == nil
  }

  /// Opens a picture by its SHA-256; returns `nil` if no recipe has it.
  func picture(_ digest: String) throws(SQLiteError) -> BlobHandle? {
    let row = try connection.integer("SELECT id FROM Image WHERE sha256 = ?1 LIMIT 1", .text(digest))
    return try row.map { row throws(SQLiteError) in
      try BlobHandle("main", "Image", "data", rowID: row, isWritable: false, on: connection)
    }
  }
}

// MARK: After an import

extension ImportedVersions {
  /// Stores the versions of a run, each with the recipe that it became or that already existed, and looks for recipes
  /// that are nearly the same.
  ///
  /// - Parameters:
  ///   - versions: The database of the versions that were read.
  ///   - ids: The table that maps the recipes that were read to those of the store.
  ///   - place: The store.
  ///   - overwrites: Whether the recorded version of a recipe is replaced by its new version.
  ///   - unites: Whether recipes that are nearly the same are merged; otherwise the new ones are only named.
  /// - Returns: Notes about recipes that are nearly the same.
  /// - Throws: `DecantError` if the store cannot be written.
  static func settle(_ versions: String, _ ids: String, in place: String, overwrites: Bool, unites: Bool)
    throws(DecantError) -> [ReportNote]
  {
    do throws(SQLiteError) {
      let connection = try Connection(DatabaseFile.uri(of: place, "mode=rw"), mode: .readWrite)
      connection.setBusyTimeout(milliseconds: 5000)
      guard try isLibrary(connection) else { return [] }
      try connection.run("PRAGMA foreign_keys = ON")
      try RecipeTextFunction.register(on: connection)
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
        "the recipes were imported into “\(place)”, but the record that the next import compares them with was not written",
        place: "\(error)",
        remedy: .againOtherwise,
        cause: error
      )
    }
  }

  private static func keep(on connection: Connection, overwrites: Bool) throws(SQLiteError) {
    let table = OwnTables.importedVersions
    if try hasVersions(connection) {
      // Of a deleted recipe, only its origin is kept.
      let isGone = "recipe NOT IN (SELECT uuid FROM main.Recipe)"
      try connection.run("DELETE FROM main.\(table) WHERE origin LIKE 'was %' AND \(isGone)")
      try connection.run("UPDATE main.\(table) SET content = '', places = '' WHERE content <> '' AND \(isGone)")
    }
    if try connection.integer("SELECT 1 FROM versions.same LIMIT 1") == 1 {
      try RecipeSchema.makeVersions(on: connection)
      let isSame = "s.recipe = o.recipe AND s.origin = o.origin"
      try connection.run(
        "INSERT INTO main.\(table) (recipe, origin, content, places) "
          + "SELECT o.recipe, \(earlier("o.origin")), o.content, o.places FROM main.\(table) AS o "
          + "JOIN versions.same AS s ON \(isSame) WHERE s.content <> o.content"
      )
      try connection.run(
        "UPDATE main.\(table) AS o SET digest = s.digest, content = coalesce(s.content, o.content), "
          + "places = coalesce(s.places, o.places) FROM versions.same AS s WHERE \(isSame)"
      )
    }
    guard try connection.integer("SELECT 1 FROM versions.read LIMIT 1") == 1 else { return }
    try RecipeSchema.makeVersions(on: connection)
    let read = overwrites ? "versions.read" : "(SELECT * FROM versions.read WHERE former IS NULL)"
    let columns = "v.number FROM \(read) AS v"
    // A version that was skipped is never a base, as the store does not have it.
    let became = """
      SELECT r.uuid AS recipe, \(columns)
      JOIN known.ids AS i ON i.entity = 'Recipe' AND v.key >= i.source AND v.key < i.source + i.count
      JOIN main.Recipe AS r ON r.id = i.destination + v.key - i.source
      WHERE i.outcome IN ('copied', 'kept-both', 'updated')
        OR json_extract(v.content, '$.Recipe.fingerprint') IN (r.fingerprint,
          \(RecipeContentFunction.expression(key: "id", link: "recipe_id")))
      """
    // If both versions were kept, now or earlier, the new one is also the base of the recipe that was there.
    let stayed = """
      SELECT r.uuid, \(columns) JOIN main.Recipe AS r ON r.uuid = v.recipe WHERE v.recipe IS NOT NULL
      UNION SELECT s.recipe, \(columns)
      JOIN main.\(table) AS m ON m.recipe = v.recipe AND m.origin = coalesce(v.former, v.origin)
      JOIN main.\(table) AS s ON s.origin = m.origin AND s.content = m.content AND s.content <> ''
      WHERE v.recipe IS NOT NULL
      """
    let hasEarlier = try connection.integer("SELECT 1 FROM main.\(table) LIMIT 1") == 1
    let chosen = try TemporaryTable(
      "AS SELECT recipe, number FROM (\(became) UNION \(stayed)) ORDER BY number", on: connection)
    defer { withExtendedLifetime(chosen) {} }
    let kept = "\(chosen) AS k JOIN versions.read AS v ON v.number = k.number"
    if overwrites, hasEarlier {
      // The recipe may have been shared in the state of the earlier version.
      try connection.run(
        """
        INSERT INTO main.\(table) (recipe, origin, content, places)
        SELECT o.recipe, \(earlier("o.origin")), o.content, o.places
        FROM \(kept) JOIN main.\(table) AS o ON o.recipe = k.recipe AND o.origin = v.origin
        WHERE v.content <> o.content AND o.content <> ''
        """
      )
    }
    try connection.run(
      """
      INSERT INTO main.\(table) (recipe, origin, content, places, digest)
      SELECT k.recipe, v.origin, v.content, v.places, \(StagedVersions.digest) FROM \(kept) WHERE true ORDER BY k.rowid
      ON CONFLICT (recipe, origin) DO UPDATE SET content = excluded.content, places = excluded.places,
        digest = excluded.digest\(overwrites ? "" : " WHERE content = ''")
      """
    )
    if overwrites, hasEarlier {
      try connection.run(
        "UPDATE main.\(table) SET origin = \(earlier("origin")) "
          + "WHERE origin IN (SELECT former FROM versions.read WHERE former IS NOT NULL)")
    }
  }

  /// Returns an expression for the origin of a version that a later one with the same recipe and `origin` replaced.
  private static func earlier(_ origin: String) -> String { "'was ' || hex(randomblob(8)) || ' ' || \(origin)" }
}
