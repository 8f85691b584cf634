internal import DecantRecipeFormats
internal import DecantPlan
internal import DecantSQLite

/// Finds the recipes that were read twice in one run, from files of several apps or in two states of one file.
///
/// The first one gets everything that only another one with the same content has. The remaining recipes get identifiers
/// derived from what identifies the recipe, the same on every device and in every run. Which of them a store already
/// has is decided by the merge; see `RecipeLikeness`.
struct RecipeDuplicates {
  /// The way in which a duplicate was recognized.
  enum Way: CaseIterable, Sendable {
    case nativeID, page, content
  }

  /// The results for the recipes that were read.
  struct Outcome: Sendable {
    /// The number of duplicates, by the way in which they were recognized.
    var found: [Way: Int64] = [:]
    /// The number of duplicates that were removed.
    var count: Int64 = 0
    /// The number of removed duplicates whose content differs from the recipe that stays.
    var changedCount: Int64 = 0
    /// The titles of the first few of these.
    var changed: [String] = []
    /// The number of earlier recipes that were completed.
    var completedCount: Int64 = 0
  }

  private let connection: Connection
  private let policy: MergePolicy
  /// The identifiers of recipes that are already known to a store, by key; duplicates do not complete them.
  private let given: [Int64: String]
  private let byID, byTitle, byPage, byContent: Statement
  private let isBare, isSame, differs: Statement
  private let entries: [Statement]
  private let moves: [Statement]

  /// Prepares to compare the recipes that were read.
  ///
  /// - Parameters:
  ///   - connection: The database of the recipes that were read.
  ///   - policy: How to treat a duplicate with other content.
  ///   - given: The identifiers of recipes that are already known, by their keys.
  /// - Throws: `SQLiteError` if temporary tables cannot be created.
  init(on connection: Connection, policy: MergePolicy, given: [Int64: String] = [:]) throws(SQLiteError) {
    self.connection = connection
    self.policy = policy
    self.given = given
    for statement in [
      "CREATE TABLE temp.known (key INTEGER PRIMARY KEY, title BLOB, page TEXT, fingerprint TEXT, file INTEGER)",
      "CREATE INDEX temp.known_page ON known (page, title, file) WHERE page IS NOT NULL",
      "CREATE INDEX temp.known_fingerprint ON known (fingerprint, file)",
      "CREATE TABLE temp.known_ids (format, value, key, PRIMARY KEY (format, value)) WITHOUT ROWID",
      "CREATE INDEX temp.known_ids_key ON known_ids (key, format)",
      // `number` is the last one that was appended to get another identifier from the same name.
      "CREATE TABLE temp.known_uuids (uuid TEXT PRIMARY KEY, key INTEGER, number INTEGER NOT NULL DEFAULT 1) WITHOUT ROWID",
    ] { try connection.run(statement) }
    byID = try connection.prepare(
      """
      SELECT i.key FROM main.NativeID AS n JOIN temp.known_ids AS i ON i.format = n.format AND i.value = n.value
      WHERE n.recipe_id = ?1 LIMIT 1
      """
    )
    // Two similar recipes in one file are not duplicates; the index skips those of the same file.
    func known(_ condition: String, limit: Int) -> String {
      let halves = ["<", ">"].map { side in
        """
        SELECT k.key FROM main.Recipe AS n JOIN temp.known AS k
        WHERE n.id = ?1 AND \(condition) AND k.file \(side) \(StagedVersions.file(of: "n.id"))
        """
      }
      return halves.joined(separator: " UNION ALL ") + " LIMIT \(limit)"
    }
    // A page may hold several recipes, distinguished by their titles.
    byTitle = try connection.prepare(known("k.page = n.page AND k.title = ?2", limit: 1))
    byPage = try connection.prepare(
      known(
        """
        k.page = n.page AND (SELECT count(*) FROM (SELECT 1 FROM temp.known WHERE page = n.page LIMIT 2)) = 1
        AND (SELECT count(*) FROM (SELECT 1 FROM main.Recipe WHERE page = n.page AND format = n.format LIMIT 2)) = 1
        AND NOT \(RecipeLikeness.areTwo("n.id", "k.key", "recipe_id"))
        """, limit: 1))
    // Two recipes with different IDs of one app are not duplicates.
    byContent = try connection.prepare(
      known(
        """
        k.fingerprint = n.fingerprint AND NOT EXISTS (SELECT 1 FROM main.NativeID AS o JOIN temp.known_ids AS i
          ON i.key = k.key AND i.format = o.format AND i.value <> o.value WHERE o.recipe_id = ?1)
        """, limit: 100))
    isBare = try connection.prepare(
      """
      SELECT NOT EXISTS (SELECT 1 FROM main.Ingredient WHERE recipe_id = ?1 AND NOT isHeading)
        AND NOT EXISTS (SELECT 1 FROM main.Step WHERE recipe_id = ?1 AND NOT isHeading)
      """
    )
    let values = RecipeLikeness.values
    let both = "FROM main.Recipe AS n, main.Recipe AS k WHERE n.id = ?1 AND k.id = ?2"
    let pictures = "SELECT sha256 FROM main.Image WHERE recipe_id = k.id"
    let newPicture =
      "EXISTS (SELECT 1 FROM main.Image AS i WHERE i.recipe_id = n.id AND i.sha256 NOT IN (\(pictures))"
    isSame = try connection.prepare(
      """
      SELECT \(values.map { "n.\($0) IS k.\($0)" }.joined(separator: " AND ")) AND NOT \(newPicture)) AND
        (SELECT count(*) FROM main.Image WHERE recipe_id = n.id) = (SELECT count(*) FROM (\(pictures))) \(both)
      """
    )
    // Another format may lack a field or round a picture: then only values that are entirely missing count.
    let others = values.map { name in
      "n.\(name) IS NOT NULL AND (k.\(name) IS NULL OR n.format IS k.format AND n.\(name) <> k.\(name))"
    }
    differs = try connection.prepare(
      """
      SELECT n.fingerprint <> k.fingerprint OR \(others.joined(separator: " OR "))
        OR \(newPicture) AND (n.format IS k.format OR NOT EXISTS (\(pictures)))) \(both)
      """
    )
    moves = try Self.moves.map { sql throws(SQLiteError) in try connection.prepare(sql) }
    entries = try [
      "INSERT INTO temp.known SELECT id, ?2, page, fingerprint, ?3 FROM main.Recipe WHERE id = ?1",
      "INSERT OR IGNORE INTO temp.known_ids SELECT format, value, recipe_id FROM main.NativeID WHERE recipe_id = ?1",
    ].map { sql throws(SQLiteError) in try connection.prepare(sql) }
  }

  /// The columns whose values a recipe may take from another one with the same content.
  private static let lent =
    Recipe.fields.columns().map(\.name).filter { $0 != "title" } + ["page", "source_id"]

  /// The statements that assign the parts of the recipe ?1 to the recipe ?2, too.
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

  // MARK: All recipes

  /// Processes all recipes that were read.
  func settle() throws(SQLiteError) -> Outcome {
    var outcome = Outcome()
    guard try findCandidates() else { return outcome }
    for (key, uuid) in given.sorted(by: { $0.key < $1.key }) {
      let title = try text("SELECT title FROM main.Recipe WHERE id = ?1", key) ?? ""
      try enter(key, FoldedText.letters(of: title), uuid: uuid)
    }
    var last: Int64 = 0
    let next = try connection.prepare(
      """
      SELECT c.key, r.title FROM temp.candidates AS c JOIN main.Recipe AS r ON r.id = c.key WHERE c.key > ?1
      ORDER BY c.key LIMIT 1
      """
    )
    while true {
      try next.bind([.integer(last)])
      guard try next.step() else { break }
      let title = next.text(at: 1) ?? ""
      last = next.integer(at: 0)
      next.reset()
      if given[last] == nil { try settle(last, title, &outcome) }
    }
    return outcome
  }

  /// Finds the recipes that share an ID, a page, content or an identifier with another one, or have no identifier yet;
  /// returns `false` if there are none.
  ///
  /// All others are final.
  private func findCandidates() throws(SQLiteError) -> Bool {
    try connection.run("CREATE TABLE temp.candidates (key INTEGER PRIMARY KEY)")
    func shared(_ column: String) -> String {
      "SELECT id FROM main.Recipe WHERE \(column) IN (SELECT \(column) FROM main.Recipe WHERE \(column) IS NOT NULL "
        + "GROUP BY \(column) HAVING count(*) > 1)"
    }
    let ids =
      "SELECT recipe_id FROM main.NativeID WHERE (format, value) IN "
      + "(SELECT format, value FROM main.NativeID GROUP BY format, value HAVING count(*) > 1)"
    let versions = StagedVersions.table
    let marked = [
      "SELECT key FROM \(versions) WHERE recipe IS NOT NULL", "SELECT id FROM main.Recipe WHERE uuid = ''",
      "SELECT id FROM main.Recipe WHERE uuid IN (SELECT recipe FROM \(versions) WHERE recipe IS NOT NULL)",
    ]
    for select in [ids, shared("page"), shared("fingerprint"), shared("uuid")] + marked {
      try connection.run("INSERT OR IGNORE INTO temp.candidates \(select)")
    }
    for (key, uuid) in given {
      try connection.run(
        "INSERT OR IGNORE INTO temp.candidates SELECT id FROM main.Recipe WHERE id = ?1 OR uuid = ?2", .integer(key),
        .text(uuid))
    }
    guard try connection.integer("SELECT 1 FROM temp.candidates LIMIT 1") == 1 else { return false }
    try connection.run(
      "INSERT INTO temp.known_uuids (uuid, key) SELECT uuid, id FROM main.Recipe WHERE id NOT IN (SELECT key FROM temp.candidates)"
    )
    return true
  }

  private func settle(_ key: Int64, _ title: String, _ outcome: inout Outcome) throws(SQLiteError) {
    let letters = FoldedText.letters(of: title)
    guard var (way, first) = try find(key, letters) else {
      return try enter(key, letters, uuid: try freshUUID(of: key))
    }
    var isChanged = try isTrue(differs, key, first)
    // A version that was kept beside another one counts as present, although the other has the ID and the page.
    if isChanged, let same = try findByContent(key) {
      let isOther = try isTrue(differs, key, same)
      if !isOther { (way, first, isChanged) = (.content, same, false) }
    }
    let comesInPlace = isChanged ? try replaces(key, first) : false
    if isChanged, given[first] == nil, try hasContent(of: first, key) {
      // The recipe that stays gets everything that only the other one has.
      let (giver, taker) = comesInPlace ? (first, key) : (key, first)
      try connection.run("SAVEPOINT lend")
      for statement in moves { try statement.run(.integer(giver), .integer(taker)) }
      let stillDiffers = try isTrue(differs, key, first)
      // Both stay unchanged.
      let isUndone = !comesInPlace && stillDiffers && policy == .keepBoth
      if isUndone { try connection.run("ROLLBACK TO lend") }
      try connection.run("RELEASE lend")
      if !isUndone { outcome.completedCount += 1 }
      if !comesInPlace { isChanged = stillDiffers }
    }
    outcome.found[way, default: 0] += 1
    if comesInPlace {
      let uuid = try text("SELECT uuid FROM main.Recipe WHERE id = ?1", first)
      for table in ["known_ids", "known_uuids"] {
        try connection.run("UPDATE temp.\(table) SET key = ?1 WHERE key = ?2", .integer(key), .integer(first))
      }
      try connection.run("DELETE FROM temp.known WHERE key = ?1", .integer(first))
      // The new recipe is compared by its own file, not by that of the removed one.
      let file = try file(of: key)
      try remove(first, for: key, &outcome)
      return try enter(key, letters, uuid: uuid ?? "", file: file)
    }
    if isChanged {
      if policy == .keepBoth, let uuid = try uuidBeside(key, first) {
        outcome.found[way, default: 0] -= 1
        try connection.run("DELETE FROM main.NativeID WHERE recipe_id = ?1", .integer(key))
        return try enter(key, letters, uuid: uuid)
      }
      outcome.changedCount += 1
      if outcome.changed.count < 5 { outcome.changed.append("“\(title)”") }
    }
    try remove(key, for: first, &outcome)
  }

  /// Removes the recipe `key`, a duplicate of `other`.
  private func remove(_ key: Int64, for other: Int64, _ outcome: inout Outcome) throws(SQLiteError) {
    try StagedVersions.move(from: key, to: other, on: connection)
    try connection.run("DELETE FROM main.Recipe WHERE id = ?1", .integer(key))
    outcome.count += 1
  }

  /// Whether the recipe `key` replaces the one that was read before it.
  private func replaces(_ key: Int64, _ first: Int64) throws(SQLiteError) -> Bool {
    switch policy {
    case .update, .replace: true
    case .newest:
      try connection.integer(
        """
        SELECT julianday(n.modified) > julianday(k.modified) FROM main.Recipe AS n, main.Recipe AS k
        WHERE n.id = ?1 AND k.id = ?2
        """,
        .integer(key),
        .integer(first)
      ) == 1
    case .skip, .error, .fill, .keepBoth, .threeWay: false
    }
  }

  private func hasContent(of first: Int64, _ key: Int64) throws(SQLiteError) -> Bool {
    let fingerprint = "SELECT fingerprint FROM main.Recipe WHERE id = ?1"
    return try text(fingerprint, key) == text(fingerprint, first)
  }

  // MARK: Searches

  private func find(_ key: Int64, _ letters: [UInt8]) throws(SQLiteError) -> (Way, Int64)? {
    if let found = try keys(byID, .integer(key)).first { return (.nativeID, found) }
    if let uuid = try StagedVersions.sharedUUID(of: key, on: connection),
      let found = try connection.integer("SELECT key FROM temp.known_uuids WHERE uuid = ?1", .text(uuid))
    {
      return (.nativeID, found)
    }
    if let found = try keys(byTitle, .integer(key), .blob(letters)).first { return (.page, found) }
    if let found = try keys(byPage, .integer(key)).first { return (.page, found) }
    return try findByContent(key).map { (.content, $0) }
  }

  /// Finds a recipe with the same content, preferably one with no differences at all.
  private func findByContent(_ key: Int64) throws(SQLiteError) -> Int64? {
    let found = try keys(byContent, .integer(key))
    if found.isEmpty { return nil }
    // Without ingredients and steps, the fingerprint depends only on the title.
    let isBare = try keys(isBare, .integer(key)).first == 1
    for other in found {
      let isSame = isBare ? try isTrue(isSame, key, other) : try !isTrue(differs, key, other)
      if isSame { return other }
    }
    return isBare ? nil : found[0]
  }

  private func keys(_ statement: Statement, _ bindings: Binding...) throws(SQLiteError) -> [Int64] {
    try statement.bind(bindings)
    defer { statement.reset() }
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.integer(at: 0)) }
    return keys
  }

  private func isTrue(_ statement: Statement, _ key: Int64, _ other: Int64) throws(SQLiteError) -> Bool {
    try keys(statement, .integer(key), .integer(other)).first == 1
  }

  private func text(_ sql: String, _ key: Int64) throws(SQLiteError) -> String? {
    try connection.text(sql, .integer(key))
  }

  // MARK: Identifiers

  /// Returns the identifier of a recipe, unless another one of the run has it; “” for a recipe without an ID and lines,
  /// for which more is needed.
  static func uuid(of recipe: Recipe, _ format: String, id: String?, _ fingerprint: String) -> String {
    if let id { return FoldedText.uuid(of: "\(format) \(id)") }
    let hasLines = recipe.ingredients.contains { !$0.isHeading } || recipe.steps.contains { !$0.isHeading }
    return hasLines ? FoldedText.uuid(of: "content \(fingerprint)") : ""
  }

  /// Returns the number of the file that a recipe was read from.
  private func file(of key: Int64) throws(SQLiteError) -> Int64? {
    try connection.integer("SELECT \(StagedVersions.file(of: "?1"))", .integer(key))
  }

  private func isTaken(_ uuid: String) throws(SQLiteError) -> Bool {
    try connection.integer("SELECT 1 FROM temp.known_uuids WHERE uuid = ?1", .text(uuid)) == 1
  }

  private func freshUUID(of key: Int64) throws(SQLiteError) -> String {
    if let shared = try StagedVersions.sharedUUID(of: key, on: connection), try !isTaken(shared) { return shared }
    let fingerprint = try text("SELECT fingerprint FROM main.Recipe WHERE id = ?1", key) ?? ""
    let id = try text("SELECT format || ' ' || value FROM main.NativeID WHERE recipe_id = ?1", key)
    var name = id ?? "content \(fingerprint)"
    // Without ingredients and steps, a fingerprint identifies no more than a title.
    if id == nil, try keys(isBare, .integer(key)).first == 1 { name += " \(try details(of: key))" }
    let first = FoldedText.uuid(of: name)
    guard var number = try connection.integer("SELECT number FROM temp.known_uuids WHERE uuid = ?1", .text(first))
    else { return first }
    var uuid = first
    while try isTaken(uuid) {
      number += 1
      uuid = FoldedText.uuid(of: "\(name) \(fingerprint) \(number)")
    }
    // Thousands of recipes may have the same title and nothing else.
    try connection.run("UPDATE temp.known_uuids SET number = ?1 WHERE uuid = ?2", .integer(number), .text(first))
    return uuid
  }

  /// Returns everything that a recipe has besides ingredients and steps, as one text.
  private func details(of key: Int64) throws(SQLiteError) -> String {
    let values = RecipeLikeness.values.joined(separator: ", ")
    let details = try text(
      """
      SELECT json_array(\(values), (SELECT group_concat(sha256) FROM
        (SELECT sha256 FROM main.Image WHERE recipe_id = ?1 ORDER BY sha256))) FROM main.Recipe WHERE id = ?1
      """,
      key
    )
    return details ?? ""
  }

  /// Returns the identifier of another state of a recipe that is kept beside it; `nil` if that is already present.
  private func uuidBeside(_ key: Int64, _ first: Int64) throws(SQLiteError) -> String? {
    var name =
      "also "
      + (try text("SELECT format || ' ' || fingerprint FROM main.Recipe WHERE id = ?1", key) ?? "")
    if try hasContent(of: first, key) { name += " \(try details(of: key))" }
    let uuid = FoldedText.uuid(of: name)
    return try isTaken(uuid) ? nil : uuid
  }

  /// Gives a recipe its identifier; recipes read later are compared with it.
  private func enter(_ key: Int64, _ letters: [UInt8], uuid: String) throws(SQLiteError) {
    try enter(key, letters, uuid: uuid, file: file(of: key))
  }

  private func enter(_ key: Int64, _ letters: [UInt8], uuid: String, file: Int64?) throws(SQLiteError) {
    try entries[0].run(.integer(key), .blob(letters), file.map { .integer($0) } ?? .null)
    try entries[1].run(.integer(key))
    try connection.run("INSERT OR IGNORE INTO temp.known_uuids (uuid, key) VALUES (?1, ?2)", .text(uuid), .integer(key))
    try connection.run("UPDATE main.Recipe SET uuid = ?1 WHERE id = ?2 AND uuid <> ?1", .text(uuid), .integer(key))
  }
}
