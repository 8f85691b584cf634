internal import DecantBase
internal import DecantSQLite

/// The database of the last imported versions of the recipes whose files have changed: the base of a three-way merge.
final class RecipeBase {
  let path: String
  /// The databases that hold the bytes of pictures: of the recipes that were read, and of the store.
  private let staged: Connection
  private let library: ImportedVersions
  private var connection: Connection?
  private var insertions: [Statement] = []
  private var image: Statement?

  /// Whether no version was added.
  var isEmpty: Bool { connection == nil }

  init(at path: String, _ staged: Connection, _ library: ImportedVersions) {
    (self.path, self.staged, self.library) = (path, staged, library)
  }

  /// Adds a version under `key`, whose successor is `new`.
  ///
  /// Pictures that the new version lacks are left out: the file may not supply them, and a correction removes none.
  func add(_ version: RecipeVersion, key: Int64, before new: RecipeVersion) throws(SQLiteError) {
    let connection = try open()
    let values: [Binding] = [.integer(key), .text(version.recipe), .text(version.content), .text(version.places)]
    let all = values + [.text(try library.fingerprint(ofRecipe: version.recipe))]
    for statement in insertions {
      try statement.bind(Array(all.prefix(statement.parameterCount)))
      while try statement.step() {}
      statement.reset()
    }
    // Notes and ratings belong to the cook: a file or a shared page without them does not remove them.
    let own = try connection.prepare(
      """
      UPDATE Recipe SET notes = iif(json_extract(?2, '$.Recipe.notes') IS NULL, NULL, notes),
        rating = iif(json_extract(?2, '$.Recipe.rating') IS NULL, NULL, rating) WHERE id = ?1
      """
    )
    try own.run(.integer(key), .text(new.content))
    let digests = try staged.prepare(
      """
      SELECT key, json_extract(value, '$.sha256') FROM json_each(?1, '$.Image')
      WHERE json_extract(value, '$.sha256') IN (SELECT json_extract(value, '$.sha256') FROM json_each(?2, '$.Image'))
      """
    )
    try digests.bind([.text(version.content), .text(new.content)])
    while try digests.step() {
      // A picture that no longer exists anywhere is not compared.
      guard let bytes = try picture(digests.text(at: 1) ?? ""), let image else { continue }
      try image.bind(values + [.integer(digests.integer(at: 0))])
      try image.bindZeros(Int64(bytes.byteCount), at: 6)
      _ = try image.step()
      image.reset()
      let blob = try BlobHandle(
        "main", "Image", "data", rowID: connection.lastInsertedRowID, isWritable: true, on: connection)
      try bytes.forEachPiece { piece, place throws(SQLiteError) in try blob.write(piece, at: place) }
    }
  }

  /// Completes the database.
  func finish() throws(SQLiteError) {
    guard let connection else { return }
    (insertions, image) = ([], nil)
    try RecipeSchema.makeIdentities(on: connection)
    try connection.run("COMMIT")
  }

  /// Returns the database, which is created on first use.
  func open() throws(SQLiteError) -> Connection {
    if let connection { return connection }
    let made = try Connection(path, mode: .create)
    try made.run("PRAGMA journal_mode = OFF")
    try made.run("PRAGMA synchronous = OFF")
    try RecipeSchema.make(on: made)
    // A version of a recipe that was kept beside another one has the app's ID only if no other recipe has it.
    try made.run("CREATE UNIQUE INDEX ids ON NativeID (format, value)")
    try made.run("BEGIN")
    insertions = try RecipeVersion.insertions.map { sql throws(SQLiteError) in try made.prepare(sql) }
    image = try made.prepare(RecipeVersion.imageInsertion)
    connection = made
    return made
  }

  private func picture(_ digest: String) throws(SQLiteError) -> BlobHandle? {
    let row = try staged.integer("SELECT id FROM main.Image WHERE sha256 = ?1 LIMIT 1", .text(digest))
    guard let row else { return try library.picture(digest) }
    return try BlobHandle("main", "Image", "data", rowID: row, isWritable: false, on: staged)
  }
}
