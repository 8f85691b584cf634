internal import Decant
internal import SQLite

/// What a recipe that was read has more than the one that it was found to be, or has otherwise.
struct RecipeAdditions {
  private let connection: Connection
  private let differsFromKnown, differsFromStaged, isBare, isSame, isSameStaged: Statement
  private let moves: [Statement]
  private let details: Statement

  /// Prepares to compare recipes with those that `KnownRecipes` knows.
  init(on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    // Another format may lack a field or round a picture: only what is not there at all counts then.
    func difference(_ known: String, images: String) -> String {
      let values = KnownRecipes.values.map { name in
        """
        n.\(name) IS NOT NULL AND (k.\(name) IS NULL OR n.format IS k.format AND n.\(name) <> k.\(name))
        """
      }
      return """
        SELECT \(values.joined(separator: " OR ")) OR EXISTS (SELECT 1 FROM main.Image AS i
          WHERE i.recipe_id = n.id AND i.sha256 NOT IN (\(images))
          AND (n.format IS k.format OR NOT EXISTS (\(images))))
        FROM main.Recipe AS n, \(known) WHERE n.id = ?1
        """
    }
    let ofKnown = "SELECT sha256 FROM temp.known_images AS o WHERE o.uuid = k.uuid"
    let ofStaged = "SELECT sha256 FROM main.Image AS o WHERE o.recipe_id = k.id"
    let known = "temp.known AS k ON k.uuid = ?2"
    let staged = "main.Recipe AS k ON k.id = ?2"
    differsFromKnown = try connection.prepare(difference(known, images: ofKnown))
    differsFromStaged = try connection.prepare(difference(staged, images: ofStaged))
    isBare = try connection.prepare(
      """
      SELECT NOT EXISTS (SELECT 1 FROM main.Ingredient WHERE recipe_id = ?1 AND NOT isHeading)
        AND NOT EXISTS (SELECT 1 FROM main.Step WHERE recipe_id = ?1 AND NOT isHeading)
      """
    )
    func sameness(_ known: String, images: String) -> String {
      let values = KnownRecipes.values.map { "n.\($0) IS k.\($0)" }
      return """
        SELECT \(values.joined(separator: " AND ")) AND NOT EXISTS (SELECT 1 FROM main.Image AS i
          WHERE i.recipe_id = n.id AND i.sha256 NOT IN (\(images))) AND
          (SELECT count(*) FROM main.Image WHERE recipe_id = n.id) = (SELECT count(*) FROM (\(images)))
        FROM main.Recipe AS n, \(known) WHERE n.id = ?1
        """
    }
    isSame = try connection.prepare(sameness(known, images: ofKnown))
    isSameStaged = try connection.prepare(sameness(staged, images: ofStaged))
    moves = try Self.moves.map { sql throws(SQLiteError) in try connection.prepare(sql) }
    details = try connection.prepare(
      """
      SELECT json_array(\(KnownRecipes.values.joined(separator: ", ")),
        (SELECT group_concat(sha256) FROM (SELECT sha256 FROM main.Image WHERE recipe_id = ?1 ORDER BY sha256)))
      FROM main.Recipe WHERE id = ?1
      """
    )
  }

  /// The columns of a recipe that one of the same content may lend another.
  private static let lent = [
    "summary", "notes", "author", "url", "page", "yield", "servings", "prepTime", "prepMinutes",
    "cookTime",
    "cookMinutes", "totalTime", "totalMinutes", "rating", "difficulty", "isFavorite", "language",
    "created",
    "modified", "source_id",
  ]

  /// What makes the recipe ?2 of the recipe ?1 as well.
  static var moves: [String] {
    let columns = lent.map {
      "\($0) = coalesce(\($0), (SELECT n.\($0) FROM main.Recipe AS n WHERE n.id = ?1))"
    }
    let owned = ["Image", "Nutrition"].map { table in
      """
      UPDATE main.\(table) SET recipe_id = ?2\(table == "Image" ? ", step_id = NULL" : "") WHERE recipe_id = ?1
        AND NOT EXISTS (SELECT 1 FROM main.\(table) WHERE recipe_id = ?2)
      """
    }
    let links = [("Category_recipes", "Category_id"), ("Recipe_tags", "Tag_id")].map {
      table,
      other in
      "INSERT OR IGNORE INTO main.\(table) (Recipe_id, \(other)) SELECT ?2, \(other) FROM main.\(table) "
        + "WHERE Recipe_id = ?1"
    }
    let ids = """
      UPDATE main.NativeID SET recipe_id = ?2 WHERE recipe_id = ?1 AND NOT EXISTS
        (SELECT 1 FROM main.NativeID AS o WHERE o.recipe_id = ?2 AND o.format = NativeID.format)
      """
    return ["UPDATE main.Recipe SET \(columns.joined(separator: ", ")) WHERE id = ?2"] + owned
      + links + [ids]
  }

  /// Whether `recipe` has something that `match` lacks, or that is not the same in the same format.
  func differs(_ recipe: StagedRecipe, from match: KnownRecipes.Match) throws(SQLiteError) -> Bool {
    try isTrue(match.key == nil ? differsFromKnown : differsFromStaged, recipe, match)
  }

  /// Whether `recipe` has neither ingredients nor steps: then its title is all that a fingerprint tells.
  func isBare(_ recipe: StagedRecipe) throws(SQLiteError) -> Bool {
    try isBare.bind([.integer(recipe.key)])
    defer { isBare.reset() }
    guard try isBare.step() else { return false }
    return isBare.integer(at: 0) != 0
  }

  /// Whether `recipe` has all that `match` has, and no more.
  func isSame(_ recipe: StagedRecipe, as match: KnownRecipes.Match) throws(SQLiteError) -> Bool {
    try isTrue(match.key == nil ? isSame : isSameStaged, recipe, match)
  }

  /// Gives the recipe at row `key` what `recipe`, which is the same, has more.
  func move(from recipe: StagedRecipe, to key: Int64) throws(SQLiteError) {
    for statement in moves { try statement.run(.integer(recipe.key), .integer(key)) }
  }

  /// What a recipe has besides its content, as one text.
  func details(of recipe: StagedRecipe) throws(SQLiteError) -> String {
    try details.bind([.integer(recipe.key)])
    defer { details.reset() }
    guard try details.step() else { return "" }
    return details.text(at: 0) ?? ""
  }

  private func isTrue(_ statement: Statement, _ recipe: StagedRecipe, _ match: KnownRecipes.Match)
    throws(SQLiteError) -> Bool
  {
    try statement.bind([.integer(recipe.key), match.key.map { .integer($0) } ?? .text(match.uuid)])
    defer { statement.reset() }
    guard try statement.step() else { return false }
    return statement.integer(at: 0) != 0
  }
}
