internal import DecantRecipeFormats
internal import DecantBase
internal import DecantJSON
internal import DecantSQLite

/// Fills the tables of the recipe model with recipes of any format, one after the other.
///
/// The result is an ordinary plain database, in a folder of its own. A second thread writes the recipes while the first
/// continues reading.
final class RecipeStager {
  /// The database; complete after `finish`.
  let path: String
  /// The database, after all recipes taken so far have been written; `rest` throws any error of that.
  var connection: Connection {
    work.wait()
    return database
  }
  /// The same, for the writing thread, and for use when nothing is left to write.
  let database: Connection
  private let work = OrderedWork("recipes", limit: 24)
  let pictures: RecipePictures
  /// The number of the current file among those that were named.
  var fileNumber = 0
  /// The modification time of that file, in nanoseconds.
  var fileTime: Int64 = 0
  let insertions: Insertions
  /// Pictures in files that may follow in the same container; they are added when it has been read.
  var awaited: [Awaited] = []
  /// The digests of the pictures of the recipe that last received one.
  var known: (recipe: Int64, digests: Set<String>) = (0, [])
  /// The number of the current document.
  private var documentNumber: Int64 = 0
  /// The key of the next recipe; `nil` if the tables have to be queried.
  private var nextKey: Int64?
  /// The version and the key of the recipe that is being written; `nil` afterwards.
  var version = VersionText()
  var taking: Int64?

  /// A picture that a recipe names and that has not been read yet.
  struct Awaited {
    var recipe: Int64
    let request: PictureRequest
    let row: ImageRow
    /// The container in which it may still follow.
    let scope: any RecipeScope
  }

  /// The columns of a picture's row other than its bytes.
  struct ImageRow {
    let position: Int64
    /// The index of the step that it shows, among those of the recipe.
    let stepNumber: Int?
    let caption, name, extra: String?
  }

  /// The statements that are run for every recipe.
  struct Insertions {
    let recipe, ingredient, step, image, nutrition, nativeID, digests, version, versionChange, documentDigest: Statement
    let named: [String: (insert: Statement, key: Statement, link: Statement?)]
    /// The statements that assign the parts of the recipe ?1 to the recipe ?2, too.
    let moves: [Statement]

    init(_ connection: Connection) throws(SQLiteError) {
      let part = ["recipe_id", "recipe_position"]
      recipe = try connection.prepare(RecipeTable.recipe.insertion(behind: ["source_id"]))
      ingredient = try connection.prepare(RecipeTable.ingredient.insertion(behind: part))
      step = try connection.prepare(RecipeTable.step.insertion(behind: part))
      image = try connection.prepare(RecipeTable.image.insertion(behind: part + ["step_id"]))
      nutrition = try connection.prepare(RecipeTable.nutrition.insertion(behind: part))
      nativeID = try connection.prepare(RecipeTable.nativeID.insertion(behind: ["recipe_id"]))
      version = try connection.prepare(StagedVersions.insertion)
      versionChange = try connection.prepare(StagedVersions.change)
      documentDigest = try connection.prepare(StagedVersions.digestInsertion)
      digests = try connection.prepare("SELECT sha256 FROM Image WHERE recipe_id = ?1")
      var named: [String: (Statement, Statement, Statement?)] = [:]
      for (table, links) in [
        ("Source", nil), ("Category", "Category_recipes"), ("Tag", "Recipe_tags"),
      ] {
        named[table] = (
          try connection.prepare("INSERT OR IGNORE INTO \(table) (name) VALUES (?1)"),
          try connection.prepare("SELECT id FROM \(table) WHERE name = ?1"),
          try links.map { links throws(SQLiteError) in
            try connection.prepare("INSERT OR IGNORE INTO \(links) (Recipe_id, \(table)_id) VALUES (?1, ?2)")
          }
        )
      }
      self.named = named
      // The same data in two forms on one page have equal names.
      let extra = """
        UPDATE Recipe SET extra = json_patch(n.extra, coalesce(Recipe.extra, '{}')) FROM Recipe AS n
          WHERE n.id = ?1 AND Recipe.id = ?2 AND n.extra IS NOT NULL
        """
      moves = try (RecipeDuplicates.moves + [extra]).map { sql throws(SQLiteError) in
        try connection.prepare(sql)
      }
    }
  }

  /// Creates an empty database in `folder`.
  init(in folder: String) throws(DecantError) {
    let path = "\(folder)/recipes.sqlite"
    self.path = path
    pictures = try RecipePictures(in: folder)
    (database, insertions) = try explaining("cannot create a database in “\(folder)”") {
      () throws(SQLiteError) in
      let connection = try Connection(path, mode: .create)
      // Pictures then take a quarter as many pages; a new store of these recipes has the same page size.
      try connection.run("PRAGMA page_size = \(Connection.temporaryPageSize)")
      try connection.takeCacheForWriting()
      // Nothing of an interrupted run is ever read.
      try connection.run("PRAGMA journal_mode = OFF")
      try connection.run("PRAGMA synchronous = OFF")
      try connection.run("PRAGMA foreign_keys = ON")
      try RecipeSchema.make(on: connection)
      try RecipeTextFunction.register(on: connection)
      try StagedVersions.make(at: "\(folder)/versions.sqlite", on: connection)
      try connection.run("BEGIN")
      return (connection, try Insertions(connection))
    }
  }

  /// Waits until all recipes taken so far have been written.
  ///
  /// - Throws: `SQLiteError` or `DecantError` if they cannot be written.
  func rest() throws {
    nextKey = nil
    try work.finish()
  }

  /// Waits until all recipes taken so far have been written, or writing has failed.
  func wait() { work.wait() }

  /// Takes one recipe; the bytes of its pictures are discarded afterwards.
  ///
  /// - Parameters:
  ///   - recipe: The recipe.
  ///   - format: The name of its format.
  ///   - entry: The name of its file, for a recipe without a title.
  ///   - scope: Where the files that it names are looked for.
  /// - Returns: The key of its row, and warnings about its pictures.
  /// - Throws: `SQLiteError` or `DecantError` if it cannot be stored.
  func take(_ recipe: Recipe, format: String, entry: String, _ scope: any RecipeScope) throws
    -> (key: Int64, warnings: [String])
  {
    defer { pictures.clear() }
    var recipe = recipe
    recipe.settleTitle(entry: entry)
    let id = recipe.nativeID.map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 }
    let key = try nextKey ?? (connection.integer("SELECT max(id) FROM main.Recipe") ?? 0) + 1
    var (images, warnings) = try self.images(RecipeImages(recipe.images, of: key, entry: entry), scope)
    // The less busy thread parses the lines of the ingredients and hashes the pictures.
    let isFilled = work.isBehind
    if isFilled {
      recipe.fillParts()
      for index in images.indices { try images[index].fillDigest() }
    }
    let source = Origin(
      format: format, file: Files.name(of: entry), fileNumber: fileNumber, time: fileTime, document: documentNumber)
    let extra = Self.extra(recipe.extra)
    let byteCount = images.reduce(recipe.byteCount + (extra?.utf8.count ?? 0)) { $0 + ($1.bytes?.count ?? 0) }
    try work.add(isLarge: byteCount > Self.largeByteCount) { [self, images] in
      if !isFilled { recipe.fillParts() }
      try write(recipe, id: id, extra, images, source, key)
    }
    nextKey = key + 1
    // The next recipe's pictures would overwrite the bytes of large ones.
    if images.contains(where: { $0.bytes == nil }) { try work.finish() }
    return (key, warnings)
  }

  /// The origin of a recipe.
  private struct Origin {
    let format, file: String
    let fileNumber: Int
    let time, document: Int64
  }

  /// The size in bytes above which only one recipe at a time waits to be written.
  private static let largeByteCount = 1 << 18

  /// Writes a recipe as the row `key`, with its parts and its version.
  private func write(
    _ recipe: Recipe,
    id: String?,
    _ extra: String?,
    _ images: [NewImage],
    _ source: Origin,
    _ key: Int64
  ) throws {
    let page = recipe.url.flatMap(PageAddress.normalized)
    let row = try insert(recipe, source.format, extra, page: page, id: id)
    guard row == key else {
      throw DecantError(.systemFailed, "the recipe “\(recipe.title)” was stored as \(row) instead of \(key)")
    }
    taking = key
    defer { taking = nil }
    // The recipe has no pictures yet.
    known = (key, [])
    for (index, ingredient) in recipe.ingredients.enumerated() {
      var values = RecipeIngredient.fields.bindings(of: ingredient)
      values.append(.optional(Self.extra(ingredient.extra)))
      try insert(.ingredient, values, insertions.ingredient, of: key, at: index)
    }
    var steps: [Int64] = []
    for (index, step) in recipe.steps.enumerated() {
      var values = RecipeStep.fields.bindings(of: step)
      values.append(.optional(Self.extra(step.extra)))
      try insert(.step, values, insertions.step, of: key, at: index)
      steps.append(database.lastInsertedRowID)
    }
    try insertParts(of: recipe, key)
    if let id {
      let values: [Binding] = [.text(source.format), .text(id)]
      version.add(.nativeID, values)
      try insertions.nativeID.run([.integer(key)] + values)
    }
    for image in images { try insert(image, of: key, steps: steps) }
    var origin: RecipeOrigin?
    if id != nil || page != nil {
      let letters = String(decoding: FoldedText.letters(of: recipe.title), as: UTF8.self)
      origin = RecipeOrigin(format: source.format, id: id, page: page, letters, source.file)
    }
    // The number of recipes with the same title in one file is known only after all have been read.
    try insertions.version.run(
      .integer(key), .integer(Int64(source.fileNumber)), .text(source.file), .integer(source.time),
      .integer(source.document), .optional(origin?.text), .utf8(version.content), .text(version.places))
  }

  /// Adds a part of the recipe that is being written or completed.
  private func insert(
    _ table: RecipeTable,
    _ values: [Binding],
    _ statement: Statement,
    of key: Int64,
    at index: Int
  ) throws(SQLiteError) {
    let place = Int64(index + 1) * 1024
    if taking == key { version.add(table, values, at: place) }
    try statement.bind(.integer(key), at: 1)
    try statement.bind(.integer(place), at: 2)
    try statement.run(values, from: 3)
  }

  /// Notes that a recipe has changed since it was written.
  func noteChange(of key: Int64) throws(SQLiteError) {
    guard taking != key else { return }
    try insertions.versionChange.run(.integer(key))
  }

  // MARK: Documents

  /// Begins a document to which all recipes taken from now on belong.
  ///
  /// - Returns: Its number.
  func beginDocument() -> Int64 {
    documentNumber += 1
    return documentNumber
  }

  /// Notes the hash of a document.
  func note(digest: String, of document: Int64) throws {
    try work.add { [insertions] in try insertions.documentDigest.run(.integer(document), .text(digest)) }
  }

  /// Completes a recipe that was taken from another version of it, `other`, except for lines and pictures.
  func complete(_ key: Int64, with other: Recipe) throws {
    try rest()
    var other = other
    (other.ingredients, other.steps) = ([], [])
    let page = other.url.flatMap(PageAddress.normalized)
    let row = try insert(other, HTMLPageFormat.name, Self.extra(other.extra), page: page, id: nil)
    try insertParts(of: other, row)
    try move(from: row, to: key)
  }

  /// Completes the recipe `key` from the duplicate `row`, except for lines, and removes the duplicate.
  func move(from row: Int64, to key: Int64) throws {
    try rest()
    for statement in insertions.moves { try statement.run(.integer(row), .integer(key)) }
    for index in awaited.indices where awaited[index].recipe == row { awaited[index].recipe = key }
    try database.run("DELETE FROM Recipe WHERE id = ?1", .integer(row))
    try noteChange(of: key)
  }

  private func insert(_ recipe: Recipe, _ format: String, _ extra: String?, page: String?, id: String?) throws -> Int64
  {
    let source = recipe.source.map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 }
    let sourceKey = try source.flatMap { try key(of: $0, in: "Source") }
    let fingerprint = FoldedText.fingerprint(of: recipe)
    var values = Recipe.fields.bindings(of: recipe)
    values += [.text(format), .optional(page), .text(fingerprint), .optional(extra)]
    version.begin(values, source: source)
    let statement = insertions.recipe
    try statement.bind(sourceKey.map { .integer($0) } ?? .null, at: 1)
    // This is provisional: another recipe of the run may have the same one.
    let uuid = RecipeDuplicates.uuid(of: recipe, format, id: id, fingerprint)
    try statement.bind(.text(uuid), at: 2)
    try statement.run(values, from: 3)
    return database.lastInsertedRowID
  }

  /// Adds the parts of a recipe other than lines and pictures.
  private func insertParts(of recipe: Recipe, _ key: Int64) throws {
    for (index, nutrient) in recipe.nutrition.enumerated() {
      try insert(.nutrition, RecipeNutrient.fields.bindings(of: nutrient), insertions.nutrition, of: key, at: index)
    }
    for (number, list) in [recipe.categories, recipe.tags].enumerated() {
      let table = RecipeSchema.namedTables[number].0
      let names = list.map(\.trimmed).filter { !$0.isEmpty }
      for name in names {
        guard let named = try self.key(of: name, in: table) else { continue }
        try insertions.named[table]?.link?.run(.integer(key), .integer(named))
      }
      if taking == key { version.add(names: names, at: number) }
    }
  }

  /// Returns the key of the row of `table` with the name `name`, which is created if necessary.
  private func key(of name: String, in table: String) throws -> Int64? {
    guard let statements = insertions.named[table] else { return nil }
    func found() throws(SQLiteError) -> Int64? {
      try statements.key.bind(.text(name), at: 1)
      defer { statements.key.reset() }
      return try statements.key.step() ? statements.key.integer(at: 0) : nil
    }
    if let key = try found() { return key }
    try statements.insert.run(.text(name))
    return try found()
  }

  /// Returns the title of a recipe, and which of ingredients and steps it lacks; `nil` if it has both.
  func gap(of key: Int64) throws(SQLiteError) -> (title: String, gap: String)? {
    let connection = connection
    func has(_ table: RecipeTable) throws(SQLiteError) -> Bool {
      try connection.integer("SELECT 1 FROM \(table.name) WHERE recipe_id = ?1", .integer(key)) != nil
    }
    guard let gap = Recipe.gap(hasIngredients: try has(.ingredient), hasSteps: try has(.step)) else { return nil }
    return (try connection.text("SELECT title FROM Recipe WHERE id = ?1", .integer(key)) ?? "", gap)
  }

  // MARK: Ends

  /// Completes the database.
  func finish() throws(DecantError) {
    let connection = connection
    try explaining("cannot write “\(path)”") { () throws(SQLiteError) in
      for (table, links) in RecipeSchema.namedTables {
        try connection.run("DELETE FROM \(table) WHERE id NOT IN (SELECT \(table)_id FROM \(links))")
      }
      try connection.run(
        "DELETE FROM Source WHERE id NOT IN "
          + "(SELECT source_id FROM Recipe WHERE source_id IS NOT NULL)"
      )
      try RecipeSchema.makeIdentities(on: connection)
      try connection.run("COMMIT")
    }
  }

  private static func extra(_ members: [(String, JSONValue)]) -> String? {
    members.isEmpty ? nil : JSONValue.object(members).text
  }
}

extension Recipe {
  /// The approximate number of bytes in its texts.
  fileprivate var byteCount: Int {
    ingredients.reduce(0) { $0 + $1.text.utf8.count } + steps.reduce(0) { $0 + $1.text.utf8.count }
      + (notes?.utf8.count ?? 0) + (summary?.utf8.count ?? 0)
  }
}
