package import DecantBase
internal import DecantRecipeFormats
internal import DecantSQLite
internal import DecantSystem

/// The search reads all texts once, in the order of the tables. For 20 000 recipes this is faster than creating an
/// index for a single query, and it also finds parts of words.
extension RecipeLibrary {
  /// The places where words are found, the best first.
  private enum Place: Int64 {
    case title, ingredients, text
  }

  /// Passes on the recipes that contain all words: first those with the words in their titles, then those with the
  /// words in ingredients, categories and tags; case and accents are ignored, and parts of words are found, too.
  ///
  /// - Parameters:
  ///   - words: The words, separated by spaces.
  ///   - cancellation: Ends the search.
  ///   - body: Receives each recipe; returns `false` to end the list.
  /// - Throws: `DecantError` of the family `.usage` without a word, and errors from `body`.
  package func search(
    _ words: String,
    _ cancellation: Cancellation = Cancellation(),
    _ body: (Line) throws(DecantError) -> Bool
  ) throws(DecantError) {
    let words = Set(FoldedText.words(of: words).map { Array($0.utf8) + [0] })
    guard !words.isEmpty else {
      throw DecantError(.missingOption, "there is nothing to search for", remedy: "name one word or more")
    }
    try reading { connection throws(SQLiteError) in
      try connection.run("CREATE TEMP TABLE IF NOT EXISTS found (id INTEGER PRIMARY KEY, place INTEGER)")
      try connection.run("DELETE FROM temp.found")
    }
    let texts = try reading { connection throws(SQLiteError) in try RecipeTexts(connection) }
    defer { texts.recipes.reset() }
    while try reading({ _ throws(SQLiteError) in try texts.recipes.step() }) {
      try cancellation.check()
      try reading { _ throws(SQLiteError) in try find(words, in: texts) }
    }
    try forEach("JOIN temp.found AS f ON f.id = r.id ORDER BY f.place, searched(r.title), r.id", [], body)
  }

  /// Adds the current recipe to the results if it contains all words.
  private func find(_ words: Set<[UInt8]>, in texts: RecipeTexts) throws(SQLiteError) {
    let key = texts.recipes.integer(at: 0)
    var missing = words
    var sum: Int64 = 0
    func look(in text: String?, _ place: Place) {
      guard let text, !missing.isEmpty else { return }
      let letters = FoldedText.searched(text) + [0]
      for word in missing where letters.holds(word) {
        missing.remove(word)
        sum += place.rawValue
      }
    }
    func look(in rows: Statement, _ place: Place) throws(SQLiteError) {
      guard !missing.isEmpty else { return }
      try rows.bind([.integer(key)])
      defer { rows.reset() }
      while !missing.isEmpty, try rows.step() {
        for column in 0..<rows.columnCount { look(in: rows.text(at: column), place) }
      }
    }
    look(in: texts.recipes.text(at: 1), .title)
    try look(in: texts.ingredients, .ingredients)
    try look(in: texts.names, .ingredients)
    try look(in: texts.steps, .text)
    for column in 2..<texts.recipes.columnCount { look(in: texts.recipes.text(at: column), .text) }
    if missing.isEmpty { try texts.found.run(.integer(key), .integer(sum)) }
  }
}

/// The statements that read the texts of recipes, one recipe after the other.
private struct RecipeTexts {
  let recipes, ingredients, steps, names, found: Statement

  init(_ connection: Connection) throws(SQLiteError) {
    recipes = try connection.prepare(
      """
      SELECT r.id, title, summary, notes, author, s.name, url FROM Recipe AS r LEFT JOIN Source AS s ON s.id = r.source_id
      """
    )
    ingredients = try connection.prepare("SELECT text FROM Ingredient WHERE recipe_id = ?1")
    steps = try connection.prepare("SELECT title, text FROM Step WHERE recipe_id = ?1")
    names = try connection.prepare(
      """
      SELECT c.name FROM Category_recipes AS l JOIN Category AS c ON c.id = l.Category_id WHERE l.Recipe_id = ?1
      UNION ALL SELECT t.name FROM Recipe_tags AS l JOIN Tag AS t ON t.id = l.Tag_id WHERE l.Recipe_id = ?1
      """
    )
    found = try connection.prepare("INSERT INTO temp.found VALUES (?1, ?2)")
  }
}

extension [UInt8] {
  /// Whether the bytes contain `word`; both end with a NUL.
  fileprivate func holds(_ word: [UInt8]) -> Bool {
    withUnsafeBytes { bytes in
      word.withUnsafeBytes { word in
        guard let text = bytes.baseAddress, let sought = word.baseAddress else { return false }
        return strstr(text.assumingMemoryBound(to: CChar.self), sought.assumingMemoryBound(to: CChar.self)) != nil
      }
    }
  }
}
