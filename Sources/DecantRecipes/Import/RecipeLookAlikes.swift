internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// Recipes of a store that are nearly the same: they have the same title, and at least half of the lines of the longer
/// one also occur in the other, comparing only letters and digits.
struct RecipeLookAlikes {
  private let connection: Connection

  /// The number of recipes with one title, the first ones, that the others are compared with.
  private static let namesakeLimit = 100

  /// Prepares to search the main database of `connection`.
  init(on connection: Connection) throws(SQLiteError) {
    self.connection = connection
    try RecipeTextFunction.register(on: connection)
  }

  /// Two recipes that are nearly the same; the earlier one stays.
  private struct Pair {
    let first, second: Int64
    let title: String
  }

  /// The recipes with a title that others have too, and their lines, in temporary tables.
  private struct Namesakes {
    let titles, lines: TemporaryTable
    private let pairs, commonCount, lineCount: Statement

    /// Fills the tables; with `newOnes`, a select of first keys and counts, only with titles of these.
    init(_ newOnes: String?, on connection: Connection) throws(SQLiteError) {
      let isNew = newOnes.map { select in
        "EXISTS (SELECT 1 FROM (\(select)) AS n WHERE r.id >= n.destination AND r.id < n.destination + n.count)"
      }
      let hasLines = ["Ingredient", "Step"].map { table in
        "EXISTS (SELECT 1 FROM main.\(table) WHERE recipe_id = r.id AND NOT isHeading)"
      }
      let titles = try TemporaryTable(
        "(recipe INTEGER PRIMARY KEY, title TEXT, isNew INTEGER, first INTEGER, rank INTEGER)", on: connection)
      try connection.run(
        """
        INSERT INTO \(titles) WITH named AS MATERIALIZED (
          SELECT r.id, r.title, recipe_letters(r.title) AS letters, \(isNew ?? "1") AS isNew FROM main.Recipe AS r
          WHERE \(hasLines.joined(separator: " OR ")))
        SELECT id, title, isNew, min(id) OVER (PARTITION BY letters),
          row_number() OVER (PARTITION BY letters ORDER BY id)
        FROM named WHERE letters <> ''
          AND letters IN (SELECT letters FROM named GROUP BY letters HAVING count(*) > 1 AND max(isNew))
        """
      )
      let lines = try TemporaryTable(
        "(recipe INTEGER, line TEXT, first INTEGER, rank INTEGER, PRIMARY KEY (recipe, line)) WITHOUT ROWID",
        on: connection)
      try connection.run("CREATE INDEX temp.\(lines.name)_line ON \(lines.name) (first, line, rank)")
      for (table, line) in [("Ingredient", "'i' || recipe_line(p.text)"), ("Step", "'s' || recipe_step(p.text)")] {
        try connection.run(
          """
          INSERT OR IGNORE INTO \(lines) SELECT t.recipe, \(line), t.first, t.rank
          FROM \(titles) AS t JOIN main.\(table) AS p ON p.recipe_id = t.recipe WHERE NOT p.isHeading
          """
        )
      }
      (self.titles, self.lines) = (titles, lines)
      lineCount = try connection.prepare("SELECT count(*) FROM \(lines) WHERE recipe = ?1")
      commonCount = try connection.prepare(
        "SELECT count(*) FROM \(lines) AS a JOIN \(lines) AS b ON a.line = b.line WHERE a.recipe = ?1 AND b.recipe = ?2"
      )
      pairs = try connection.prepare(
        """
        SELECT a.recipe FROM \(lines) AS b JOIN \(lines) AS a ON a.first = b.first AND a.line = b.line
          AND a.rank < min(b.rank, \(RecipeLookAlikes.namesakeLimit + 1))
        WHERE b.recipe = ?1 AND (?2 OR (SELECT isNew FROM \(titles) WHERE recipe = a.recipe))
        GROUP BY a.recipe HAVING count(*) * 2 >= max(?3, (SELECT count(*) FROM \(lines) WHERE recipe = a.recipe))
        ORDER BY a.recipe
        """
      )
    }

    /// Returns the earlier recipes that are nearly the same as `recipe`; unless it is new, only new ones.
    func before(_ recipe: Int64, isNew: Bool) throws(SQLiteError) -> [Int64] {
      try pairs.bind([.integer(recipe), .integer(isNew ? 1 : 0), .integer(count(lineCount, recipe))])
      defer { pairs.reset() }
      var found: [Int64] = []
      while try pairs.step() { found.append(pairs.integer(at: 0)) }
      return found
    }

    /// Whether two recipes are nearly the same, whatever their ranks.
    func areAlike(_ first: Int64, _ second: Int64) throws(SQLiteError) -> Bool {
      let most = max(try count(lineCount, first), try count(lineCount, second))
      return try count(commonCount, first, second) * 2 >= most
    }

    private func count(_ statement: Statement, _ keys: Int64...) throws(SQLiteError) -> Int64 {
      try statement.bind(keys.map { .integer($0) })
      defer { statement.reset() }
      return try statement.step() ? statement.integer(at: 0) : 0
    }
  }

  /// Passes on the pairs among `namesakes`, by their second recipe, then by their first.
  private func forEachPair(
    among namesakes: Namesakes, _ body: (Pair) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    try connection.forEachRow(
      "SELECT recipe, isNew, title FROM \(namesakes.titles) WHERE rank > 1 ORDER BY recipe"
    ) { row throws(SQLiteError) in
      let (second, title) = (row.integer(at: 0), row.text(at: 2) ?? "")
      for first in try namesakes.before(second, isNew: row.integer(at: 1) == 1) {
        try body(Pair(first: first, second: second, title: title))
      }
    }
  }

  // MARK: Consequences

  /// Returns notes about new recipes that are nearly the same as others.
  func notes(ofNew select: String) throws(SQLiteError) -> [ReportNote] {
    var titles = Titles()
    try forEachPair(among: Namesakes(select, on: connection)) { titles.add($0.title) }
    guard titles.count > 0 else { return [] }
    return [
      ReportNote(
        .lookAlikes,
        "\(titles.count.counted("recipe")) in the store more than once, with nearly the same lines: \(titles.list)",
        remedy: "\(say: .duplicates, "merge") unites them"
      )
    ]
  }

  /// Merges recipes that are nearly the same; the first one of each group gets everything that only the others have.
  func unite() throws(SQLiteError) -> [ReportNote] {
    let namesakes = try Namesakes(nil, on: connection)
    var titles = Titles()
    var gone: [Int64: Int64] = [:]
    try forEachPair(among: namesakes) { pair throws(SQLiteError) in
      titles.add(pair.title)
      guard gone[pair.second] == nil else { return }
      let first = gone[pair.first] ?? pair.first
      // The recipe that stays may have little in common with this one, although a third one resembled both.
      if first != pair.first, try !namesakes.areAlike(first, pair.second) { return }
      try unite(first, with: pair.second)
      gone[pair.second] = first
    }
    guard !gone.isEmpty else { return [] }
    return [
      ReportNote(
        .united,
        "\(Int64(gone.count).counted("recipe")) merged with the one that was imported first, which keeps its lines; lines that differ are in its notes: \(titles.list)"
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

  /// Different titles, of which the first five are listed.
  private struct Titles {
    private var seen: Set<String> = []
    private var first: [String] = []

    var count: Int64 { Int64(seen.count) }
    var list: String { first.map { "“\($0)”" }.joined(separator: ", ") + (seen.count > first.count ? ", …" : "") }

    mutating func add(_ title: String) {
      if seen.insert(title).inserted, first.count < 5 { first.append(title) }
    }
  }
}
