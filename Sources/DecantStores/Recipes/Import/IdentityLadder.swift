internal import Decant
internal import SQLite

/// Finds out which recipes are there already.
///
/// They are told by their own ID in their format, by the page that they come from, or by what they hold; a title
/// alone says nothing.
///
/// Those that are there, in the destination or earlier among the files, are taken out again; the others get an
/// identifier that follows from what tells them apart, the same on every device and in every run.
struct IdentityLadder {
  /// By what a recipe was found.
  enum Rung: String, CaseIterable, Sendable {
    case nativeID, page, content
  }

  /// What became of the recipes that were read.
  struct Outcome: Sendable {
    /// How many are there already, by what told it.
    var found: [Rung: Int64] = [:]
    /// How many of them were found with other content.
    var changedCount: Int64 = 0
    /// The titles of the first few of these.
    var changed: [String] = []
    /// How many of these were kept beside the others.
    var keptCount: Int64 = 0

    /// How many recipes were taken out.
    var skippedCount: Int64 { found.values.reduce(0, +) - keptCount }
  }

  private let connection: Connection
  private let keepsBoth: Bool
  private let knownID, knownPage, knownContent, knownUUID: Statement
  private let insertKnown, insertID: Statement

  /// Prepares to compare what was read.
  ///
  /// - Parameters:
  ///   - connection: The database of the recipes that were read.
  ///   - keepsBoth: Whether one that is there with other content stays beside that.
  /// - Throws: `SQLiteError` where temporary tables cannot be made.
  init(on connection: Connection, keepsBoth: Bool) throws(SQLiteError) {
    self.connection = connection
    self.keepsBoth = keepsBoth
    for statement in [
      "CREATE TABLE temp.known (uuid TEXT PRIMARY KEY, title BLOB, page TEXT, fingerprint TEXT, file TEXT)",
      "CREATE INDEX temp.known_page ON known (page) WHERE page IS NOT NULL",
      "CREATE INDEX temp.known_fingerprint ON known (fingerprint)",
      """
      CREATE TABLE temp.known_ids (format TEXT, value TEXT, uuid TEXT, PRIMARY KEY (format, value))
        WITHOUT ROWID
      """,
    ] { try connection.run(statement) }
    knownID = try connection.prepare(
      """
      SELECT k.uuid, k.fingerprint FROM main.NativeID AS n JOIN temp.known_ids AS i
      ON i.format = n.format AND i.value = n.value JOIN temp.known AS k ON k.uuid = i.uuid
      WHERE n.recipe_id = ?1 LIMIT 1
      """
    )
    // A page may hold several recipes: then their titles tell them apart. Two that are alike in one file are two.
    knownPage = try connection.prepare(
      """
      SELECT uuid, fingerprint FROM temp.known AS k WHERE page = ?1 AND file IS NOT ?4 AND (title = ?2 OR
        (SELECT count(*) FROM temp.known AS o WHERE o.page = ?1) = 1 AND
        (SELECT count(*) FROM main.Recipe AS o WHERE o.page = ?1 AND o.format = ?3) = 1)
      ORDER BY title = ?2 DESC LIMIT 1
      """
    )
    knownContent = try connection.prepare(
      "SELECT uuid, fingerprint FROM temp.known WHERE fingerprint = ?1 AND file IS NOT ?2 LIMIT 1"
    )
    knownUUID = try connection.prepare("SELECT 1 FROM temp.known WHERE uuid = ?1")
    insertKnown = try connection.prepare(
      "INSERT OR IGNORE INTO temp.known VALUES (?1, ?2, ?3, ?4, ?5)"
    )
    insertID = try connection.prepare("INSERT OR IGNORE INTO temp.known_ids VALUES (?1, ?2, ?3)")
  }

  /// Notes a recipe that the destination has, or that came in an earlier `file`.
  func know(
    uuid: String,
    title: String,
    page: String?,
    fingerprint: String?,
    file: String? = nil
  ) throws(SQLiteError) {
    try insertKnown.run(
      .text(uuid),
      .blob(FoldedText.letters(of: title)),
      .optional(page),
      .optional(fingerprint),
      .optional(file)
    )
  }

  /// Notes what a recipe that the destination has is called in a format.
  func know(format: String, id: String, uuid: String) throws(SQLiteError) {
    try insertID.run(.text(format), .text(id), .text(uuid))
  }

  /// Goes through all recipes that were read.
  func settle() throws(SQLiteError) -> Outcome {
    var outcome = Outcome()
    var last: Int64 = 0
    let next = try connection.prepare(
      """
      SELECT id, title, page, fingerprint, format, uuid FROM main.Recipe WHERE id > ?1 ORDER BY id LIMIT 1
      """
    )
    while true {
      try next.bind([.integer(last)])
      guard try next.step() else { break }
      let recipe = Staged(
        key: next.integer(at: 0),
        title: next.text(at: 1) ?? "",
        page: next.text(at: 2),
        fingerprint: next.text(at: 3) ?? "",
        format: next.text(at: 4) ?? "",
        file: next.text(at: 5) ?? ""
      )
      next.reset()
      last = recipe.key
      try settle(recipe, &outcome)
    }
    return outcome
  }

  /// A recipe that was read.
  private struct Staged {
    let key: Int64
    let title: String
    let page: String?
    let fingerprint, format: String
    /// The number of the file that it came in.
    let file: String
  }

  private func settle(_ recipe: Staged, _ outcome: inout Outcome) throws(SQLiteError) {
    guard var (rung, fingerprint) = try find(recipe) else {
      return try enter(recipe, uuid: try freshUUID(of: recipe))
    }
    // What was kept beside another is there, although that one has the ID and the page.
    if fingerprint != recipe.fingerprint, try isThere(recipe) {
      (rung, fingerprint) = (.content, recipe.fingerprint)
    }
    outcome.found[rung, default: 0] += 1
    if fingerprint != recipe.fingerprint {
      outcome.changedCount += 1
      if outcome.changed.count < 20 { outcome.changed.append(recipe.title) }
      if keepsBoth {
        let uuid = FoldedText.uuid(of: "also \(recipe.format) \(recipe.fingerprint)")
        if try !isKnown(uuid) {
          outcome.keptCount += 1
          try connection.run("DELETE FROM main.NativeID WHERE recipe_id = ?1", .integer(recipe.key))
          return try enter(recipe, uuid: uuid)
        }
      }
    }
    try connection.run("DELETE FROM main.Recipe WHERE id = ?1", .integer(recipe.key))
  }

  private func find(_ recipe: Staged) throws(SQLiteError) -> (Rung, fingerprint: String?)? {
    try knownID.bind([.integer(recipe.key)])
    defer { knownID.reset() }
    if try knownID.step() { return (.nativeID, knownID.text(at: 1)) }
    if let page = recipe.page {
      try knownPage.bind([
        .text(page), .blob(FoldedText.letters(of: recipe.title)), .text(recipe.format),
        .text(recipe.file),
      ])
      defer { knownPage.reset() }
      if try knownPage.step() { return (.page, knownPage.text(at: 1)) }
    }
    return try isThere(recipe) ? (.content, recipe.fingerprint) : nil
  }

  /// Whether a recipe with the same content is there.
  private func isThere(_ recipe: Staged) throws(SQLiteError) -> Bool {
    try knownContent.bind([.text(recipe.fingerprint), .text(recipe.file)])
    defer { knownContent.reset() }
    return try knownContent.step()
  }

  private func isKnown(_ uuid: String) throws(SQLiteError) -> Bool {
    try knownUUID.bind([.text(uuid)])
    defer { knownUUID.reset() }
    return try knownUUID.step()
  }

  private func freshUUID(of recipe: Staged) throws(SQLiteError) -> String {
    let id = try connection.text(
      "SELECT value FROM main.NativeID WHERE recipe_id = ?1",
      .integer(recipe.key)
    )
    let name = id.map { "\(recipe.format) \($0)" } ?? "content \(recipe.fingerprint)"
    var uuid = FoldedText.uuid(of: name)
    var number = 1
    while try isKnown(uuid) {
      number += 1
      uuid = FoldedText.uuid(of: "\(name) \(recipe.fingerprint) \(number)")
    }
    return uuid
  }

  /// Gives a recipe its identifier; what is read later is compared with it as well.
  private func enter(_ recipe: Staged, uuid: String) throws(SQLiteError) {
    try connection.run(
      "UPDATE main.Recipe SET uuid = ?1 WHERE id = ?2",
      .text(uuid),
      .integer(recipe.key)
    )
    try know(
      uuid: uuid,
      title: recipe.title,
      page: recipe.page,
      fingerprint: recipe.fingerprint,
      file: recipe.file
    )
    try connection.run(
      """
      INSERT OR IGNORE INTO temp.known_ids SELECT format, value, ?1 FROM main.NativeID
      WHERE recipe_id = ?2
      """,
      .text(uuid),
      .integer(recipe.key)
    )
  }
}
