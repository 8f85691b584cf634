package import DecantBase
internal import DecantPages
package import DecantRecipes
internal import DecantSQLite
internal import DecantStore
internal import DecantSystem
internal import DecantTransfer

/// A single recipe, read as text, as a page, or by its parts.
extension RecipeLibrary {
  /// Returns the recipe as text, in the form for printing.
  package func text(of id: Int64) throws(DecantError) -> String {
    var bytes: [UInt8] = []
    try SharedText(of: source(), SharedScope(objects: [SharedObject("Recipe", id)])).write { piece in
      bytes.append(contentsOf: piece)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the recipe as a page into a private folder of this user, inside `TMPDIR`, and removes the previous content
  /// of that folder.
  ///
  /// - Returns: The page, which remains until another one is written.
  /// - Throws: `DecantError` if it cannot be written.
  package func writePage(of recipe: Line) throws(DecantError) -> String {
    let asked = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let folder = "\(asked.isEmpty ? "/tmp" : asked)/decant-recipe-\(geteuid())"
    try RecipeLibrary.settle(folder: folder)
    var names = ArchiveNames(ending: ".html")
    let path = "\(folder)/\(names.claim(recipe.title))"
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw DecantError(SystemError("write", path)) }
    defer { close(file) }
    let page = SharedPage(of: try source(), SharedScope(objects: [SharedObject("Recipe", recipe.id)]))
    try page.write { piece throws(DecantError) in
      try explaining { () throws(SystemError) in try Files.write(piece, to: file, of: path) }
    }
    return path
  }

  /// Creates the folder of pages, after removing an existing one with its content.
  private static func settle(folder: String) throws(DecantError) {
    guard mkdir(folder, 0o700) != 0 else { return }
    guard errno == EEXIST else { throw DecantError(SystemError("create", folder)) }
    // In a folder that others can write to, it may have been created by somebody else.
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
    else {
      throw DecantError(
        .accessDenied,
        "cannot write a page into “\(folder)”",
        place: "it is not a folder that only this user can read and write",
        remedy: "remove it\(shell: ", or name another folder by TMPDIR", app: "")"
      )
    }
    try explaining { () throws(SystemError) in
      try Files.removeTree(folder)
      guard mkdir(folder, 0o700) == 0 else { throw SystemError("create", folder) }
    }
  }

  /// Returns the parts of the recipe that are deleted with it: the number for each kind.
  package func parts(of id: Int64) throws(DecantError) -> [RecipesReport.Part] {
    try ["Ingredient", "Step", "Image", "Nutrition", "NativeID"].map { table throws(DecantError) in
      let count = try reading { connection throws(SQLiteError) in
        try connection.integer("SELECT count(*) FROM \(table) WHERE recipe_id = ?1", .integer(id))
      }
      return RecipesReport.Part(table, count ?? 0)
    }
  }

  /// Returns the recipe with its lines.
  package func recipe(of id: Int64) throws(DecantError) -> StoredRecipes.Entry {
    var entry: StoredRecipes.Entry?
    let recipes = try StoredRecipes(file.uri, of: place.place, keepsDurations: false, only: id)
    do {
      try recipes.forEach { entry = $0 }
    } catch let error as DecantError {
      throw error
    } catch {
      throw DecantError(.databaseFailed, "cannot read recipe \(id) of “\(place.place)”: \(error)")
    }
    guard let entry else { throw gone(id) }
    return entry
  }
}
