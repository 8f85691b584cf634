internal import DecantRecipeFormats
internal import DecantJSON

/// The parts of a recipe that a text format cannot hold.
enum RecipeLosses {
  /// Compares a recipe with what was read back after writing it.
  ///
  /// - Parameters:
  ///   - recipe: The recipe that was to be written.
  ///   - written: The recipe that a reader finds in the text.
  /// - Returns: The names of the fields that differ; a value that was `nil` before is not a loss.
  static func between(_ recipe: Recipe, _ written: Recipe) -> [String] {
    var (before, after) = (recipe, written)
    // The substitute for a title is derived from the file's name.
    if recipe.isUntitled, written.isUntitled { after.title = before.title }
    // A recipe is not a favorite by default.
    if recipe.isFavorite == false { before.isFavorite = nil }
    var losses = Recipe.fields.flatMap { $0.losses(before, after) }
    if recipe.source != nil, recipe.source != written.source { losses.append("source") }
    losses += ingredients(recipe.ingredients, written.ingredients)
    losses += steps(recipe.steps, written.steps)
    if !recipe.images.isEmpty { losses.append("images") }
    let categories = Set(written.categories)
    if !categories.isSuperset(of: recipe.categories) { losses.append("categories") }
    if Set(recipe.tags) != Set(written.tags) {
      losses.append(categories.isSuperset(of: recipe.tags) ? "tags.categories" : "tags")
    }
    if let author = recipe.author, author == written.source, let index = losses.firstIndex(of: "author") {
      losses[index] = "author.source"
    }
    if recipe.nutrition != written.nutrition { losses.append("nutrition") }
    if recipe.nativeID != nil, recipe.nativeID != written.nativeID { losses.append("nativeID") }
    losses += extra("extra", recipe.extra, written.extra)
    return losses
  }

  private static func ingredients(_ before: [RecipeIngredient], _ after: [RecipeIngredient]) -> [String] {
    let isSame =
      before.map(\.text.words) == after.map(\.text.words) && before.map(\.isHeading) == after.map(\.isHeading)
    guard isSame else { return ["ingredients"] }
    let pairs = Array(zip(before, after))
    var losses = RecipeIngredient.fields.filter { field in
      field.name != "text" && pairs.contains { !field.losses($0.0, $0.1).isEmpty }
    }.map { "ingredients.\($0.name)" }
    if before.map(\.text) != after.map(\.text) { losses.append("ingredients.blanks") }
    if pairs.contains(where: { !extra("", $0.0.extra, $0.1.extra).isEmpty }) {
      losses.append("ingredients.extra")
    }
    return losses
  }

  private static func steps(_ before: [RecipeStep], _ after: [RecipeStep]) -> [String] {
    var losses: [String] = []
    let isKept =
      before.count == after.count
      && zip(before, after).allSatisfy { was, became in
        was.text == became.text && was.title == became.title && was.isHeading == became.isHeading
      }
    if !isKept {
      if before.contains(where: { $0.title != nil }) { losses.append("steps.title") }
      let (texts, others) = (before.map(text), after.map(\.text))
      if texts.map(\.words) != others.map(\.words) || before.map(\.isHeading) != after.map(\.isHeading) {
        losses.append("steps")
      } else if texts != others {
        losses.append("steps.blanks")
      }
    }
    let keepsExtra =
      before.allSatisfy(\.extra.isEmpty)
      || before.count == after.count
        && zip(before, after).allSatisfy { extra("", $0.extra, $1.extra).isEmpty }
    if !keepsExtra { losses.append("steps.extra") }
    return losses
  }

  /// Returns the text of a step with its title before it, as written in formats without titles of steps.
  static func text(_ step: RecipeStep) -> String {
    step.title.map { "\($0): \(step.text)" } ?? step.text
  }

  /// Returns the members that differ, each as `extra.NAME`.
  private static func extra(
    _ name: String,
    _ before: [(String, JSONValue)],
    _ after: [(String, JSONValue)]
  ) -> [String] {
    before.compactMap { member in
      // Only decant needs to know whether the recipe originally had a title.
      if member.0 == Recipe.untitledMark { return nil }
      let isKept = after.contains { $0.0 == member.0 && plain($0.1) == plain(member.1) }
      return isKept ? nil : "\(name).\(member.0)"
    }
  }

  /// Returns a value as text, whatever kind of scalar it is.
  private static func plain(_ value: JSONValue) -> String {
    if case .string(let text) = value { return text }
    return value.text
  }
}

extension String {
  /// The words between white space and line ends.
  fileprivate var words: [Substring] { split(whereSeparator: \.isWhitespace) }
}
