internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// Recipes of a store that are nearly the same: they have the same title, and at least half of the lines of the longer
/// one also occur in the other, comparing only letters and digits.
struct RecipeLookAlikes {
  private let connection: Connection
  /// The number of lines, and of common lines, for two recipes with the same title.
  private let lineCount, commonCount: Statement

  /// Prepares to search the main database of `connection`.
  init(on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    try RecipeTextFunction.register(on: connection)
    func lines(_ recipe: String) -> String {
      "SELECT 'i' || recipe_line(text) FROM main.Ingredient WHERE recipe_id = \(recipe) AND NOT isHeading "
        + "UNION SELECT 's' || recipe_step(text) FROM main.Step WHERE recipe_id = \(recipe) AND NOT isHeading"
    }
    lineCount = try connection.prepare("SELECT count(*) FROM (\(lines("?1")))")
    commonCount = try connection.prepare(
      "SELECT count(*) FROM (SELECT * FROM (\(lines("?1"))) INTERSECT SELECT * FROM (\(lines("?2"))))"
    )
  }

  /// Two recipes that are nearly the same; the earlier one stays.
  private struct Pair {
    let first, second: Int64
    let title: String
  }

  /// Finds the pairs with a recipe among `newOnes`, a select of first keys and counts; all pairs for `nil`.
  private func pairs(_ newOnes: String?) throws(SQLiteError) -> [Pair] {
    let isNew = newOnes.map { select in
      """
      EXISTS (SELECT 1 FROM (\(select)) AS n WHERE a.id >= n.destination AND a.id < n.destination + n.count
        OR b.id >= n.destination AND b.id < n.destination + n.count)
      """
    }
    var candidates: [Pair] = []
    try connection.forEachRow(
      """
      WITH titles AS MATERIALIZED (SELECT id, title, recipe_letters(title) AS letters FROM main.Recipe)
      SELECT a.id, b.id, b.title FROM titles AS a JOIN titles AS b ON a.letters = b.letters AND a.id < b.id
      WHERE a.letters <> '' AND \(isNew ?? "true") ORDER BY b.id, a.id
      """
    ) { row throws(SQLiteError) in
      candidates.append(Pair(first: row.integer(at: 0), second: row.integer(at: 1), title: row.text(at: 2) ?? ""))
    }
    var pairs: [Pair] = []
    for pair in candidates where try isAlike(pair) { pairs.append(pair) }
    return pairs
  }

  private func isAlike(_ pair: Pair) throws(SQLiteError) -> Bool {
    let most = max(try count(lineCount, pair.first), try count(lineCount, pair.second))
    guard most > 0 else { return false }
    return try count(commonCount, pair.first, pair.second) * 2 >= most
  }

  private func count(_ statement: Statement, _ keys: Int64...) throws(SQLiteError) -> Int64 {
    try statement.bind(keys.map { .integer($0) })
    defer { statement.reset() }
    return try statement.step() ? statement.integer(at: 0) : 0
  }

  // MARK: Consequences

  /// Returns notes about new recipes that are nearly the same as others.
  func notes(ofNew select: String) throws(SQLiteError) -> [ReportNote] {
    let titles = Self.titles(try pairs(select))
    guard !titles.isEmpty else { return [] }
    return [
      ReportNote(
        .lookAlikes,
        "\(Int64(titles.count).counted("recipe")) in the store more than once, with nearly the same lines: "
          + "\(Self.list(titles))",
        remedy: "\(say: .duplicates, "merge") unites them"
      )
    ]
  }

  /// Merges recipes that are nearly the same; the first one of each group gets everything that only the others have.
  func unite() throws(SQLiteError) -> [ReportNote] {
    let pairs = try pairs(nil)
    var gone: [Int64: Int64] = [:]
    for pair in pairs where gone[pair.second] == nil {
      let first = gone[pair.first] ?? pair.first
      // The recipe that stays may have little in common with this one, although a third one resembled both.
      if first != pair.first, try !isAlike(Pair(first: first, second: pair.second, title: pair.title)) { continue }
      try unite(first, with: pair.second)
      gone[pair.second] = first
    }
    guard !gone.isEmpty else { return [] }
    let titles = Self.titles(pairs)
    return [
      ReportNote(
        .united,
        "\(Int64(gone.count).counted("recipe")) merged with the one that was imported first, which keeps its lines; lines that differ are in its notes: \(Self.list(titles))"
      )
    ]
  }

  /// Gives the recipe `first` everything that only `second` has, and removes `second`.
  ///
  /// The notes, pictures, categories, tags and IDs of both are kept, so their files are recognized later.
  private func unite(_ first: Int64, with second: Int64) throws(SQLiteError) {
    try connection.run(
      """
      UPDATE main.Recipe SET notes = Recipe.notes || char(10) || char(10) || o.notes FROM main.Recipe AS o
      WHERE Recipe.id = ?2 AND o.id = ?1 AND instr(Recipe.notes, o.notes) = 0
      """,
      .integer(second),
      .integer(first)
    )
    // Lines that only the other one has, perhaps added by the cook, are kept.
    let lines = """
      SELECT group_concat(text, char(10)) FROM (
        SELECT text FROM main.Ingredient WHERE recipe_id = ?1
          AND recipe_line(text) NOT IN (SELECT recipe_line(text) FROM main.Ingredient WHERE recipe_id = ?2)
        UNION ALL SELECT text FROM main.Step WHERE recipe_id = ?1
          AND recipe_step(text) NOT IN (SELECT recipe_step(text) FROM main.Step WHERE recipe_id = ?2))
      """
    if let others = try connection.text(lines, .integer(second), .integer(first)), !others.isEmpty {
      try connection.run(
        "UPDATE main.Recipe SET notes = coalesce(notes || char(10) || char(10), '') || ?2 WHERE id = ?1",
        .integer(first),
        .text(others)
      )
    }
    try connection.run(
      """
      UPDATE main.Image SET recipe_id = ?2, step_id = NULL, recipe_position = recipe_position
        + (SELECT ifnull(max(recipe_position), 0) FROM main.Image WHERE recipe_id = ?2)
      WHERE recipe_id = ?1 AND sha256 NOT IN (SELECT sha256 FROM main.Image WHERE recipe_id = ?2)
      """,
      .integer(second),
      .integer(first)
    )
    for statement in RecipeDuplicates.moves {
      let prepared = try connection.prepare(statement)
      try prepared.run(.integer(second), .integer(first))
    }
    try connection.run(
      "UPDATE main.NativeID SET recipe_id = ?2 WHERE recipe_id = ?1", .integer(second), .integer(first))
    if try connection.integer("SELECT 1 FROM main.sqlite_schema WHERE name = '\(OwnTables.importedVersions)'") == 1 {
      try connection.run(
        "UPDATE OR IGNORE main.\(OwnTables.importedVersions) SET recipe = (SELECT uuid FROM main.Recipe WHERE id = ?2) "
          + "WHERE recipe = (SELECT uuid FROM main.Recipe WHERE id = ?1)",
        .integer(second),
        .integer(first)
      )
    }
    try connection.run("DELETE FROM main.Recipe WHERE id = ?1", .integer(second))
  }

  private static func titles(_ pairs: [Pair]) -> [String] {
    pairs.reduce(into: []) { titles, pair in
      if !titles.contains(pair.title) { titles.append(pair.title) }
    }
  }

  private static func list(_ titles: [String]) -> String {
    titles.prefix(5).map { "“\($0)”" }.joined(separator: ", ") + (titles.count > 5 ? ", …" : "")
  }
}
