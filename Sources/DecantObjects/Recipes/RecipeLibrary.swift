package import DecantBase
package import DecantPlan
internal import DecantRecipeFormats
internal import DecantRecipes
internal import DecantSQLite
package import DecantStore
internal import DecantTransfer

/// A store of recipes from the owner's point of view: recipes are listed, searched, read, edited and deleted.
///
/// They are read from a plain database of the recipe model. That is the store itself, or a copy of its recipes in a
/// temporary folder: of a Core Data store, an archive, recipe files, or, by a mapping, a store with a model of its own.
package final class RecipeLibrary {
  package typealias Line = RecipesReport.Line

  /// The store, as the user named it.
  package let place: StoreLocation
  let choice: RecipeChoice
  private let folder: ScratchFolder
  /// The plain database, which is the store itself or a copy.
  let file: DatabaseFile
  private let connection: Connection

  /// Opens a store of recipes.
  ///
  /// - Parameters:
  ///   - place: The store.
  ///   - model: A model for a store that does not contain its own.
  ///   - mapping: How objects of a store with a model of its own become recipes.
  ///   - id: The key of the only recipe to be read; `nil` for all, whose pictures may be left out.
  ///   - step: The number of this library in the job, and their total.
  ///   - cancellation: Ends the work.
  ///   - onEvent: Receives the progress of the job if recipes have to be copied.
  /// - Throws: `DecantError`; of the family `.modelMismatch` for a store with a model of its own and no mapping.
  package init(
    _ place: String,
    model: String? = nil,
    mapping: Mapping? = nil,
    only id: Int64? = nil,
    step: (number: Int, count: Int) = (1, 1),
    _ cancellation: Cancellation = Cancellation(),
    _ onEvent: (WorkEvent) -> Void = { _ in }
  ) throws(DecantError) {
    self.place = StoreKinds.location(place)
    try StoreKinds.known.checkIsFile(
      self.place,
      "the recipes of a database on a server are not shown or edited there",
      remedy: "copy it into a file first"
    )
    folder = try ScratchFolder()
    var options = CopyOptions()
    (options.model, options.mapping, options.verifies) = (model, mapping, false)
    options.filters = [
      id.map { CopyOptions.Filter(entity: "Recipe", expression: "_id = \($0)") }
        ?? CopyOptions.Filter(entity: "Image", expression: "0")
    ]
    do throws(DecantError) {
      choice = try RecipeChoice(of: self.place, options, in: folder.path)
    } catch {
      throw RecipeLibrary.refusal(of: self.place.place) ?? error
    }
    if choice.isPlain, mapping == nil {
      file = try DatabaseFile.open(self.place.place)
    } else {
      let path = "\(folder.path)/recipes.sqlite"
      let onCopy = { (number: Int, count: Int) in
        onEvent(.part((step.number - 1) * count + number, of: step.count * count))
      }
      _ = try choice.take(into: path, for: "Recipes.paprikarecipes", cancellation, onCopy: onCopy, onEvent)
      file = try DatabaseFile.open(path)
    }
    connection = try explaining("cannot read “\(place)”") { [file] () throws(SQLiteError) in
      let connection = try Connection(file.uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      connection.setProgressCheck(StopCheck(cancellation))
      try connection.register(SearchedText(), as: "searched", argumentCount: 1, [.directOnly, .deterministic])
      return connection
    }
  }

  /// Returns the error for a file that is not a store of recipes, but may be mistaken for one.
  private static func refusal(of path: String) -> DecantError? {
    guard FileStatus(path)?.isFolder == true else { return RecipeFiles.refusal(of: path) }
    return DecantError(
      .notAStore,
      "“\(path)” is a folder",
      remedy:
        "import it first: \(command: "import \(path.shellQuoted) Recipes.db", app: "an import into a new store")"
    )
  }

  /// Returns the plain database as a store whose objects can be shown.
  func source() throws(DecantError) -> any SourceStore {
    try StoreKinds.known.openSource(StoreLocation(place: file.path), options: CopyOptions())
  }

  /// Runs `body` on the plain database.
  func reading<Result>(_ body: (Connection) throws(SQLiteError) -> Result) throws(DecantError) -> Result {
    try explaining("cannot read the recipes of “\(place.place)”") { () throws(SQLiteError) in try body(connection) }
  }

  // MARK: Lists

  /// The columns of a line; `r` is the recipe.
  private static let columns = """
    SELECT r.id, r.title, r.rating, (SELECT group_concat(name, char(31)) FROM (SELECT c.name FROM Category_recipes AS l
      JOIN Category AS c ON c.id = l.Category_id WHERE l.Recipe_id = r.id ORDER BY c.id)), s.name, r.url
    FROM Recipe AS r LEFT JOIN Source AS s ON s.id = r.source_id
    """

  /// Passes every recipe to `body`, sorted by title, until `body` returns `false`.
  package func forEach(_ body: (Line) throws(DecantError) -> Bool) throws(DecantError) {
    try forEach("ORDER BY searched(r.title), r.id", [], body)
  }

  /// Passes the lines that `condition`, which may join other tables, selects to `body`.
  func forEach(_ condition: String, _ bindings: [Binding], _ body: (Line) throws(DecantError) -> Bool)
    throws(DecantError)
  {
    let rows = try reading { connection throws(SQLiteError) in
      let rows = try connection.prepare("\(RecipeLibrary.columns) \(condition)")
      try rows.bind(bindings)
      return rows
    }
    defer { rows.reset() }
    while try reading({ _ throws(SQLiteError) in try rows.step() }) {
      let line = Line(
        id: rows.integer(at: 0),
        title: rows.text(at: 1) ?? "",
        rating: rows.type(at: 2) == .null ? nil : rows.real(at: 2),
        categories: rows.text(at: 3)?.split(separator: "\u{1f}").map(String.init) ?? [],
        source: rows.text(at: 4),
        url: rows.text(at: 5)
      )
      guard try body(line) else { return }
    }
  }

  private func lines(_ condition: String, _ bindings: [Binding]) throws(DecantError) -> [Line] {
    var lines: [Line] = []
    try forEach(condition, bindings) { line in
      lines.append(line)
      return true
    }
    return lines
  }

  /// Returns the spelling of `name`, given in any case, in `table`, which holds sources, categories or tags.
  func spelling(of name: String, in table: String) throws(DecantError) -> String? {
    let wanted = name.lowercased()
    return try reading { connection throws(SQLiteError) in
      let names = try connection.prepare("SELECT name FROM \(table) ORDER BY name <> ?1, id")
      try names.bind([.text(name)])
      while try names.step() {
        if let found = names.text(at: 0), found.lowercased() == wanted { return found }
      }
      return nil
    }
  }

  /// Finds the recipe called `name`: by its ID, its title, or words that only one title contains.
  ///
  /// - Parameters:
  ///   - name: The ID or the title, ignoring case and accents.
  ///   - isWhole: Whether part of a title is not sufficient.
  /// - Returns: The recipe.
  /// - Throws: `DecantError` of the family `.usage` for none, and for several, which it lists.
  package func recipe(named name: RecipeName, isWhole: Bool = false) throws(DecantError) -> Line {
    switch name.form {
    case .id(let id):
      guard let line = try recipe(id) else { throw unknown("\(id)") }
      return line
    case .words(let words):
      if let id = Int64(words), let line = try recipe(id) { return line }
      return try recipe(titled: words, isWhole)
    case .title(let title): return try recipe(titled: title, isWhole)
    }
  }

  private func recipe(_ id: Int64) throws(DecantError) -> Line? {
    try lines("WHERE r.id = ?1", [.integer(id)]).first
  }

  private func recipe(titled name: String, _ isWhole: Bool) throws(DecantError) -> Line {
    var found = try lines("WHERE searched(r.title) = searched(?1) ORDER BY r.id LIMIT 21", [.text(name)])
    let words = FoldedText.words(of: name)
    // No title has more words than this.
    if found.isEmpty, !isWhole, (1...100).contains(words.count) {
      let conditions = words.indices.map { "instr(searched(r.title), ?\($0 + 1)) > 0" }
      found = try lines(
        "WHERE \(conditions.joined(separator: " AND ")) ORDER BY r.id LIMIT 21", words.map { .text($0) })
    }
    guard found.count != 1 else { return found[0] }
    guard !found.isEmpty else { throw unknown(name) }
    let list = found.prefix(20).map { line in
      "\(line.id) “\(line.title)”" + (line.origin.map { " (\($0))" } ?? "")
    }
    throw DecantError(
      .decisionNeeded,
      "several recipes go by “\(name)”",
      place: DecantError.Text((list + (found.count > 20 ? ["…"] : [])).joined(separator: "\n  ")),
      remedy: "use the number in front of the one you mean"
    )
  }

  private func unknown(_ name: String) -> DecantError {
    let search: DecantError.Text = "recipes \(place.description.shellQuoted) search \(name.shellQuoted)"
    return DecantError(
      .objectNotFound,
      "there is no recipe “\(name)” in “\(place.place)”",
      remedy: "look for it: \(command: search, app: "a search in the library")"
    )
  }
}

/// The SQL function `searched(text)`: text in the form used for searching and sorting.
private final class SearchedText: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 0) == .text else { return result.setNull() }
    result.set(FoldedText.searchedText(arguments.text(at: 0)))
  }
}
