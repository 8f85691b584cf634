package import DecantRecipeFormats
package import DecantBase
internal import DecantPlan
internal import DecantDigests
internal import DecantJSON
internal import DecantSQLite

/// The recipes of a plain database of the recipe model, one after the other.
package final class StoredRecipes {
  /// A recipe as it is stored.
  package struct Entry {
    package var recipe: Recipe
    /// The format that it came in.
    let format: String
    let uuid: String
    /// What each format calls it.
    let ids: [String: String]
    let images: [Image]
    /// Whether title, ingredients or steps are others than when it was imported.
    let isEdited: Bool
    /// What somebody has written into the store that no format can hold, in words.
    package let unread: [String]

    /// The recipe with every picture that it has, of which a format that is text knows the number only.
    var plain: Recipe {
      var recipe = recipe
      recipe.images = images.indices.map { RecipeImage(.taken(Int64($0))) }
      return recipe
    }
  }

  /// A picture of a recipe: its row, and what stands beside its bytes.
  struct Image {
    let row: Int64
    /// What its bytes say.
    let format: ImageFormat
    /// Its SHA-256 in hexadecimal digits.
    let digest: String
    let caption: String?
    let name: String?
    /// The number in the recipe's steps of the step that it shows.
    let step: Int?
    let extra: [(String, JSONValue)]

    /// The ending of a file of this type.
    var pathExtension: String { format == .jpeg ? "jpg" : format.rawValue }
  }

  let connection: Connection
  /// Whether durations of ISO 8601 stay what they are; else they are said in words.
  private let keepsDurations: Bool
  /// Told the SHA-256 of the bytes of every picture that was lent.
  package var onPicture: (String) throws -> Void = { _ in }
  private let recipes, ingredients, steps, images, nutrition, ids: Statement
  private let named: [Statement]
  private let json: WrittenJSON
  /// Of the recipe at hand.
  private var unread: [String] = []

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: The database, or its URI.
  ///   - place: What the user calls it.
  ///   - keepsDurations: Whether durations of ISO 8601 stay what they are.
  ///   - key: The only recipe that is read; `nil` for all.
  /// - Throws: `DecantError` of the family `.modelMismatch` where it has no recipes as decant makes them.
  package init(_ path: String, of place: String, keepsDurations: Bool, only key: Int64? = nil) throws(DecantError) {
    self.keepsDurations = keepsDurations
    json = try WrittenJSON()
    do throws(SQLiteError) {
      let connection = try Connection(path, mode: .readOnly)
      self.connection = connection
      func columns(_ fields: [RecipeColumn]) -> String {
        fields.map(\.name).joined(separator: ", ")
      }
      recipes = try connection.prepare(
        """
        SELECT r.id, uuid, format, fingerprint, extra, s.name, \(columns(Recipe.fields.columns()))
        FROM Recipe AS r LEFT JOIN Source AS s ON s.id = r.source_id
        \(key.map { "WHERE r.id = \($0)" } ?? "ORDER BY r.id")
        """
      )
      ingredients = try connection.prepare(
        """
        SELECT extra, \(columns(RecipeIngredient.fields.columns())) FROM Ingredient WHERE recipe_id = ?1
        ORDER BY recipe_position, id
        """
      )
      steps = try connection.prepare(
        """
        SELECT id, extra, \(columns(RecipeStep.fields.columns())) FROM Step WHERE recipe_id = ?1
        ORDER BY recipe_position, id
        """
      )
      images = try connection.prepare(
        """
        SELECT id, sha256, typeof(data), caption, name, step_id, extra FROM Image
        WHERE recipe_id = ?1 ORDER BY recipe_position, id
        """
      )
      nutrition = try connection.prepare(
        """
        SELECT \(columns(RecipeNutrient.fields.columns())) FROM Nutrition WHERE recipe_id = ?1
        ORDER BY recipe_position, id
        """
      )
      ids = try connection.prepare("SELECT format, value FROM NativeID WHERE recipe_id = ?1")
      var named: [Statement] = []
      for (table, links) in [("Category", "Category_recipes"), ("Tag", "Recipe_tags")] {
        named.append(
          try connection.prepare(
            """
            SELECT n.name FROM \(links) AS l JOIN \(table) AS n ON n.id = l.\(table)_id
            WHERE l.Recipe_id = ?1 ORDER BY n.id
            """
          )
        )
      }
      self.named = named
    } catch {
      throw DecantError(
        .modelsDiffer,
        "“\(place)” does not contain recipes that decant imported",
        place: error.message,
        remedy: "recipe files can only be written from stores that recipe files were imported into"
      )
    }
  }

  /// Hands every recipe to `body`.
  package func forEach(_ body: (Entry) throws -> Void) throws {
    defer { recipes.reset() }
    while try recipes.step() {
      unread = []
      try body(try entry())
    }
  }

  /// Lends the bytes of a picture, a piece at a time.
  func forEachPiece(of image: Image, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var digest = SHA256()
    try forEachPiece(ofRow: image.row) { piece in
      digest.update(piece)
      try body(piece)
    }
    try onPicture(SHA256.text(digest.finish()))
  }

  private func forEachPiece(ofRow row: Int64, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let blob = try blob(row)
    let size = 3 << 16
    try withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
      var place = 0
      while place < blob.byteCount {
        let count = min(size, blob.byteCount - place)
        let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        try blob.read(into: piece, at: place)
        try body(UnsafeRawBufferPointer(piece))
        place += count
      }
    }
  }

  /// The SHA-256 of a picture, where `text` is none: somebody else wrote the row.
  private func digest(_ row: Int64, _ text: String?) throws -> String {
    if let text, text.utf8.count == 64 { return text }
    var digest = SHA256()
    try forEachPiece(ofRow: row) { digest.update($0) }
    return SHA256.text(digest.finish())
  }

  private func blob(_ row: Int64) throws -> BlobHandle {
    try BlobHandle("main", "Image", "data", rowID: row, isWritable: false, on: connection)
  }

  /// What the bytes of a row of pictures are; `nil` for no picture.
  private func imageFormat(of row: Int64, type: String?) throws -> ImageFormat? {
    guard type == "blob" || type == "text" else { return nil }
    let blob = try blob(row)
    var head = [UInt8](repeating: 0, count: min(ImageFormat.headByteCount, blob.byteCount))
    guard !head.isEmpty else { return nil }
    try head.withUnsafeMutableBytes { try blob.read(into: $0, at: 0) }
    return ImageFormat(head: head)
  }

  private func note(_ words: String) { if !unread.contains(words) { unread.append(words) } }

  private func entry() throws -> Entry {
    let row = recipes
    let key = row.integer(at: 0)
    var recipe = Recipe()
    Recipe.fields.read(row, at: 6, into: &recipe)
    if !keepsDurations { recipe.sayDurations() }
    if recipe.title.trimmingBlanks.isEmpty { recipe.title = Recipe.untitled }
    recipe.source = row.text(at: 5)
    recipe.extra = try extra(row.text(at: 4), "extra")
    let fingerprint = row.text(at: 3)
    let (format, uuid) = (row.text(at: 2) ?? "", row.text(at: 1) ?? "")
    try forEachRow(ingredients, key) { row in
      var ingredient = RecipeIngredient("")
      RecipeIngredient.fields.read(row, at: 1, into: &ingredient)
      ingredient.extra = try extra(row.text(at: 0), "ingredients.extra")
      recipe.ingredients.append(ingredient)
    }
    var stepKeys: [Int64: Int] = [:]
    try forEachRow(steps, key) { row in
      var step = RecipeStep("")
      RecipeStep.fields.read(row, at: 2, into: &step)
      step.extra = try extra(row.text(at: 1), "steps.extra")
      stepKeys[row.integer(at: 0)] = recipe.steps.count
      recipe.steps.append(step)
    }
    var pictures: [Image] = []
    try forEachRow(images, key) { row in
      let extra = try extra(row.text(at: 6), "pictures.extra")
      guard let format = try imageFormat(of: row.integer(at: 0), type: row.text(at: 2)) else {
        return note("a picture without image data")
      }
      pictures.append(
        Image(
          row: row.integer(at: 0),
          format: format,
          digest: try digest(row.integer(at: 0), row.text(at: 1)),
          caption: row.text(at: 3),
          name: row.text(at: 4),
          step: row.integerOrNil(at: 5).flatMap { stepKeys[$0] },
          extra: extra
        )
      )
    }
    try forEachRow(nutrition, key) { row in
      var nutrient = RecipeNutrient(value: "")
      RecipeNutrient.fields.read(row, at: 0, into: &nutrient)
      recipe.nutrition.append(nutrient)
    }
    var native: [String: String] = [:]
    try forEachRow(ids, key) { row in native[row.text(at: 0) ?? ""] = row.text(at: 1) }
    try forEachRow(named[0], key) { row in recipe.categories.append(row.text(at: 0) ?? "") }
    try forEachRow(named[1], key) { row in recipe.tags.append(row.text(at: 0) ?? "") }
    return Entry(
      recipe: recipe,
      format: format,
      uuid: uuid,
      ids: native,
      images: pictures,
      isEdited: fingerprint.map { $0 != FoldedText.fingerprint(of: recipe) } ?? false,
      unread: unread
    )
  }

  private func forEachRow(_ statement: Statement, _ key: Int64, _ body: (Statement) throws -> Void) throws {
    try statement.bind([.integer(key)])
    defer { statement.reset() }
    while try statement.step() { try body(statement) }
  }

  /// The members of an object that `extra` keeps; anything else is noted under `name`.
  private func extra(_ text: String?, _ name: String) throws -> [(String, JSONValue)] {
    guard let text, !text.isEmpty else { return [] }
    do {
      switch try json.value(text) {
      case .object(let members): return members
      case .null: return []
      default: break
      }
    } catch is RecipeFault {}
    note("\(name) that is not a JSON object")
    return []
  }
}

extension Recipe {
  /// Puts words in the place of durations of ISO 8601.
  fileprivate mutating func sayDurations() {
    for case .time(let path) in Self.fields.map(\.place) {
      guard let text = self[keyPath: path]?.text, let words = Durations.words(text) else {
        continue
      }
      self[keyPath: path]?.text = words
    }
  }
}
