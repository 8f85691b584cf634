internal import DecantSQLite
internal import DecantStore

/// The tables of the recipe model in a plain database, into which Core Data stores of `samples/Recipes.xcdatamodeld`
/// are also copied.
enum RecipeSchema {
  /// Creates the tables in `main`.
  static func make(on connection: Connection) throws(SQLiteError) {
    for statement in statements { try connection.run(statement) }
  }

  /// All tables that have columns other than keys and links.
  static let tables: [RecipeTable] = [
    .category, .image, .ingredient, .nativeID, .nutrition, .recipe, .source, .step, .tag,
  ]

  /// The tables of names that recipes share, with the tables of their links.
  static let namedTables = [("Category", "Category_recipes"), ("Tag", "Recipe_tags")]

  /// Creates the table of the imported versions, unless it exists.
  ///
  /// An origin identifies where a version came from: the next version of the same file has the same origin.
  static func makeVersions(on connection: Connection) throws(SQLiteError) {
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS \(OwnTables.importedVersions) (recipe TEXT NOT NULL, origin TEXT NOT NULL,
        content TEXT NOT NULL, places TEXT NOT NULL, digest TEXT, PRIMARY KEY (recipe, origin))
      """
    )
    if try !hasDigests(on: connection) {
      try connection.run("ALTER TABLE main.\(OwnTables.importedVersions) ADD COLUMN digest TEXT")
    }
    try connection.run(
      "CREATE INDEX IF NOT EXISTS \(OwnTables.importedVersions)_origin ON \(OwnTables.importedVersions) (origin)"
    )
  }

  /// Whether the table of versions has the digests of files, which earlier builds did not keep.
  static func hasDigests(on connection: Connection) throws(SQLiteError) -> Bool {
    try connection.integer(
      "SELECT 1 FROM pragma_table_info('\(OwnTables.importedVersions)', 'main') WHERE name = 'digest'") == 1
  }

  /// Creates the indexes of the columns that identify recipes, once their values are known.
  static func makeIdentities(on connection: Connection) throws(SQLiteError) {
    try connection.run("CREATE UNIQUE INDEX Recipe_uuid ON Recipe (uuid)")
    try connection.run("CREATE UNIQUE INDEX NativeID_format_value ON NativeID (format, value)")
  }

  /// The first columns of a part of a recipe, in an ordered or an unordered list.
  private static let part =
    "id INTEGER PRIMARY KEY, recipe_id INTEGER NOT NULL REFERENCES Recipe (id) ON DELETE CASCADE"
  private static let listed = "\(part), recipe_position INTEGER"

  private static let statements = [
    "CREATE TABLE Source (id INTEGER PRIMARY KEY, \(RecipeTable.source.definitions))",
    "CREATE UNIQUE INDEX Source_name ON Source (name)",
    """
    CREATE TABLE Recipe (id INTEGER PRIMARY KEY, \(RecipeTable.recipe.definitions),
      source_id INTEGER REFERENCES Source (id) ON DELETE SET NULL)
    """,
    "CREATE INDEX Recipe_page ON Recipe (page)",
    "CREATE INDEX Recipe_fingerprint ON Recipe (fingerprint)",
    "CREATE INDEX Recipe_source_id ON Recipe (source_id)",
    "CREATE TABLE Ingredient (\(listed), \(RecipeTable.ingredient.definitions))",
    "CREATE INDEX Ingredient_recipe_id ON Ingredient (recipe_id)",
    "CREATE TABLE Step (\(listed), \(RecipeTable.step.definitions))",
    "CREATE INDEX Step_recipe_id ON Step (recipe_id)",
    """
    CREATE TABLE Image (\(listed), step_id INTEGER REFERENCES Step (id) ON DELETE SET NULL,
      \(RecipeTable.image.definitions))
    """,
    "CREATE INDEX Image_recipe_id ON Image (recipe_id)",
    "CREATE INDEX Image_step_id ON Image (step_id)",
    "CREATE TABLE Nutrition (\(listed), \(RecipeTable.nutrition.definitions))",
    "CREATE INDEX Nutrition_recipe_id ON Nutrition (recipe_id)",
    "CREATE TABLE NativeID (\(part), \(RecipeTable.nativeID.definitions))",
    "CREATE INDEX NativeID_recipe_id ON NativeID (recipe_id)",
    "CREATE TABLE Category (id INTEGER PRIMARY KEY, \(RecipeTable.category.definitions))",
    "CREATE UNIQUE INDEX Category_name ON Category (name)",
    "CREATE TABLE Tag (id INTEGER PRIMARY KEY, \(RecipeTable.tag.definitions))",
    "CREATE UNIQUE INDEX Tag_name ON Tag (name)",
    """
    CREATE TABLE Category_recipes (Category_id INTEGER NOT NULL REFERENCES Category (id) ON DELETE CASCADE,
      Recipe_id INTEGER NOT NULL REFERENCES Recipe (id) ON DELETE CASCADE,
      PRIMARY KEY (Category_id, Recipe_id))
    """,
    "CREATE INDEX Category_recipes_Recipe_id ON Category_recipes (Recipe_id)",
    """
    CREATE TABLE Recipe_tags (Recipe_id INTEGER NOT NULL REFERENCES Recipe (id) ON DELETE CASCADE,
      Tag_id INTEGER NOT NULL REFERENCES Tag (id) ON DELETE CASCADE,
      PRIMARY KEY (Recipe_id, Tag_id))
    """,
    "CREATE INDEX Recipe_tags_Tag_id ON Recipe_tags (Tag_id)",
  ]
}
