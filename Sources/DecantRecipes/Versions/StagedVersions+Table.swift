internal import DecantRecipeFormats
internal import DecantSQLite

/// The table in which every version that is read is noted.
extension StagedVersions {
  /// The name under which the database of versions is attached to that of what was read, and its table.
  static let schema = "versions"
  static let table = "\(schema).read"

  /// Makes a database beside that of what is read, at `path`, which notes where each recipe was read.
  static func make(at path: String, on connection: Connection) throws(SQLiteError) {
    try connection.attach(path, as: schema)
    try connection.run("PRAGMA \(schema).journal_mode = OFF")
    try connection.run("PRAGMA \(schema).synchronous = OFF")
    try connection.run(
      """
      CREATE TABLE \(table) (number INTEGER PRIMARY KEY, key INTEGER, file TEXT, time INTEGER, recipe TEXT, origin TEXT,
        content TEXT, places TEXT, digest TEXT, former TEXT)
      """
    )
    try connection.run("CREATE TABLE \(schema).counts (origin TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID")
    try connection.run("CREATE TABLE \(schema).same (recipe TEXT, origin TEXT, digest TEXT, content TEXT, places TEXT)")
    try connection.run("CREATE INDEX \(table)_key ON read (key)")
    try connection.run("CREATE INDEX \(table)_origin ON read (origin)")
  }

  /// A statement that notes that the recipe `?1` was read in the file `?2`, which was last written at `?3`.
  static var insertion: String { "INSERT INTO \(table) (key, file, time) VALUES (?1, ?2, ?3)" }

  /// The number of the version that was noted last.
  static func last(on connection: Connection) throws(SQLiteError) -> Int64 {
    try connection.integer("SELECT max(number) FROM \(table)") ?? 0
  }

  /// Notes the digest of the document that all versions behind the number `last` were read in.
  static func note(_ digest: String, after last: Int64, on connection: Connection) throws(SQLiteError) {
    try connection.run("UPDATE \(table) SET digest = ?1 WHERE number > ?2", .text(digest), .integer(last))
  }

  /// Notes that the recipe `key` was read in an archive, where its identifier is `uuid`.
  static func note(
    shared key: Int64,
    _ uuid: String,
    in file: String,
    _ time: Int64,
    on connection: Connection
  ) throws(SQLiteError) {
    try connection.run(
      "INSERT INTO \(table) (key, file, time, recipe, origin) VALUES (?1, ?2, ?3, ?4, ?5)",
      .integer(key),
      .text(file),
      .integer(time),
      .text(uuid),
      .text(RecipeOrigin(shared: uuid).text)
    )
  }

  /// The identifier that a recipe has where it comes from; `nil` for one of a file.
  static func sharedUUID(of key: Int64, on connection: Connection) throws(SQLiteError) -> String? {
    try connection.text("SELECT recipe FROM \(table) WHERE key = ?1 AND recipe IS NOT NULL LIMIT 1", .integer(key))
  }

  /// Has the version of a recipe that counts as another one of the run become a version of that one.
  static func move(from key: Int64, to other: Int64, on connection: Connection) throws(SQLiteError) {
    try connection.run(
      "DELETE FROM \(table) WHERE key = ?1 AND origin IN (SELECT origin FROM \(table) WHERE key = ?2)",
      .integer(key),
      .integer(other)
    )
    try connection.run("UPDATE \(table) SET key = ?2 WHERE key = ?1", .integer(key), .integer(other))
  }

  /// Writes down what every recipe that was read is, and where it came from.
  static func note(on connection: Connection) throws(SQLiteError) {
    try connection.run("DELETE FROM \(table) WHERE key NOT IN (SELECT id FROM main.Recipe)")
    try connection.run(
      """
      UPDATE \(table) SET (content, places) = (SELECT \(RecipeVersion.contentExpression),
        \(RecipeVersion.placesExpression) FROM main.Recipe AS r WHERE r.id = key)
      """
    )
    let rows = try connection.prepare(
      """
      SELECT v.number, r.format, (SELECT value FROM main.NativeID WHERE recipe_id = r.id AND format = r.format), r.page,
        r.title, v.file FROM \(table) AS v JOIN main.Recipe AS r ON r.id = v.key WHERE v.origin IS NULL ORDER BY v.number
      """
    )
    let update = try connection.prepare("UPDATE \(table) SET origin = ?2 WHERE number = ?1")
    // How many there are of one title in one file: in a table, as a file may have any number of recipes.
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

  /// Removes recipes of which a file that was written later has another version; returns how many, by how they were found.
  static func removeOlder(on connection: Connection) throws(SQLiteError) -> [RecipeDuplicates.Way: Int64] {
    let older =
      "FROM \(table) AS v WHERE EXISTS (SELECT 1 FROM \(table) AS o WHERE o.origin = v.origin AND o.time > v.time)"
    var removed: [RecipeDuplicates.Way: Int64] = [:]
    try connection.forEachRow("SELECT v.origin \(older)") { row in
      removed[RecipeOrigin.way(row.text(at: 0) ?? ""), default: 0] += 1
    }
    try connection.run("DELETE FROM main.Recipe WHERE id IN (SELECT v.key \(older))")
    try connection.run("DELETE FROM \(table) WHERE key NOT IN (SELECT id FROM main.Recipe)")
    return removed
  }
}
