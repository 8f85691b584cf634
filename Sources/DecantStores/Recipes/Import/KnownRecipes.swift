internal import Decant
internal import SQLite

/// The recipes that are there: those of the destination, and those that came earlier in the files.
///
/// They lie in temporary tables beside the recipes that were read.
struct KnownRecipes {
  /// One that a recipe at hand may be.
  struct Match {
    let uuid: String
    let fingerprint: String?
    /// Its row among the recipes that were read; `nil` for one of the destination.
    let key: Int64?
  }

  /// What is known of a recipe of the destination, besides what tells it from others.
  static let values = ["summary", "notes", "rating", "yield", "prepTime", "cookTime", "totalTime"]

  private let connection: Connection
  private let byID, byUUID, byTitle, byPage, byContent: Statement
  private let insertKnown, insertID, insertImage, ownIDs: Statement

  /// Makes the tables.
  init(on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    for statement in [
      """
      CREATE TABLE temp.known (uuid TEXT PRIMARY KEY, title BLOB, page TEXT, fingerprint TEXT, file TEXT,
        key INTEGER, format TEXT, modified TEXT, \(Self.values.joined(separator: ", ")))
      """,
      "CREATE INDEX temp.known_page ON known (page, title) WHERE page IS NOT NULL",
      "CREATE INDEX temp.known_fingerprint ON known (fingerprint)",
      """
      CREATE TABLE temp.known_ids (format TEXT, value TEXT, uuid TEXT, PRIMARY KEY (format, value))
        WITHOUT ROWID
      """,
      "CREATE INDEX temp.known_ids_uuid ON known_ids (uuid, format)",
      "CREATE TABLE temp.known_images (uuid TEXT, sha256 TEXT, PRIMARY KEY (uuid, sha256)) WITHOUT ROWID",
    ] { try connection.run(statement) }
    // What decant wrote itself goes by the identifier that the recipe has in its store.
    byID = try connection.prepare(
      """
      SELECT k.uuid, k.fingerprint, k.key FROM main.NativeID AS n JOIN temp.known_ids AS i
      ON i.format = n.format AND i.value = n.value JOIN temp.known AS k ON k.uuid = i.uuid
      WHERE n.recipe_id = ?1
      UNION ALL
      SELECT k.uuid, k.fingerprint, k.key FROM main.NativeID AS n JOIN temp.known AS k ON k.uuid = n.value
      WHERE n.recipe_id = ?1 AND k.key IS NULL LIMIT 1
      """
    )
    byUUID = try connection.prepare("SELECT 1 FROM temp.known WHERE uuid = ?1")
    // A page may hold several recipes: then their titles tell them apart. Two that are alike in one file are two.
    byTitle = try connection.prepare(
      """
      SELECT uuid, fingerprint, key FROM temp.known WHERE page = ?1 AND title = ?2 AND file IS NOT ?3 LIMIT 1
      """
    )
    byPage = try connection.prepare(
      """
      SELECT uuid, fingerprint, key FROM temp.known AS k WHERE page = ?1 AND file IS NOT ?3
      AND (SELECT count(*) FROM (SELECT 1 FROM temp.known WHERE page = ?1 LIMIT 2)) = 1
      AND (SELECT count(*) FROM (SELECT 1 FROM main.Recipe WHERE page = ?1 AND format = ?2 LIMIT 2)) = 1
      """
    )
    // Two that one app tells apart are two, where they come in one run.
    byContent = try connection.prepare(
      """
      SELECT uuid, fingerprint, key FROM temp.known AS k WHERE fingerprint = ?1 AND file IS NOT ?2
      AND (file IS NULL OR NOT EXISTS (SELECT 1 FROM main.NativeID AS n JOIN temp.known_ids AS i
        ON i.uuid = k.uuid AND i.format = n.format AND i.value <> n.value WHERE n.recipe_id = ?3))
      LIMIT 100
      """
    )
    let count = 8 + Self.values.count
    insertKnown = try connection.prepare(
      "INSERT OR IGNORE INTO temp.known VALUES (\((1...count).map { "?\($0)" }.joined(separator: ", ")))"
    )
    insertID = try connection.prepare("INSERT OR IGNORE INTO temp.known_ids VALUES (?1, ?2, ?3)")
    insertImage = try connection.prepare("INSERT OR IGNORE INTO temp.known_images VALUES (?1, ?2)")
    ownIDs = try connection.prepare(
      """
      INSERT OR IGNORE INTO temp.known_ids SELECT format, value, ?1 FROM main.NativeID
      WHERE recipe_id = ?2
      """
    )
  }

  // MARK: What is there

  /// Notes a recipe of the destination, with what it has for `values`.
  func note(
    uuid: String,
    title: String,
    page: String?,
    fingerprint: String?,
    format: String?,
    modified: String?,
    values: [Binding]
  ) throws(SQLiteError) {
    try run(
      insertKnown,
      [
        .text(uuid), .blob(FoldedText.letters(of: title)), .optional(page), .optional(fingerprint),
        .null, .null, .optional(format), .optional(modified),
      ] + values
    )
  }

  /// Notes what a recipe of the destination is called in a format.
  func note(format: String, id: String, uuid: String) throws(SQLiteError) {
    try insertID.run(.text(format), .text(id), .text(uuid))
  }

  /// Notes a picture of a recipe of the destination.
  func note(picture digest: String, of uuid: String) throws(SQLiteError) {
    try insertImage.run(.text(uuid), .text(digest))
  }

  /// Notes a recipe that was read; what is read later is compared with it as well.
  func note(_ recipe: StagedRecipe, uuid: String) throws(SQLiteError) {
    try run(
      insertKnown,
      [
        .text(uuid), .blob(FoldedText.letters(of: recipe.title)), .optional(recipe.page),
        .text(recipe.fingerprint), .text(recipe.file), .integer(recipe.key), .text(recipe.format),
        .optional(recipe.modified),
      ] + Self.values.map { _ in .null }
    )
    try ownIDs.run(.text(uuid), .integer(recipe.key))
  }

  /// Forgets a recipe in whose place another one comes; its names in formats stay.
  func forget(_ match: Match) throws(SQLiteError) {
    try connection.run("DELETE FROM temp.known WHERE uuid = ?1", .text(match.uuid))
    try connection.run("DELETE FROM temp.known_images WHERE uuid = ?1", .text(match.uuid))
  }

  // MARK: Searches

  /// Whether `match` was last changed before `recipe`, as far as both say when.
  func isOlder(_ match: Match, than recipe: StagedRecipe) throws(SQLiteError) -> Bool {
    try connection.integer(
      "SELECT julianday(?2) > julianday(modified) FROM temp.known WHERE uuid = ?1",
      .text(match.uuid),
      .optional(recipe.modified)
    ) == 1
  }

  /// Whether some recipe has this identifier.
  func has(uuid: String) throws(SQLiteError) -> Bool {
    try byUUID.bind([.text(uuid)])
    defer { byUUID.reset() }
    return try byUUID.step()
  }

  /// The recipe that goes by one of the names that formats have for this one.
  func match(byIDOf recipe: StagedRecipe) throws(SQLiteError) -> Match? {
    try first(byID, [.integer(recipe.key)])
  }

  /// The recipe that comes from the same page.
  func match(byPageOf recipe: StagedRecipe) throws(SQLiteError) -> Match? {
    guard let page = recipe.page else { return nil }
    let title = FoldedText.letters(of: recipe.title)
    if let match = try first(byTitle, [.text(page), .blob(title), .text(recipe.file)]) {
      return match
    }
    return try first(byPage, [.text(page), .text(recipe.format), .text(recipe.file)])
  }

  /// Those that hold the same, up to a hundred.
  func matches(byContentOf recipe: StagedRecipe) throws(SQLiteError) -> [Match] {
    try byContent.bind([
      .text(recipe.fingerprint), .text(recipe.file), .integer(recipe.key),
    ])
    defer { byContent.reset() }
    var matches: [Match] = []
    while try byContent.step() { matches.append(Self.match(byContent)) }
    return matches
  }

  private func run(_ statement: Statement, _ values: [Binding]) throws(SQLiteError) {
    try statement.bind(values)
    defer { statement.reset() }
    _ = try statement.step()
  }

  private func first(_ statement: Statement, _ values: [Binding]) throws(SQLiteError) -> Match? {
    try statement.bind(values)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return Self.match(statement)
  }

  private static func match(_ row: Statement) -> Match {
    Match(
      uuid: row.text(at: 0) ?? "",
      fingerprint: row.text(at: 1),
      key: row.integerOrNil(at: 2)
    )
  }
}

/// A recipe that was read, as far as it is told apart from others.
struct StagedRecipe {
  /// Its row.
  let key: Int64
  let title: String
  /// The page that it comes from, as `PageAddress` has it.
  let page: String?
  let fingerprint, format: String
  /// When it was last changed, as its file says.
  let modified: String?
  /// The number of the file that it came in.
  let file: String
}
