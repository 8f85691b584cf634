internal import DecantRecipeFormats
internal import DecantSQLite

/// The SQL functions `recipe_letters(text)`, `recipe_line(text)` and `recipe_step(text)`: the forms in which titles,
/// lines of ingredients and steps are compared.
final class RecipeTextFunction: ScalarFunction {
  enum Kind: String, CaseIterable {
    case letters, line, step
  }

  private let kind: Kind

  /// Registers the functions on a connection.
  static func register(on connection: Connection) throws(SQLiteError) {
    for kind in Kind.allCases {
      try connection.register(RecipeTextFunction(kind), as: "recipe_\(kind.rawValue)", [.directOnly, .deterministic])
    }
    try connection.register(
      RecipeContentFunction(), as: "recipe_content", argumentCount: 4, [.directOnly, .deterministic])
  }

  init(_ kind: Kind) { self.kind = kind }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 0) == .text else { return result.setNull() }
    let text = arguments.text(at: 0)
    let bytes =
      switch kind {
      case .letters: FoldedText.letters(of: text)
      case .line: FoldedText.line(text)
      case .step: FoldedText.letters(of: text.withoutStepNumber)
      }
    result.set(String(decoding: bytes, as: UTF8.self))
  }
}

/// The SQL function `recipe_content(title, isUntitled, ingredients, steps)`: the fingerprint of a recipe in its current
/// state.
///
/// The column `fingerprint` holds that of the recipe in its file, unaffected by other programs' edits.
final class RecipeContentFunction: ScalarFunction {
  /// Returns an expression for the fingerprint of the recipe `r`, whose key is `key`; its lines refer to it by `link`.
  static func expression(key: String, link: String) -> String {
    func lines(_ table: String) -> String {
      "(SELECT group_concat(text, char(31)) FROM (SELECT text FROM \(table) WHERE \(link) = r.\(key) "
        + "AND NOT isHeading ORDER BY recipe_position, \(key)))"
    }
    let isUntitled = "iif(json_valid(r.extra), json_type(r.extra, '$.\(Recipe.untitledMark)') IS NOT NULL, 0)"
    return "recipe_content(r.title, \(isUntitled), \(lines("Ingredient")), \(lines("Step")))"
  }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    var title = arguments.type(at: 0) == .null ? "" : arguments.text(at: 0)
    if arguments.integer(at: 1) != 0, title.hasPrefix(Recipe.untitled) { title = Recipe.untitled }
    func lines(_ index: Int) -> [String] {
      guard arguments.type(at: index) != .null else { return [] }
      return arguments.text(at: index).split(separator: "\u{1f}", omittingEmptySubsequences: false).map(String.init)
    }
    result.set(FoldedText.fingerprint(title: title, ingredients: lines(2), steps: lines(3)))
  }
}
