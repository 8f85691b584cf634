internal import DecantRecipeFormats
internal import DecantJSON

/// What a format that is text cannot hold of a recipe.
enum RecipeLosses {
  /// Compares a recipe with what was read again after it was written.
  ///
  /// - Parameters:
  ///   - recipe: What was to be written.
  ///   - written: What a reader makes of the text.
  /// - Returns: The names of the fields that are not the same any more; what was `nil` and has a value now is no loss.
  static func between(_ recipe: Recipe, _ written: Recipe) -> [String] {
    var (before, after) = (recipe, written)
    // What stands in place of a title is made of the file's name.
    if recipe.isUntitled, written.isUntitled { after.title = before.title }
    // That it is no favourite goes without saying.
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

  /// The text of a step with its title in front, as it is written where steps have none.
  static func text(_ step: RecipeStep) -> String {
    step.title.map { "\($0): \(step.text)" } ?? step.text
  }

  /// The members that are not the same any more, each as `extra.NAME`.
  private static func extra(
    _ name: String,
    _ before: [(String, JSONValue)],
    _ after: [(String, JSONValue)]
  ) -> [String] {
    before.compactMap { member in
      // Whether it had a title when it came is decant's own affair.
      if member.0 == Recipe.untitledMark { return nil }
      let isKept = after.contains { $0.0 == member.0 && plain($0.1) == plain(member.1) }
      return isKept ? nil : "\(name).\(member.0)"
    }
  }

  /// A value as text, whatever kind of scalar it is.
  private static func plain(_ value: JSONValue) -> String {
    if case .string(let text) = value { return text }
    return value.text
  }
}

extension String {
  /// What stands between blanks and line ends.
  fileprivate var words: [Substring] { split(whereSeparator: \.isWhitespace) }
}
