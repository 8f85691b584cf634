package import DecantRecipeFormats
package import DecantBase
internal import DecantPlan
internal import DecantDigests
internal import DecantJSON
internal import DecantSQLite

/// The recipes in a plain database of the recipe model, read one after the other.
package final class StoredRecipes {
  /// A recipe as it is stored.
  package struct Entry {
    package var recipe: Recipe
    /// The format from which it was imported.
    let format: String
    let uuid: String
    /// Its ID in each format.
    let ids: [String: String]
    let images: [Image]
    /// Whether title, ingredients or steps have changed since the import.
    let isEdited: Bool
    /// Values that were written into the store and that no format can hold, in words.
    package let unread: [String]

    /// The recipe with all its pictures, of which a text format only needs the number.
    var plain: Recipe {
      var recipe = recipe
      recipe.images = images.indices.map { RecipeImage(.taken(Int64($0))) }
      return recipe
    }
  }

  /// A picture of a recipe: its row, and the values other than its bytes.
  struct Image {
    let row: Int64
    /// The image format of its bytes.
    let format: ImageFormat
    /// Its SHA-256 in hexadecimal digits.
    let digest: String
    let caption: String?
    let name: String?
    /// The index of the step that it shows, among the recipe's steps.
    let step: Int?
    let extra: [(String, JSONValue)]

    /// The file extension for this type.
    var pathExtension: String { format == .jpeg ? "jpg" : format.rawValue }
  }

  let connection: Connection
  /// Whether ISO 8601 durations are kept; otherwise they are put into words.
  private let keepsDurations: Bool
  /// Called with the SHA-256 of the bytes of every picture that was read.
  package var onPicture: (String) throws -> Void = { _ in }
  private let recipes, ingredients, steps, images, nutrition, ids: Statement
  private let named: [Statement]
  private let json: WrittenJSON
  /// The unreadable values of the current recipe.
  private var unread: [String] = []

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: The database, or its URI.
  ///   - place: The place as the user named it.
  ///   - keepsDurations: Whether ISO 8601 durations are kept.
  ///   - key: The key of the only recipe to be read; `nil` for all.
  /// - Throws: `DecantError` of the family `.modelMismatch` if it has no recipes in decant's model.
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

  /// Passes every recipe to `body`.
  package func forEach(_ body: (Entry) throws -> Void) throws {
    defer { recipes.reset() }
    while try recipes.step() {
      unread = []
      try body(try entry())
    }
  }

  /// Passes the bytes of a picture to `body`, a piece at a time.
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

  /// Returns the SHA-256 of a picture, which is computed if `text` is not one because another program wrote the row.
  private func digest(_ row: Int64, _ text: String?) throws -> String {
    if let text, text.utf8.count == 64 { return text }
    var digest = SHA256()
    try forEachPiece(ofRow: row) { digest.update($0) }
    return SHA256.text(digest.finish())
  }

  private func blob(_ row: Int64) throws -> BlobHandle {
    try BlobHandle("main", "Image", "data", rowID: row, isWritable: false, on: connection)
  }

  /// Returns the image format of the bytes in a picture's row; `nil` if they are not a picture.
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
    if recipe.title.trimmed.isEmpty { recipe.title = Recipe.untitled }
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

  /// Returns the members of an object in `extra`; anything else is noted as unreadable under `name`.
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
  /// Replaces ISO 8601 durations with words.
  fileprivate mutating func sayDurations() {
    for case .time(let path) in Self.fields.map(\.place) {
      guard let text = self[keyPath: path]?.text, let words = Durations.words(text) else {
        continue
      }
      self[keyPath: path]?.text = words
    }
  }
}
