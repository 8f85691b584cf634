internal import DecantArchive
package import DecantRecipeFormats
package import DecantBase
internal import DecantDigests
package import DecantSQLite

/// Compares written files with the recipes intended: recipes by title, ingredients and steps, pictures by their bytes
/// and by the recipe they belong to.
package final class RecipeExportProof {
  private let folder: ScratchFolder
  private let connection: Connection
  private let recipe, picture: Statement
  private var recipeCount: Int64 = 0

  package init() throws(DecantError) {
    folder = try ScratchFolder()
    (connection, recipe, picture) = try explaining("cannot create a temporary database") {
      () throws(SQLiteError) in
      // An empty name makes a temporary database that SQLite removes with the connection.
      let connection = try Connection("", mode: .create)
      try connection.run("PRAGMA journal_mode = OFF")
      try connection.run("PRAGMA synchronous = OFF")
      try connection.run("CREATE TABLE recipe (number INTEGER PRIMARY KEY, fingerprint TEXT, title TEXT)")
      try connection.run("CREATE INDEX recipe_fingerprint ON recipe (fingerprint)")
      try connection.run("CREATE TABLE picture (recipe INTEGER, digest TEXT)")
      try connection.run("BEGIN")
      return (
        connection, try connection.prepare("INSERT INTO recipe VALUES (?1, ?2, ?3)"),
        try connection.prepare("INSERT INTO picture VALUES (?1, ?2)")
      )
    }
  }

  /// Adds the next expected recipe, in the form read back from the written data.
  package func expect(_ written: Recipe) throws(SQLiteError) {
    try recipe.run(.integer(recipeCount), .text(FoldedText.fingerprint(of: written)), .text(written.title.shownTitle))
    recipeCount += 1
  }

  /// Adds an expected picture with this SHA-256 of the recipe with this number, counted from 0.
  package func expect(picture digest: String, ofRecipe number: Int64) throws(SQLiteError) {
    try picture.run(.integer(number), .text(digest))
  }

  /// Reads the files written at `path`.
  ///
  /// - Throws: `DecantError` if they differ from the expectations.
  package func prove(_ path: String, only format: String, cancellation: Cancellation) throws(DecantError) {
    guard recipeCount > 0 else { return }
    let stager = try RecipeStager(in: folder.path)
    let files = try RecipeFiles(
      stager,
      in: folder,
      limits: ArchiveLimits.own.container,
      only: format,
      cancellation: cancellation
    )
    try files.read(path)
    let found = files.findings
    let missing = try explaining("cannot compare recipes") { () throws(SQLiteError) -> String? in
      try self.missing(from: stager.connection)
    }
    if let missing {
      throw fault("\(missing) was written but does not read back unchanged", path)
    }
    guard found.recipeCount == recipeCount, found.rejects.isEmpty else {
      let reason = found.rejects.first.map { ": \($0.entry ?? ""): \($0.reason)" } ?? ""
      let counts = "\(found.recipeCount.counted("recipe")) of \(recipeCount)"
      throw fault("the written file reads back as \(counts)\(reason)", path)
    }
  }

  /// Returns the first missing item, in words; `nil` if none is missing.
  private func missing(from there: Connection) throws(SQLiteError) -> String? {
    try there.run("CREATE INDEX IF NOT EXISTS Recipe_fingerprint ON Recipe (fingerprint)")
    try there.run("CREATE INDEX IF NOT EXISTS Image_sha256 ON Image (sha256)")
    let count = try there.prepare("SELECT count(*) FROM Recipe WHERE fingerprint = ?1")
    let recipes = try connection.prepare(
      "SELECT fingerprint, count(*), min(title) FROM recipe GROUP BY fingerprint ORDER BY min(number)"
    )
    while try recipes.step() {
      try count.bind([.text(recipes.text(at: 0) ?? "")])
      defer { count.reset() }
      guard try count.step(), count.integer(at: 0) >= recipes.integer(at: 1) else {
        return "the recipe “\(recipes.text(at: 2) ?? "")”"
      }
    }
    let owner = try there.prepare(
      """
      SELECT 1 FROM Image AS i JOIN Recipe AS r ON r.id = i.recipe_id WHERE sha256 = ?1 AND fingerprint = ?2
      """
    )
    let pictures = try connection.prepare(
      "SELECT digest, fingerprint, title FROM picture AS p JOIN recipe AS r ON r.number = p.recipe"
    )
    while try pictures.step() {
      try owner.bind([.text(pictures.text(at: 0) ?? ""), .text(pictures.text(at: 1) ?? "")])
      defer { owner.reset() }
      guard try owner.step() else { return "a picture of “\(pictures.text(at: 2) ?? "")”" }
    }
    return nil
  }

  private func fault(_ message: String, _ path: String) -> DecantError {
    DecantError(
      .proofFailed,
      "\(message)",
      place: "\(path)",
      remedy:
        "this is a bug in decant or a disk failure: please report it, and exclude the recipe with \(say: .where); nothing was written"
    )
  }
}
