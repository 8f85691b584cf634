internal import DecantRecipeFormats
internal import DecantSQLite

/// The table that records every version that is read.
extension StagedVersions {
  /// The name of the attached database of versions, and its table.
  static let schema = "versions"
  static let table = "\(schema).read"

  /// Creates a database at `path`, attached to that of the recipes, which records where each recipe was read.
  static func make(at path: String, on connection: Connection) throws(SQLiteError) {
    try connection.attach(path, as: schema)
    try connection.run("PRAGMA \(schema).page_size = \(Connection.temporaryPageSize)")
    try connection.run("PRAGMA \(schema).journal_mode = OFF")
    try connection.run("PRAGMA \(schema).synchronous = OFF")
    try connection.run(
      """
      CREATE TABLE \(table) (number INTEGER PRIMARY KEY, key INTEGER, source INTEGER, file TEXT, time INTEGER,
        document INTEGER, recipe TEXT, former TEXT, origin TEXT, content TEXT, places TEXT)
      """
    )
    try connection.run("CREATE TABLE \(schema).documents (number INTEGER PRIMARY KEY, digest TEXT)")
    try connection.run("CREATE TABLE \(schema).counts (origin TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID")
    try connection.run("CREATE TABLE \(schema).same (recipe TEXT, origin TEXT, digest TEXT, content TEXT, places TEXT)")
    try connection.run("CREATE INDEX \(table)_key ON read (key)")
    try connection.run("CREATE INDEX \(table)_origin ON read (origin, time)")
    // Few versions have these: a scan of all would read the contents.
    for column in ["recipe", "former"] {
      try connection.run("CREATE INDEX \(table)_\(column) ON read (\(column)) WHERE \(column) IS NOT NULL")
    }
  }

  /// A statement that records a version of the recipe `?1` in the file with the number `?2` and the name `?3`, last
  /// modified at `?4`, and in the document `?5`: its origin, its content and its places, as far as they are known.
  static var insertion: String {
    "INSERT INTO \(table) (key, source, file, time, document, origin, content, places) "
      + "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
  }

  /// A statement that records the digest `?2` of the document `?1`.
  static var digestInsertion: String { "INSERT OR REPLACE INTO \(schema).documents VALUES (?1, ?2)" }

  /// A statement that discards the recorded content of the recipe `?1`, which has changed since.
  static var change: String {
    "UPDATE \(table) SET content = NULL, origin = iif(recipe IS NULL, NULL, origin) WHERE key = ?1"
  }

  /// An expression for the digest of the document of the version `v`.
  static let digest = "(SELECT digest FROM \(schema).documents WHERE number = v.document)"

  /// An expression for whether the version `v` differs from the tables, which happens only through a bug in decant.
  static let differs = """
    v.content IS NOT NULL AND EXISTS (SELECT 1 FROM main.Recipe AS r WHERE r.id = v.key AND
      (v.content IS NOT \(RecipeVersion.contentExpression) OR v.places IS NOT \(RecipeVersion.placesExpression)))
    """

  /// Returns an expression for the number of the file from which the recipe with the key `key` was read.
  static func file(of key: String) -> String {
    "(SELECT source FROM \(table) WHERE key = \(key) ORDER BY number LIMIT 1)"
  }

  /// Records that the recipe `key` was read from an archive, where its identifier is `uuid`.
  static func note(
    shared key: Int64,
    _ uuid: String,
    in file: (number: Int, name: String),
    _ time: Int64,
    on connection: Connection
  ) throws(SQLiteError) {
    try connection.run(
      "INSERT INTO \(table) (key, source, file, time, recipe, origin) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
      .integer(key),
      .integer(Int64(file.number)),
      .text(file.name),
      .integer(time),
      .text(uuid),
      .text(RecipeOrigin(shared: uuid).text)
    )
  }

  /// Returns the identifier of a recipe in the archive it comes from; `nil` for one from another file.
  static func sharedUUID(of key: Int64, on connection: Connection) throws(SQLiteError) -> String? {
    try connection.text("SELECT recipe FROM \(table) WHERE key = ?1 AND recipe IS NOT NULL LIMIT 1", .integer(key))
  }

  /// Reassigns the version of a duplicate to the other recipe.
  static func move(from key: Int64, to other: Int64, on connection: Connection) throws(SQLiteError) {
    try connection.run(
      "DELETE FROM \(table) WHERE key = ?1 AND origin IN (SELECT origin FROM \(table) WHERE key = ?2)",
      .integer(key),
      .integer(other)
    )
    try connection.run("UPDATE \(table) SET key = ?2 WHERE key = ?1", .integer(key), .integer(other))
  }

  /// Records the content and the origin of every recipe that was read.
  static func note(on connection: Connection) throws(SQLiteError) {
    try connection.run("DELETE FROM \(table) WHERE key NOT IN (SELECT id FROM main.Recipe)")
    try connection.run(
      """
      UPDATE \(table) SET (content, places) = (SELECT \(RecipeVersion.contentExpression),
        \(RecipeVersion.placesExpression) FROM main.Recipe AS r WHERE r.id = key) WHERE content IS NULL
      """
    )
    let rows = try connection.prepare(
      """
      SELECT v.number, r.format, (SELECT value FROM main.NativeID WHERE recipe_id = r.id AND format = r.format), r.page,
        r.title, v.file FROM \(table) AS v JOIN main.Recipe AS r ON r.id = v.key WHERE v.origin IS NULL ORDER BY v.number
      """
    )
    let update = try connection.prepare("UPDATE \(table) SET origin = ?2 WHERE number = ?1")
    // The numbers of recipes with one title in one file are in a table, as a file may have any number of recipes.
    let count = try connection.prepare(
      "INSERT INTO \(schema).counts VALUES (?1, 1) ON CONFLICT (origin) DO UPDATE SET number = number + 1 "
        + "RETURNING number"
    )
    while try rows.step() {
      let format = rows.text(at: 1) ?? ""
      let letters = String(decoding: FoldedText.letters(of: rows.text(at: 4) ?? ""), as: UTF8.self)
      var origin = RecipeOrigin(
        format: format, id: rows.text(at: 2), page: rows.text(at: 3), letters, rows.text(at: 5) ?? "")
      if origin.isFile {
        try count.bind([.text(origin.text)])
        if try count.step() { origin.number = Int(count.integer(at: 0)) }
        count.reset()
      }
      try update.run(.integer(rows.integer(at: 0)), .text(origin.text))
    }
  }

  /// Removes recipes of which a newer file has another version; returns their numbers, by the way they were recognized.
  static func removeOlder(on connection: Connection) throws(SQLiteError) -> [RecipeDuplicates.Way: Int64] {
    let older =
      "FROM \(table) AS v WHERE EXISTS (SELECT 1 FROM \(table) AS o WHERE o.origin = v.origin AND o.time > v.time)"
    var removed: [RecipeDuplicates.Way: Int64] = [:]
    try connection.forEachRow("SELECT v.origin \(older)") { row in
      removed[RecipeOrigin.way(row.text(at: 0) ?? ""), default: 0] += 1
    }
    guard !removed.isEmpty else { return removed }
    try connection.run("DELETE FROM main.Recipe WHERE id IN (SELECT v.key \(older))")
    try connection.run("DELETE FROM \(table) WHERE key NOT IN (SELECT id FROM main.Recipe)")
    return removed
  }
}
