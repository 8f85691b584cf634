internal import DecantBase
internal import DecantSystem
internal import DecantJSON
internal import DecantSQLite

/// The backup of a whole Mealie server: a `database.json` with the rows of all its tables; the pictures are in
/// `data/recipes/<id>/images`.
///
/// The rows of a recipe may be anywhere in the file, so they are first stored in a temporary database and joined there.
/// The file also holds users with their passwords and tokens: those tables are never read.
package final class MealieBackup {
  private let connection: Connection
  private let path: String
  private let insertion: Statement

  /// The name of the file that holds the rows.
  static let fileName = "database.json"

  /// The tables that make up recipes; all others are skipped.
  static let tables: Set<String> = [
    "recipes", "recipes_ingredients", "recipe_instructions", "recipe_nutrition", "recipe_settings",
    "recipe_assets", "recipe_comments", "recipe_extras", "api_extras", "notes", "ingredient_units",
    "ingredient_foods", "tags", "categories", "tools", "recipes_to_tags", "recipes_to_categories",
    "recipes_to_tools",
  ]

  /// Whether a document with these top-level members is a backup.
  static func matches(_ names: some Collection<String>) -> Bool {
    names.contains("alembic_version") || names.contains("recipes_ingredients")
  }

  /// Whether a file with this name, or with a marker in its first bytes, is a backup.
  package static func isFile(_ entry: String, _ head: [UInt8]) -> Bool {
    if EntryPath.name(of: entry).lowercased() == fileName { return true }
    return head.withUnsafeBytes { head in
      var rest = head
      while let start = rest.baseAddress, let quote = memchr(start, 0x22, rest.count) {
        rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(quote) - start)...])
        if rest.count > 1, beginnings.contains(rest[1]), markers.contains(where: { rest.starts(with: $0) }) {
          return true
        }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
      }
      return false
    }
  }

  private static let markers = ["\"alembic_version\"", "\"recipes_ingredients\""].map { Array($0.utf8) }
  /// The byte after the quote of each marker.
  private static let beginnings = markers.map { $0[1] }

  /// Creates the database for the rows in `folder`.
  package init(folder: String) throws {
    let path = "\(folder)/mealie.sqlite"
    unlink(path)
    let connection = try Self.checked { () throws(SQLiteError) in
      try Connection(path, mode: .create)
    }
    (self.path, self.connection) = (path, connection)
    insertion = try Self.checked { () throws(SQLiteError) in
      try connection.run("PRAGMA journal_mode = OFF")
      try connection.run("PRAGMA synchronous = OFF")
      try connection.run("CREATE TABLE line (source TEXT, id TEXT, recipe TEXT, position REAL, linked TEXT, row TEXT)")
      try connection.run("BEGIN")
      return try connection.prepare("INSERT INTO line VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    }
  }

  deinit { unlink(path) }

  /// Stores all relevant rows of a document.
  ///
  /// - Returns: The problems with rows that could not be stored.
  /// - Throws: `RecipeFault` for invalid JSON.
  package func take(_ document: JSONDocument) throws -> [RecipeFault] {
    var faults: [RecipeFault] = []
    _ = try document.read(streaming: Self.tables, skipsOthers: true) { table, row in
      switch row {
      case .success(let row): if let table { try take(table: table, row: row) }
      case .failure(let fault): faults.append(fault)
      }
    }
    return faults
  }

  /// Stores a row of a relevant table; ignores others.
  func take(table: String, row: DocumentValue) throws {
    guard Self.tables.contains(table), row.isObject else { return }
    func key(_ name: String) throws -> Binding {
      guard let text = try row[name]?.trimmed else { return .null }
      return .text(text.plainUUID ?? text)
    }
    let linked = ["tag_id", "category_id", "tool_id"].first { row[$0] != nil }
    let position = row["position"]?.double
    let bindings: [Binding] = [
      .text(table), try key("id"),
      try row["recipe_id"] == nil ? key("recipee_id") : key("recipe_id"),
      position.map { .real($0) } ?? .null, try linked.map(key) ?? .null,
      .text(try row.withoutOwners.json.text),
    ]
    try Self.checked { () throws(SQLiteError) in
      insertion.reset()
      try insertion.bind(bindings)
      while try insertion.step() {}
    }
  }

  /// Passes the recipes to `body` in the order of their rows, each joined with all its data.
  ///
  /// - Parameters:
  ///   - spool: Holds the long texts of a recipe until `body` returns.
  ///   - body: Receives a recipe, or the reason a row cannot be read.
  /// - Throws: Errors from the database and from `body`.
  package func forEachRecipe(_ spool: TextSpool, _ body: (Result<Recipe, RecipeFault>) throws -> Void) throws {
    try Self.checked { () throws(SQLiteError) in
      insertion.reset()
      if !connection.isAutocommit { try connection.run("COMMIT") }
      try connection.run("CREATE INDEX IF NOT EXISTS line_recipe ON line (recipe, source)")
      try connection.run("CREATE INDEX IF NOT EXISTS line_id ON line (source, id)")
    }
    var place: Int64 = 0
    while true {
      let next = try rows(
        "SELECT rowid, row FROM line WHERE source = 'recipes' AND rowid > ?1 ORDER BY rowid LIMIT 1",
        [.integer(place)]
      )
      guard let (rowID, text) = next.first else { return }
      place = rowID
      let mark = spool.mark
      let result: Result<Recipe, RecipeFault>
      do {
        result = .success(try recipe(text, spool))
      } catch let fault as RecipeFault {
        result = .failure(fault)
      }
      try body(result)
      spool.clear(from: mark)
    }
  }

  /// Joins everything that belongs to the recipe in the row `text`.
  private func recipe(_ text: String, _ spool: TextSpool) throws -> Recipe {
    func parsed(_ text: String) throws -> DocumentValue {
      try JSONDocument(.short(text), spool: spool).read()
    }
    let row = try parsed(text)
    guard let id = try row["id"]?.trimmed else {
      throw RecipeFault("a recipe of the backup has no ID")
    }
    let key = id.plainUUID ?? id
    let size = try rows("SELECT sum(length(row)), NULL FROM line WHERE recipe = ?1", [.text(key)])
    guard (size.first?.rowID ?? 0) <= 64 << 20 else {
      throw RecipeFault("a recipe of the backup takes more than 64 MiB")
    }
    func parts(_ table: String) throws -> [DocumentValue] {
      try rows(
        "SELECT rowid, row FROM line WHERE recipe = ?1 AND source = ?2 ORDER BY position, rowid",
        [.text(key), .text(table)]
      ).map { try parsed($0.text) }
    }
    func linked(_ table: String, through link: String) throws -> [DocumentValue] {
      try rows(
        """
        SELECT link.rowid, line.row FROM line AS link
          JOIN line ON line.source = ?3 AND line.id = link.linked
          WHERE link.recipe = ?1 AND link.source = ?2 ORDER BY link.rowid
        """,
        [.text(key), .text(link), .text(table)]
      ).compactMap { try parsed($0.text)["name"] }
    }
    func named(_ table: String, _ id: DocumentValue?) throws -> DocumentValue {
      guard let id = try id?.trimmed else { return .null }
      let found = try rows(
        "SELECT rowid, row FROM line WHERE source = ?1 AND id = ?2 ORDER BY rowid LIMIT 1",
        [.text(table), .text(id.plainUUID ?? id)]
      )
      return try found.first.flatMap { try parsed($0.text)["name"] } ?? .null
    }
    let ingredients = try parts("recipes_ingredients").map { row in
      DocumentValue.object(
        row.members.filter { !["unit_id", "food_id"].contains($0.0) } + [
          ("unit", try named("ingredient_units", row["unit_id"])),
          ("food", try named("ingredient_foods", row["food_id"])),
        ]
      )
    }
    let joined: [(String, [DocumentValue])] = [
      ("recipe_ingredient", ingredients), ("recipe_instructions", try parts("recipe_instructions")),
      ("notes", try parts("notes")), ("assets", try parts("recipe_assets")),
      ("comments", try parts("recipe_comments")),
      ("extras", try parts("api_extras") + parts("recipe_extras")),
      ("tags", try linked("tags", through: "recipes_to_tags")),
      ("recipe_category", try linked("categories", through: "recipes_to_categories")),
      ("tools", try linked("tools", through: "recipes_to_tools")),
    ]
    let single = [
      ("nutrition", try parts("recipe_nutrition").first ?? .null),
      ("settings", try parts("recipe_settings").first ?? .null),
    ]
    var recipe = try MealieFormat.recipe(.object(row.members + joined.map { ($0, .array($1)) } + single))
    // The value is not the name of a file; without one there is no picture.
    if row["image"] != nil {
      let folders = [recipe.nativeID, recipe.nativeID?.plainUUID, id].compactMap { $0 }
        .withoutRepeats
      var image = RecipeImage(
        .file(
          folders.flatMap { folder in
            MealieFormat.pictureNames.map { "data/recipes/\(folder)/images/\($0)" }
          }
        )
      )
      image.isNamed = false
      recipe.images = [image]
    }
    return recipe
  }

  private func rows(_ sql: String, _ bindings: [Binding]) throws -> [(rowID: Int64, text: String)] {
    try Self.checked { () throws(SQLiteError) in
      let statement = try connection.prepare(sql)
      try statement.bind(bindings)
      var rows: [(rowID: Int64, text: String)] = []
      while try statement.step() {
        rows.append((statement.integer(at: 0), statement.text(at: 1) ?? ""))
      }
      return rows
    }
  }

  private static func checked<Value>(_ body: () throws(SQLiteError) -> Value) throws(DecantError) -> Value {
    do {
      return try body()
    } catch {
      throw DecantError("the recipes of a Mealie backup cannot be sorted", cause: error)
    }
  }
}

extension DocumentValue {
  /// The row without the columns that identify its owners.
  fileprivate var withoutOwners: DocumentValue {
    let owners = ["user_id", "group_id", "household_id"]
    return .object(members.filter { !owners.contains($0.0) })
  }
}
