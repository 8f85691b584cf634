internal import DecantArchive
internal import DecantBase
internal import DecantPlan
internal import DecantRecipeFormats
internal import DecantSQLite
internal import DecantStore

/// Reads recipe archives that decant has written, alone or in pages and mails, as recipe files.
///
/// Nothing is lost: every column of the recipe model is copied unchanged, and recipes keep their `uuid`.
final class RecipeArchives {
  private let stager: RecipeStager
  private let findings: RecipeFindings
  let limits: ArchiveLimits
  private let cancellation: Cancellation
  private var count = 0

  /// The name under which recipes from archives are counted in reports.
  static let format = "decant"

  init(_ stager: RecipeStager, _ findings: RecipeFindings, limits: ArchiveLimits, cancellation: Cancellation) {
    (self.stager, self.findings, self.limits, self.cancellation) = (stager, findings, limits, cancellation)
  }

  // MARK: Recognition

  /// Whether an archive contains nothing but recipes in decant's own model, and is complete.
  static func isRecipes(_ header: ArchiveHeader) -> Bool {
    guard !header.hasModel, header.rejectCount == nil, header.part == 1 else { return false }
    let entities = header.model.model.entities
    let tables = RecipeSchema.tables
    return entities.contains { $0.name == RecipeTable.recipe.name }
      && entities.allSatisfy { entity in
        guard let table = tables.first(where: { $0.name == entity.name }) else { return false }
        let columns = Set(table.columns.map(\.name) + ["id", "recipe_position"])
        return entity.attributes.allSatisfy { columns.contains($0.name) }
      }
  }

  /// The kind of a file: a recipe archive and nothing else, another archive, which is imported separately, or neither.
  enum Look {
    case recipes, other, none
  }

  /// Examines the file at `path`; without `limits`, no archive counts as one of recipes.
  static func look(at path: String, _ limits: ArchiveLimits?) -> Look {
    guard ArchiveStream.isArchive(path), ArchiveStream.isAlone(path, limits ?? ArchiveLimits()) else { return .none }
    guard let limits, let header = try? ArchiveParts.header(of: path, limits) else { return .other }
    return isRecipes(header) ? .recipes : .other
  }

  /// Whether the file at `path` is a recipe archive, and nothing else.
  func isRecipes(_ path: String) -> Bool { Self.look(at: path, limits) == .recipes }

  /// Whether a document may hold an archive, judging by its beginning.
  static func mayBeOne(_ input: RecipeInput) -> Bool {
    switch input.kind {
    case .json: ArchiveStream.isArchive(head: input.head)
    case .html: ArchiveStream.isOwnPage(head: input.head)
    case .text: ArchiveStream.isMail(head: input.head)
    case .xml, .packed, .picture, .database, .empty, .unknown, .foreign, .saved: false
    }
  }

  // MARK: Reading

  /// Takes all recipes of the archive at `path`.
  ///
  /// - Throws: `DecantError` if the archive is damaged; then no recipe was taken.
  func take(_ path: String, _ entry: RecipeEntry) throws {
    let archive = try StagedArchive.read([path], limits: limits, cancellation: cancellation)
    try stager.rest()
    let connection = stager.connection
    // Databases can be attached and detached only outside of transactions.
    try connection.run("COMMIT")
    try connection.attach(DatabaseFile.uri(of: archive.databasePath, "mode=ro"), as: "archive")
    try connection.run("BEGIN")
    for key in try copy() {
      try settle(key, entry)
      findings.count(Self.format)
    }
    try connection.run("COMMIT")
    try connection.detach("archive")
    try connection.run("BEGIN")
  }

  /// Copies the rows of the attached archive after those already present, and returns the keys of the recipes.
  private func copy() throws(SQLiteError) -> [Int64] {
    let connection = stager.connection
    func last(_ table: RecipeTable) throws(SQLiteError) -> Int64 {
      try connection.integer("SELECT max(id) FROM main.\(table.name)") ?? 0
    }
    let (recipe, step) = (try last(.recipe), try last(.step))
    for name in ["Source"] + RecipeSchema.namedTables.map(\.0) {
      try connection.run("INSERT OR IGNORE INTO main.\(name) (name) SELECT name FROM archive.\(name)")
    }
    func columns(_ table: RecipeTable) -> String { table.columns.map(\.name).joined(separator: ", ") }
    try connection.run(
      """
      INSERT INTO main.Recipe (id, source_id, \(columns(.recipe)))
      SELECT id + ?1, (SELECT n.id FROM main.Source AS n JOIN archive.Source AS s USING (name) WHERE s.id = source_id),
        \(columns(.recipe)) FROM archive.Recipe
      """,
      .integer(recipe)
    )
    for table in [RecipeTable.ingredient, .nutrition] {
      try connection.run(
        "INSERT INTO main.\(table.name) (recipe_id, recipe_position, \(columns(table))) "
          + "SELECT recipe_id + ?1, recipe_position, \(columns(table)) FROM archive.\(table.name) ORDER BY id",
        .integer(recipe)
      )
    }
    try connection.run(
      "INSERT INTO main.Step (id, recipe_id, recipe_position, \(columns(.step))) "
        + "SELECT id + ?2, recipe_id + ?1, recipe_position, \(columns(.step)) FROM archive.Step",
      .integer(recipe),
      .integer(step)
    )
    try connection.run(
      "INSERT INTO main.Image (recipe_id, recipe_position, step_id, \(columns(.image))) "
        + "SELECT recipe_id + ?1, recipe_position, step_id + ?2, \(columns(.image)) FROM archive.Image ORDER BY id",
      .integer(recipe),
      .integer(step)
    )
    try connection.run(
      "INSERT INTO main.NativeID (recipe_id, \(columns(.nativeID))) "
        + "SELECT recipe_id + ?1, \(columns(.nativeID)) FROM archive.NativeID",
      .integer(recipe)
    )
    for (name, links) in RecipeSchema.namedTables {
      try connection.run(
        """
        INSERT INTO main.\(links) (Recipe_id, \(name)_id) SELECT l.Recipe_id + ?1, n.id FROM archive.\(links) AS l
        JOIN archive.\(name) AS s ON s.id = l.\(name)_id JOIN main.\(name) AS n USING (name)
        """,
        .integer(recipe)
      )
    }
    var keys: [Int64] = []
    try connection.forEachRow("SELECT id FROM main.Recipe WHERE id > ?1", .integer(recipe)) { row in
      keys.append(row.integer(at: 0))
    }
    return keys
  }

  /// Sets the derived values of a recipe from its current ones, and notes where it comes from.
  private func settle(_ key: Int64, _ entry: RecipeEntry) throws(SQLiteError) {
    let connection = stager.connection
    let uuid = try connection.text("SELECT uuid FROM main.Recipe WHERE id = ?1", .integer(key)) ?? ""
    try StagedVersions.note(shared: key, uuid, in: (stager.fileNumber, entry.name), stager.fileTime, on: connection)
    // The sender may have changed the recipe since it was imported.
    let url = try connection.text("SELECT url FROM main.Recipe WHERE id = ?1", .integer(key))
    let fingerprint = RecipeContentFunction.expression(key: "id", link: "recipe_id")
    try connection.run(
      "UPDATE main.Recipe AS r SET uuid = ?2, page = ?3, fingerprint = \(fingerprint) WHERE id = ?1",
      .integer(key),
      // The identifier is determined later.
      .text(""),
      .optional(url.flatMap(PageAddress.normalized))
    )
  }
}
