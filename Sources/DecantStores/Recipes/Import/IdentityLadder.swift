internal import Decant
internal import SQLite

/// Finds out which recipes are there already.
///
/// They are told by their own ID in their format, by the page that they come from, or by what they hold; a title
/// alone says nothing.
///
/// Those that are there, in the destination or earlier among the files, are taken out again, unless the policy says that
/// the store takes their values: then they get the identifier they have there, by which the merge finds them. The others
/// get an identifier that follows from what tells them apart, the same on every device and in every run.
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
    /// How many go on to the merge under the identifier that they have in the destination.
    var mergedCount: Int64 = 0
    /// How many earlier ones got something that they lacked from one that is the same.
    var completedCount: Int64 = 0

    /// How many recipes were taken out.
    var skippedCount: Int64 { found.values.reduce(0, +) - keptCount - mergedCount }
  }

  /// The recipes that are there; those of the destination are to be told before `settle`.
  let known: KnownRecipes
  private let connection: Connection
  private let policy: MergePolicy
  private let additions: RecipeAdditions

  /// Prepares to compare what was read.
  ///
  /// - Parameters:
  ///   - connection: The database of the recipes that were read.
  ///   - policy: What becomes of one that is there with other content.
  /// - Throws: `SQLiteError` where temporary tables cannot be made.
  init(on connection: Connection, policy: MergePolicy) throws(SQLiteError) {
    self.connection = connection
    self.policy = policy
    known = try KnownRecipes(on: connection)
    additions = try RecipeAdditions(on: connection)
  }

  /// Goes through all recipes that were read.
  func settle() throws(SQLiteError) -> Outcome {
    var outcome = Outcome()
    var last: Int64 = 0
    let next = try connection.prepare(
      """
      SELECT id, title, page, fingerprint, format, uuid, modified FROM main.Recipe WHERE id > ?1 ORDER BY id LIMIT 1
      """
    )
    while true {
      try next.bind([.integer(last)])
      guard try next.step() else { break }
      let recipe = StagedRecipe(
        key: next.integer(at: 0),
        title: next.text(at: 1) ?? "",
        page: next.text(at: 2),
        fingerprint: next.text(at: 3) ?? "",
        format: next.text(at: 4) ?? "",
        modified: next.text(at: 6),
        file: next.text(at: 5) ?? ""
      )
      next.reset()
      last = recipe.key
      try settle(recipe, &outcome)
    }
    return outcome
  }

  private func settle(_ recipe: StagedRecipe, _ outcome: inout Outcome) throws(SQLiteError) {
    guard var (rung, match) = try find(recipe) else {
      return try enter(recipe, uuid: try freshUUID(of: recipe))
    }
    // What was kept beside another is there, although that one has the ID and the page.
    if try isChanged(recipe, match), let same = try matchByContent(recipe),
      try !isChanged(recipe, same)
    {
      (rung, match) = (.content, same)
    }
    outcome.found[rung, default: 0] += 1
    let isSameContent = match.fingerprint == recipe.fingerprint
    var isChanged = try self.isChanged(recipe, match)
    if isSameContent, isChanged, let key = match.key {
      try additions.move(from: recipe, to: key)
      outcome.completedCount += 1
      isChanged = try self.isChanged(recipe, match)
    }
    if isChanged, let isMerged = try takesValues(of: recipe, match) {
      if isMerged { outcome.mergedCount += 1 }
      try known.forget(match)
      return try enter(recipe, uuid: match.uuid)
    }
    if isChanged {
      outcome.changedCount += 1
      if outcome.changed.count < 20 { outcome.changed.append(recipe.title) }
      if policy == .keepBoth, try keep(recipe, isSameContent: isSameContent) {
        outcome.keptCount += 1
        return
      }
    }
    try connection.run("DELETE FROM main.Recipe WHERE id = ?1", .integer(recipe.key))
  }

  /// Whether `recipe` is another state of `match`.
  private func isChanged(_ recipe: StagedRecipe, _ match: KnownRecipes.Match) throws(SQLiteError)
    -> Bool
  {
    guard match.fingerprint == recipe.fingerprint else { return true }
    return try additions.differs(recipe, from: match)
  }

  /// Whether `match` gets the values of `recipe`: true if the merge gives them to the destination's, false if `recipe`
  /// comes in place of an earlier one of the files, `nil` if `match` stays as it is.
  private func takesValues(of recipe: StagedRecipe, _ match: KnownRecipes.Match) throws(SQLiteError)
    -> Bool?
  {
    switch policy {
    case .update, .replace: break
    case .newest: guard try known.isOlder(match, than: recipe) else { return nil }
    case .fill, .error: guard match.key == nil else { return nil }
    case .skip, .keepBoth, .threeWay: return nil
    }
    guard let key = match.key else { return true }
    // An earlier file's may have its place in the destination already.
    try connection.run("DELETE FROM main.Recipe WHERE id = ?1", .integer(key))
    return false
  }

  /// Keeps another state of a recipe beside that; false where it is kept already.
  private func keep(_ recipe: StagedRecipe, isSameContent: Bool) throws(SQLiteError) -> Bool {
    var name = "also \(recipe.format) \(recipe.fingerprint)"
    if isSameContent { name += " \(try additions.details(of: recipe))" }
    let uuid = FoldedText.uuid(of: name)
    guard try !known.has(uuid: uuid) else { return false }
    try connection.run("DELETE FROM main.NativeID WHERE recipe_id = ?1", .integer(recipe.key))
    try enter(recipe, uuid: uuid)
    return true
  }

  private func find(_ recipe: StagedRecipe) throws(SQLiteError) -> (Rung, KnownRecipes.Match)? {
    if let match = try known.match(byIDOf: recipe) { return (.nativeID, match) }
    if let match = try known.match(byPageOf: recipe) { return (.page, match) }
    guard let match = try matchByContent(recipe) else { return nil }
    return (.content, match)
  }

  /// The recipe that holds the same: rather one that has the rest as well.
  private func matchByContent(_ recipe: StagedRecipe) throws(SQLiteError) -> KnownRecipes.Match? {
    let matches = try known.matches(byContentOf: recipe)
    if matches.isEmpty { return nil }
    let isBare = try additions.isBare(recipe)
    for match in matches {
      let isSame: Bool
      if isBare {
        isSame = try additions.isSame(recipe, as: match)
      } else {
        isSame = try additions.differs(recipe, from: match) == false
      }
      if isSame { return match }
    }
    return isBare ? nil : matches[0]
  }

  private func freshUUID(of recipe: StagedRecipe) throws(SQLiteError) -> String {
    let id = try connection.text(
      "SELECT value FROM main.NativeID WHERE recipe_id = ?1",
      .integer(recipe.key)
    )
    let name = id.map { "\(recipe.format) \($0)" } ?? "content \(recipe.fingerprint)"
    var uuid = FoldedText.uuid(of: name)
    var number = 1
    while try known.has(uuid: uuid) {
      number += 1
      uuid = FoldedText.uuid(of: "\(name) \(recipe.fingerprint) \(number)")
    }
    return uuid
  }

  /// Gives a recipe its identifier.
  private func enter(_ recipe: StagedRecipe, uuid: String) throws(SQLiteError) {
    try connection.run(
      "UPDATE main.Recipe SET uuid = ?1 WHERE id = ?2",
      .text(uuid),
      .integer(recipe.key)
    )
    try known.note(recipe, uuid: uuid)
  }
}
