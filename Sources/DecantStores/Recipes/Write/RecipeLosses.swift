internal import JSON

/// What a format that is text cannot hold of a recipe.
enum RecipeLosses {
  /// Compares a recipe with what was read again after it was written.
  ///
  /// - Parameters:
  ///   - recipe: What was to be written.
  ///   - written: What a reader makes of the text.
  /// - Returns: The names of the fields that are not the same any more, in the order of the common model; what
  ///   was `nil` and has a value now is no loss.
  static func between(_ recipe: Recipe, _ written: Recipe) -> [String] {
    var losses: [String] = []
    func compare<T: Equatable>(_ name: String, _ before: T?, _ after: T?) {
      if let before, before != after { losses.append(name) }
    }
    // What stands in place of a title is made of the file's name.
    if !recipe.isUntitled || !written.isUntitled {
      compare("title", recipe.title, written.title)
    }
    compare("summary", recipe.summary, written.summary)
    compare("notes", recipe.notes, written.notes)
    compare("author", recipe.author, written.author)
    compare("source", recipe.source, written.source)
    compare("url", recipe.url, written.url)
    compare("yield", recipe.yield, written.yield)
    compare("servings", recipe.servings, written.servings)
    let times = [
      ("prepTime", recipe.prepTime, written.prepTime),
      ("cookTime", recipe.cookTime, written.cookTime),
      ("totalTime", recipe.totalTime, written.totalTime),
    ]
    for (name, before, after) in times {
      compare(name, before?.text, after?.text)
      if before?.text == after?.text { compare("\(name).minutes", before?.minutes, after?.minutes) }
    }
    compare("rating", recipe.rating, written.rating)
    compare("difficulty", recipe.difficulty, written.difficulty)
    // That it is no favourite goes without saying.
    if recipe.isFavorite == true { compare("isFavorite", true, written.isFavorite ?? false) }
    compare("language", recipe.language, written.language)
    compare("created", recipe.created, written.created)
    compare("modified", recipe.modified, written.modified)
    losses += ingredients(recipe.ingredients, written.ingredients)
    losses += steps(recipe.steps, written.steps)
    if !recipe.images.isEmpty { losses.append("images") }
    if Set(recipe.categories) != Set(written.categories) { losses.append("categories") }
    if Set(recipe.tags) != Set(written.tags) { losses.append("tags") }
    if recipe.nutrition != written.nutrition { losses.append("nutrition") }
    compare("nativeID", recipe.nativeID, written.nativeID)
    losses += extra("extra", recipe.extra, written.extra)
    return losses
  }

  private static func ingredients(_ before: [RecipeIngredient], _ after: [RecipeIngredient])
    -> [String]
  {
    let isSame =
      before.map(\.text) == after.map(\.text) && before.map(\.isHeading) == after.map(\.isHeading)
    guard isSame else { return ["ingredients"] }
    let pairs = Array(zip(before, after))
    func differs<T: Equatable>(_ part: (RecipeIngredient) -> T?) -> Bool {
      pairs.contains { pair in
        guard let value = part(pair.0) else { return false }
        return value != part(pair.1)
      }
    }
    var losses: [String] = []
    if differs(\.amount) { losses.append("ingredients.amount") }
    if differs(\.amountTo) { losses.append("ingredients.amountTo") }
    if differs(\.unit) { losses.append("ingredients.unit") }
    if differs(\.name) { losses.append("ingredients.name") }
    if differs(\.note) { losses.append("ingredients.note") }
    if differs(\.isOptional) { losses.append("ingredients.isOptional") }
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
      let isSame =
        before.map(text) == after.map(\.text) && before.map(\.isHeading) == after.map(\.isHeading)
      if !isSame { losses.append("steps") }
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
