internal import DecantRecipeFormats
internal import DecantSQLite

/// One list of a version: the rows of a table in their order, as far as they are compared with those of other versions.
struct VersionList {
  let lines: [ListAlignment.Line]
  /// The rows as JSON.
  let rows: [String]
  /// The place of each row; `nil` if it has none.
  let places: [Int64?]

  /// Reads the list in the table `table`, whose JSON is read on `connection`.
  init(_ version: RecipeVersion, _ table: RecipeTable, on connection: Connection) throws(SQLiteError) {
    let key = [RecipeTable.image.name: "sha256", RecipeTable.nutrition.name: "name"][table.name] ?? "text"
    let statement = try connection.prepare(
      """
      SELECT value, json_extract(value, '$.\(key)'), json_extract(value, '$.name'),
        json_extract(?2, '$.\(table.name)[' || key || ']') FROM json_each(?1, '$.\(table.name)') ORDER BY key
      """
    )
    try statement.bind([.text(version.content), .text(version.places)])
    var (lines, rows, places): ([ListAlignment.Line], [String], [Int64?]) = ([], [], [])
    while try statement.step() {
      let text = statement.text(at: 1)
      switch table.name {
      case RecipeTable.ingredient.name:
        lines.append(ListAlignment.Line(ingredient: text ?? "", name: statement.text(at: 2)))
      case RecipeTable.step.name: lines.append(ListAlignment.Line(step: text ?? ""))
      default: lines.append(ListAlignment.Line(keys: [text]))
      }
      rows.append(statement.text(at: 0) ?? "")
      places.append(statement.type(at: 3) == .null ? nil : statement.integer(at: 3))
    }
    (self.lines, self.rows, self.places) = (lines, rows, places)
  }
}

extension ListAlignment.Line {
  /// Makes a line of ingredients, which is compared by its letters and digits, then by its name.
  init(ingredient text: String, name: String?) {
    let letters = name.map { String(decoding: FoldedText.letters(of: $0), as: UTF8.self) }
    keys = [String(decoding: FoldedText.line(text), as: UTF8.self), letters.flatMap { $0.isEmpty ? nil : $0 }]
    words = Self.words(text)
  }

  /// Makes a step, which is compared by its letters and digits.
  init(step text: String) {
    keys = [String(decoding: FoldedText.letters(of: text.withoutStepNumber), as: UTF8.self)]
    words = Self.words(text)
  }

  private static func words(_ text: String) -> Set<Substring> { Set(text.lowercased().split { !$0.isLetter }) }
}
