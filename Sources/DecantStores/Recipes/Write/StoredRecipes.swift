internal import Decant
internal import Digests
internal import JSON
internal import SQLite

/// The recipes of a plain database of the recipe model, one after the other.
final class StoredRecipes {
  /// A recipe as it is stored.
  struct Entry {
    var recipe: Recipe
    /// The format that it came in.
    let format: String
    let uuid: String
    /// What each format calls it.
    let ids: [String: String]
    let images: [Image]
  }

  /// A picture of a recipe: its row, and what stands beside its bytes.
  struct Image {
    let row: Int64
    /// As in `image/jpeg`.
    let type: String
    /// Its SHA-256 in hexadecimal digits.
    let digest: String
    let byteCount: Int64
    let caption: String?
    let name: String?
    /// The number in the recipe's steps of the step that it shows.
    let step: Int?
    let extra: [(String, JSONValue)]

    /// The ending of a file of this type.
    var pathExtension: String {
      let name = type.split(separator: "/").last.map(String.init) ?? "bin"
      return name == "jpeg" ? "jpg" : name
    }
  }

  let connection: Connection
  /// Told the SHA-256 of the bytes of every picture that was lent.
  var onPicture: (String) throws -> Void = { _ in }
  private let recipes, ingredients, steps, images, nutrition, ids: Statement
  private let named: [Statement]
  private let json: WrittenJSON

  /// Opens the database at `path`.
  ///
  /// - Throws: `DecantError` with code `.modelMismatch` where it has no recipes as decant makes them.
  init(_ path: String, of place: String) throws(DecantError) {
    json = try WrittenJSON()
    do throws(SQLiteError) {
      let connection = try Connection(path, mode: .readOnly)
      self.connection = connection
      recipes = try connection.prepare(
        """
        SELECT r.id, uuid, title, summary, notes, author, url, yield, servings, prepTime, prepMinutes, cookTime,
          cookMinutes, totalTime, totalMinutes, rating, difficulty, isFavorite, language, created, modified,
          format, extra, s.name FROM Recipe AS r LEFT JOIN Source AS s ON s.id = r.source_id ORDER BY r.id
        """
      )
      ingredients = try connection.prepare(
        """
        SELECT text, isHeading, amount, amountTo, unit, name, note, isOptional, extra FROM Ingredient
        WHERE recipe_id = ?1 ORDER BY recipe_position, id
        """
      )
      steps = try connection.prepare(
        """
        SELECT id, title, text, isHeading, extra FROM Step WHERE recipe_id = ?1
        ORDER BY recipe_position, id
        """
      )
      images = try connection.prepare(
        """
        SELECT id, type, sha256, length(data), caption, name, step_id, extra FROM Image
        WHERE recipe_id = ?1 ORDER BY recipe_position, id
        """
      )
      nutrition = try connection.prepare(
        "SELECT name, value FROM Nutrition WHERE recipe_id = ?1 ORDER BY recipe_position, id"
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
        .modelMismatch,
        "“\(place)” holds no recipes as decant makes them",
        place: error.message,
        remedy: "recipe files are written from stores that recipe files were imported into"
      )
    }
  }

  /// Hands every recipe to `body`.
  func forEach(_ body: (Entry) throws -> Void) throws {
    defer { recipes.reset() }
    while try recipes.step() { try body(try entry()) }
  }

  /// Lends the bytes of a picture, a piece at a time.
  func forEachPiece(of image: Image, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let blob = try BlobHandle(
      "main",
      "Image",
      "data",
      rowID: image.row,
      isWritable: false,
      on: connection
    )
    // A multiple of three: each piece in base64 stands by itself.
    let size = 3 << 16
    var digest = SHA256()
    try withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
      var place = 0
      while place < Int(image.byteCount) {
        let count = min(size, Int(image.byteCount) - place)
        let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        try blob.read(into: piece, at: place)
        digest.update(UnsafeRawBufferPointer(piece))
        try body(UnsafeRawBufferPointer(piece))
        place += count
      }
    }
    try onPicture(SHA256.text(digest.finish()))
  }

  private func entry() throws -> Entry {
    let row = recipes
    let key = row.integer(at: 0)
    func real(_ place: Int) -> Double? { row.type(at: place) == .null ? nil : row.real(at: place) }
    func time(_ place: Int) -> RecipeTime? {
      row.text(at: place).map { RecipeTime(text: $0, minutes: real(place + 1)) }
    }
    var recipe = Recipe()
    recipe.title = row.text(at: 2) ?? ""
    recipe.summary = row.text(at: 3)
    recipe.notes = row.text(at: 4)
    recipe.author = row.text(at: 5)
    recipe.url = row.text(at: 6)
    recipe.yield = row.text(at: 7)
    recipe.servings = real(8)
    recipe.prepTime = time(9)
    recipe.cookTime = time(11)
    recipe.totalTime = time(13)
    recipe.rating = real(15)
    recipe.difficulty = row.text(at: 16)
    recipe.isFavorite = row.integerOrNil(at: 17).map { $0 != 0 }
    recipe.language = row.text(at: 18)
    recipe.created = row.text(at: 19)
    recipe.modified = row.text(at: 20)
    recipe.extra = try extra(row.text(at: 22))
    recipe.source = row.text(at: 23)
    let (format, uuid) = (row.text(at: 21) ?? "", row.text(at: 1) ?? "")
    try forEachRow(ingredients, key) { row in
      var ingredient = RecipeIngredient(
        row.text(at: 0) ?? "",
        isHeading: row.integer(at: 1) != 0
      )
      ingredient.amount = row.type(at: 2) == .null ? nil : row.real(at: 2)
      ingredient.amountTo = row.type(at: 3) == .null ? nil : row.real(at: 3)
      ingredient.unit = row.text(at: 4)
      ingredient.name = row.text(at: 5)
      ingredient.note = row.text(at: 6)
      ingredient.isOptional = row.integerOrNil(at: 7).map { $0 != 0 }
      ingredient.extra = try extra(row.text(at: 8))
      recipe.ingredients.append(ingredient)
    }
    var stepKeys: [Int64: Int] = [:]
    try forEachRow(steps, key) { row in
      var step = RecipeStep(
        row.text(at: 2) ?? "",
        title: row.text(at: 1),
        isHeading: row.integer(at: 3) != 0
      )
      step.extra = try extra(row.text(at: 4))
      stepKeys[row.integer(at: 0)] = recipe.steps.count
      recipe.steps.append(step)
    }
    var pictures: [Image] = []
    try forEachRow(images, key) { row in
      pictures.append(
        Image(
          row: row.integer(at: 0),
          type: row.text(at: 1) ?? "",
          digest: row.text(at: 2) ?? "",
          byteCount: row.integer(at: 3),
          caption: row.text(at: 4),
          name: row.text(at: 5),
          step: row.integerOrNil(at: 6).flatMap { stepKeys[$0] },
          extra: try extra(row.text(at: 7))
        )
      )
    }
    try forEachRow(nutrition, key) { row in
      recipe.nutrition.append(RecipeNutrient(name: row.text(at: 0), value: row.text(at: 1) ?? ""))
    }
    var native: [String: String] = [:]
    try forEachRow(ids, key) { row in native[row.text(at: 0) ?? ""] = row.text(at: 1) }
    try forEachRow(named[0], key) { row in recipe.categories.append(row.text(at: 0) ?? "") }
    try forEachRow(named[1], key) { row in recipe.tags.append(row.text(at: 0) ?? "") }
    return Entry(recipe: recipe, format: format, uuid: uuid, ids: native, images: pictures)
  }

  private func forEachRow(_ statement: Statement, _ key: Int64, _ body: (Statement) throws -> Void)
    throws
  {
    try statement.bind([.integer(key)])
    defer { statement.reset() }
    while try statement.step() { try body(statement) }
  }

  /// The members of an object that `extra` keeps.
  private func extra(_ text: String?) throws -> [(String, JSONValue)] {
    guard let text, case .object(let members) = try json.value(text) else { return [] }
    return members
  }
}
