package import DecantBase
internal import DecantPages
package import DecantRecipes
internal import DecantSQLite
internal import DecantStore
internal import DecantSystem
internal import DecantTransfer

/// One recipe, read as a text, as a page, or by its parts.
extension RecipeLibrary {
  /// The recipe as text on paper has it.
  package func text(of id: Int64) throws(DecantError) -> String {
    var bytes: [UInt8] = []
    try SharedText(of: source(), SharedScope(objects: [SharedObject("Recipe", id)])).write { piece in
      bytes.append(contentsOf: piece)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the recipe as a page into a new folder that only this user can look into, below the one that `TMPDIR` names.
  ///
  /// - Returns: The page, which stays there.
  /// - Throws: `DecantError` where it cannot be written.
  package func writePage(of recipe: Line) throws(DecantError) -> String {
    let asked = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let place = asked.isEmpty ? "/tmp" : asked
    var template = Array("\(place)/decant-recipe-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw DecantError(SystemError("create a folder in", place)) }
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
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

  /// What the recipe owns, which goes with it: for each kind of part, how many there are.
  package func parts(of id: Int64) throws(DecantError) -> [(entity: String, count: Int64)] {
    try ["Ingredient", "Step", "Image", "Nutrition", "NativeID"].map { table throws(DecantError) in
      let count = try reading { connection throws(SQLiteError) in
        try connection.integer("SELECT count(*) FROM \(table) WHERE recipe_id = ?1", .integer(id))
      }
      return (table, count ?? 0)
    }
  }

  /// The recipe with its lines, for a document.
  package func document(of id: Int64) throws(DecantError) -> RecipeDocument? {
    var document: RecipeDocument?
    let recipes = try StoredRecipes(file.uri, of: place.place, keepsDurations: false, only: id)
    do {
      try recipes.forEach { document = RecipeDocument($0) }
    } catch let error as DecantError {
      throw error
    } catch {
      throw DecantError(.databaseFailed, "cannot read recipe \(id) of “\(place.place)”: \(error)")
    }
    return document
  }
}
