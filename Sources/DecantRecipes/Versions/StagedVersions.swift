internal import DecantRecipeFormats
internal import DecantJSON
internal import DecantSQLite

/// Compares the versions in the files of a run with the last imported ones.
///
/// A recipe that is unchanged in its file is removed, as there is nothing to do. The last version of a changed one goes
/// into a database of its own, the base of a three-way merge.
final class StagedVersions {
  /// The results of the comparison.
  struct Outcome: Sendable {
    /// The keys of the recipes that were removed because their file has not changed.
    var unchanged: Set<Int64> = []
    /// The differences from the last version, for the recipes that changed.
    var corrections: [RecipeCorrection] = []
    /// The `uuid` in the store of each changed recipe, by its key in this run.
    var recipes: [Int64: String] = [:]
    /// The number of removed recipes that the same or another file contains, by the way they were recognized.
    var repeated: [RecipeDuplicates.Way: Int64] = [:]
    /// The titles of those among them that are different versions.
    var others: [String] = []
    /// The titles of the recipes that were removed although they are next versions: nearly nothing of the last one is
    /// left in them.
    var left: [String] = []
    /// The titles of recipes that have been deleted from the store since they were imported from the same file, by key.
    var deleted: [Int64: String] = [:]
    /// The `uuid` of recipes in the store beside which another version of them was kept.
    var beside: [String] = []
  }

  private let connection: Connection
  private let library: ImportedVersions
  private let base: RecipeBase
  private let isDamaged: (Int64) -> Bool
  private var outcome = Outcome()
  /// The statement that removes a recipe with its parts; compiled on first use.
  private var removal: Statement?
  /// The recipes of the store of which this run has a version.
  private var taken: Set<String> = []
  /// The recipes of which a file with the same time has a version that was read earlier, with their origins.
  private var older: [(key: Int64, origin: String)] = []

  /// Prepares to compare the recipes that were read with a store; last versions of changed ones go into `base`.
  ///
  /// A recipe that lost lines is not a correction if it is `damaged`: it could be read only in part.
  init(on connection: Connection, _ library: ImportedVersions, _ base: RecipeBase, damaged: @escaping (Int64) -> Bool) {
    (self.connection, self.library, self.base, isDamaged) = (connection, library, base, damaged)
  }

  // MARK: All recipes

  /// Processes all recipes that were read.
  ///
  /// Of several versions in files with the same time, the first one counts.
  func settle() throws(SQLiteError) -> Outcome {
    let isNewest =
      "NOT EXISTS (SELECT 1 FROM \(Self.table) AS o WHERE o.origin = v.origin AND o.number < v.number)"
    let rows = try connection.prepare(
      """
      SELECT v.number, v.key, v.origin, v.content, v.places, r.title, \(isNewest), \(Self.digest) FROM \(Self.table) AS v
      JOIN main.Recipe AS r ON r.id = v.key WHERE v.number > ?1 ORDER BY v.number LIMIT 1
      """
    )
    var number: Int64 = 0
    while true {
      try rows.bind([.integer(number)])
      guard try rows.step() else { break }
      number = rows.integer(at: 0)
      let key = rows.integer(at: 1)
      let origin = rows.text(at: 2) ?? ""
      let version = RecipeVersion(
        recipe: "", content: rows.text(at: 3) ?? "", places: rows.text(at: 4) ?? "", digest: rows.text(at: 7))
      let title = rows.text(at: 5) ?? ""
      let isNewest = rows.integer(at: 6) == 1
      rows.reset()
      if isNewest { try settle(key, title, origin, version) } else { older.append((key, origin)) }
    }
    for (key, origin) in older where try !library.versions(of: origin).isEmpty {
      outcome.repeated[RecipeOrigin.way(origin), default: 0] += 1
      try remove(key)
    }
    // This has to be last, as a removed recipe may be the newest version of another one.
    try connection.run("DELETE FROM \(Self.table) WHERE key NOT IN (SELECT id FROM main.Recipe)")
    try base.finish()
    return outcome
  }

  private func settle(
    _ key: Int64,
    _ title: String,
    _ origin: String,
    _ version: RecipeVersion
  ) throws(SQLiteError) {
    var known = try library.versions(of: origin)
    if known.isEmpty, RecipeOrigin.isShared(origin) {
      // A shared recipe that comes back for the first time is based on a version imported here, or elsewhere.
      known = try library.nearestVersion(ofRecipe: RecipeOrigin.uuid(origin), orWithIDsOf: version)
    }
    if known.isEmpty, try library.isDeleted(origin) {
      outcome.deleted[key] = title
      return try remove(key)
    }
    let isRenamed = known.isEmpty
    for last in known where try isUnchanged(version, since: last) {
      outcome.unchanged.insert(key)
      if last.content == version.content, last.digest != version.digest, let digest = version.digest {
        try connection.run(
          "INSERT INTO \(Self.schema).same (recipe, origin, digest) VALUES (?1, ?2, ?3)",
          .text(last.recipe), .text(origin), .text(digest))
      }
      return try remove(key)
    }
    if isRenamed { known = try renamed(origin) }
    for last in known {
      var correction = try RecipeCorrection(title, from: last, to: version, on: connection)
      if isRenamed || RecipeOrigin.isFile(origin), try haveOtherIDs(last, version) { continue }
      // A file of the same name may be entirely different, and a page may have gained a recipe.
      if isRenamed {
        guard correction.hasLines, correction.hasSameLines, !taken.contains(last.recipe) else { continue }
        // A different reader may have found a different title.
        if try isUnchanged(version, since: last) {
          outcome.unchanged.insert(key)
          return try remove(key)
        }
      } else if RecipeOrigin.isFile(origin), !correction.isLikely {
        continue
      }
      let current = try library.current(ofRecipe: last.recipe) ?? last
      if taken.contains(last.recipe) {
        outcome.repeated[RecipeOrigin.way(origin), default: 0] += 1
        outcome.others.append("“\(title)”")
        return try remove(key)
      }
      guard try isSafe(correction, last, current, origin, key) else {
        outcome.left.append("“\(title)”")
        return try remove(key)
      }
      if try isThere(&correction, title, last, current, version, origin) {
        taken.insert(last.recipe)
        outcome.unchanged.insert(key)
        return try remove(key)
      }
      outcome.recipes[key] = last.recipe
      taken.insert(last.recipe)
      if !correction.changes.isEmpty { outcome.corrections.append(correction) }
      let base = try place(key, version, after: last, in: current)
      try self.base.add(base, key: key, before: version)
      if known.count > 1 {
        outcome.beside.append(last.recipe)
        if try library.lacksID(last.recipe) {
          for recipes in [connection, try self.base.open()] {
            try recipes.run("DELETE FROM main.NativeID WHERE recipe_id = ?1", .integer(key))
          }
        }
      }
      return
    }
  }

  /// Whether a next version can be merged: it is not what a damaged file or a part of a page would be.
  ///
  /// All lines may be replaced if an ID says which recipe it is, or if a page and a title do and nobody has edited them
  /// here.
  private func isSafe(
    _ correction: RecipeCorrection,
    _ last: RecipeVersion,
    _ current: RecipeVersion,
    _ origin: String,
    _ key: Int64
  ) throws(SQLiteError) -> Bool {
    if correction.isShorter, isDamaged(key) { return false }
    if correction.isWhole { return true }
    guard correction.isAsLong, !RecipeOrigin.isFile(origin) else { return false }
    if RecipeOrigin.way(origin) == .nativeID { return true }
    return try RecipeCorrection(correction.title, from: last, to: current, on: connection).hasSameLines
  }

  /// Whether the recipe already has all changes of its file, for instance because the file was written from it;
  /// otherwise only the rest is a correction.
  private func isThere(
    _ correction: inout RecipeCorrection,
    _ title: String,
    _ last: RecipeVersion,
    _ current: RecipeVersion,
    _ version: RecipeVersion,
    _ origin: String
  ) throws(SQLiteError) -> Bool {
    guard !correction.changes.isEmpty else { return false }
    let rest = try RecipeCorrection(title, from: current, to: version, on: connection)
    guard correction.leaveOut(whatIsNotIn: rest) else { return false }
    try connection.run(
      "INSERT INTO \(Self.schema).same VALUES (?1, ?2, ?3, ?4, ?5)",
      .text(last.recipe),
      .text(last.former ?? origin),
      .optional(version.digest),
      .text(version.content),
      .text(version.places)
    )
    return true
  }

  /// Whether a recipe is unchanged in its document.
  ///
  /// A document with the same bytes has not changed, although a newer reader may find more in it; but pictures may be
  /// in separate files.
  private func isUnchanged(_ version: RecipeVersion, since last: RecipeVersion) throws(SQLiteError) -> Bool {
    if last.content == version.content { return true }
    guard let digest = version.digest, digest == last.digest else { return false }
    func pictures(_ content: String) -> String {
      "(SELECT group_concat(json_extract(value, '$.sha256')) FROM json_each(\(content), '$.Image'))"
    }
    return try connection.integer(
      "SELECT \(pictures("?1")) IS \(pictures("?2"))", .text(last.content), .text(version.content)) == 1
  }

  /// Whether both versions have IDs of their app or site, and different ones.
  private func haveOtherIDs(_ last: RecipeVersion, _ version: RecipeVersion) throws(SQLiteError) -> Bool {
    let ids = ["?1", "?2"].map { RecipeLikeness.localID("json_extract(\($0), '$.Recipe.extra')") }
    return try connection.integer(
      "SELECT \(ids[0]) <> \(ids[1])", .text(last.content), .text(version.content)) == 1
  }

  /// Returns the versions of recipes from the same file or page whose titles no longer occur, perhaps renamed.
  private func renamed(_ origin: String) throws(SQLiteError) -> [RecipeVersion] {
    guard let place = RecipeOrigin.place(origin) else { return [] }
    var found: [RecipeVersion] = []
    for other in try library.origins(in: place) {
      let isThere = try connection.integer("SELECT 1 FROM \(Self.table) WHERE origin = ?1 LIMIT 1", .text(other))
      guard isThere == nil else { continue }
      found += try library.versions(of: other).map { version in
        var version = version
        version.former = other
        return version
      }
    }
    return found
  }

  private func remove(_ key: Int64) throws(SQLiteError) {
    if removal == nil { removal = try connection.prepare("DELETE FROM main.Recipe WHERE id = ?1") }
    try removal?.run(.integer(key))
  }

  /// Assigns places in the store's lists to the parts of a changed recipe.
  ///
  /// - Returns: Its last version with places in the same lists. It also has the parts that were added both here and in
  ///   the file, as they are here, so that only their differences count.
  private func place(
    _ key: Int64,
    _ version: RecipeVersion,
    after last: RecipeVersion,
    in current: RecipeVersion
  ) throws(SQLiteError) -> RecipeVersion {
    var last = last
    var (basePlaces, places): ([(String, [Int64])], [(String, [Int64])]) = ([], [])
    for table in RecipeVersion.listed {
      let store = try VersionList(current, table, on: connection)
      let lists = PlacedLists(
        base: try VersionList(last, table, on: connection), store: store,
        new: try VersionList(version, table, on: connection))
      for index in lists.addedByBoth {
        last.content =
          try connection.text(
            "SELECT json_insert(?1, '$.\(table.name)[#]', json_remove(?2, '$.step'))", .text(last.content),
            .text(store.rows[index])) ?? last.content
      }
      basePlaces.append((table.name, lists.base + lists.addedByBoth.compactMap { store.places[$0] }))
      places.append((table.name, lists.new))
    }
    last.places = Self.text(of: basePlaces)
    for (table, list) in places {
      for (index, place) in list.enumerated() {
        try connection.run(
          """
          UPDATE main.\(table) SET recipe_position = ?3 WHERE id =
            (SELECT id FROM main.\(table) WHERE recipe_id = ?1 ORDER BY id LIMIT 1 OFFSET ?2)
          """,
          .integer(key),
          .integer(Int64(index)),
          .integer(place)
        )
      }
    }
    try connection.run(
      "UPDATE \(Self.table) SET former = ?3, recipe = ?2, places = ?4 WHERE key = ?1",
      .integer(key),
      .text(outcome.recipes[key] ?? ""),
      .optional(last.former),
      .text(Self.text(of: places))
    )
    return last
  }

  /// Returns places in the form that a version stores.
  private static func text(of places: [(String, [Int64])]) -> String {
    JSONValue.object(places.map { ($0, .array($1.map { .integer($0) })) }).text
  }
}
