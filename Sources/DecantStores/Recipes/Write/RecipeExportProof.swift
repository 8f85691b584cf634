internal import Decant
internal import Digests
internal import SQLite

/// Holds what was written against what was to be written: recipes by what they hold, pictures by their bytes.
final class RecipeExportProof {
  private let folder: TemporaryFolder
  private let connection: Connection
  private let expectation: Statement
  private var recipeCount: Int64 = 0

  private enum Kind: Int64 {
    case recipe, picture
  }

  init() throws(DecantError) {
    let folder = try TemporaryFolder()
    self.folder = folder
    (connection, expectation) = try explaining("cannot make a database in “\(folder.path)”") {
      () throws(SQLiteError) in
      let connection = try Connection("\(folder.path)/expected.sqlite", mode: .create)
      try connection.run("PRAGMA journal_mode = OFF")
      try connection.run("PRAGMA synchronous = OFF")
      try connection.run(
        "CREATE TABLE expected (kind INTEGER, digest TEXT, PRIMARY KEY (kind, digest)) WITHOUT ROWID"
      )
      try connection.run("BEGIN")
      return (connection, try connection.prepare("INSERT OR IGNORE INTO expected VALUES (?1, ?2)"))
    }
  }

  /// Expects a recipe that the format holds but for `losses`.
  func expect(_ recipe: Recipe, losses: [String]) throws(SQLiteError) {
    recipeCount += 1
    guard Set(["title", "ingredients", "steps"]).isDisjoint(with: losses) else { return }
    try expectation.run(.integer(Kind.recipe.rawValue), .text(FoldedText.fingerprint(of: recipe)))
  }

  /// Expects a picture with this SHA-256.
  func expect(picture digest: String) throws(SQLiteError) {
    try expectation.run(.integer(Kind.picture.rawValue), .text(digest))
  }

  /// Reads what was written at `path`.
  ///
  /// - Throws: `DecantError` where it is not what was expected.
  func prove(_ path: String, only format: String, cancellation: Cancellation) throws(DecantError) {
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
    guard found.recipeCount == recipeCount, found.rejects.isEmpty else {
      let reason = found.rejects.first.map { ": \($0.entry ?? ""): \($0.reason)" } ?? ""
      let counts = "\(found.recipeCount.counted("recipe")) of \(recipeCount)"
      throw fault("what was written reads as \(counts)\(reason)", path)
    }
    let missing: Kind? = try explaining("cannot compare recipes") {
      () throws(SQLiteError) -> Kind? in
      try self.missing(from: stager.connection)
    }
    if let missing {
      throw fault(
        "a \(missing == .recipe ? "recipe" : "picture") was written and does not come back as it was",
        path
      )
    }
  }

  /// The kind of the first that is not there; `nil` where all are.
  private func missing(from there: Connection) throws(SQLiteError) -> Kind? {
    try there.run("CREATE INDEX IF NOT EXISTS Recipe_fingerprint ON Recipe (fingerprint)")
    try there.run("CREATE INDEX IF NOT EXISTS Image_sha256 ON Image (sha256)")
    let recipe = try there.prepare("SELECT 1 FROM Recipe WHERE fingerprint = ?1")
    let picture = try there.prepare("SELECT 1 FROM Image WHERE sha256 = ?1")
    let expected = try connection.prepare("SELECT kind, digest FROM expected")
    while try expected.step() {
      let kind: Kind = expected.integer(at: 0) == Kind.recipe.rawValue ? .recipe : .picture
      let search = kind == .recipe ? recipe : picture
      try search.bind([.text(expected.text(at: 1) ?? "")])
      defer { search.reset() }
      guard try search.step() else { return kind }
    }
    return nil
  }

  private func fault(_ message: String, _ path: String) -> DecantError {
    DecantError(
      .failed,
      message,
      place: path,
      remedy: "this is a fault of decant or of the disk: please report it; nothing was made"
    )
  }
}
