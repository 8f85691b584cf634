internal import DecantBase
internal import DecantRecipeFormats
internal import DecantJSON

/// Writes recipes as Cooklang.
enum CooklangText {
  /// Writes a recipe, and reads it back.
  ///
  /// - Parameters:
  ///   - recipe: Any recipe.
  ///   - reader: Reads it back.
  /// - Returns: The text, and the recipe read back from it.
  /// - Throws: `RecipeFault` if the text is not a Cooklang recipe.
  static func write(_ recipe: Recipe, _ reader: WrittenRecipes) throws -> (text: String, written: WrittenRecipe) {
    let text = text(recipe)
    let recipes = try reader.recipes(in: text, as: CooklangFormat.self, entry: "Untitled.cook")
    guard let written = recipes.first else { throw RecipeFault("it cannot be read back") }
    var losses = RecipeLosses.between(recipe, written)
    // These are the text itself, and a list of things that it contains.
    losses.removeAll { $0 == "extra.body" || $0 == "extra.cookware" && text.contains("#") }
    return (text, WrittenRecipe(losses: losses, recipe: written))
  }

  /// Returns the text of a recipe.
  static func text(_ recipe: Recipe) -> String {
    let recipe = recipe.withoutControls
    let head = head(recipe)
    if let body = keptBody(recipe) {
      let text = head + "\n" + body
      if !isMistaken(text) { return text }
    }
    let text = TextEncoding.clean(head + "\n" + body(recipe, isGuarded: false))
    guard isMistaken(text) else { return text }
    return TextEncoding.clean(head + "\n" + body(recipe, isGuarded: true))
  }

  /// Whether a line would make readers take the text for another format.
  private static func isMistaken(_ text: String) -> Bool {
    let head = Array(text.utf8.prefix(1 << 16))
    let format = RecipeFormats.text.first { $0.matches(head, name: "x.cook") }
    return format?.name != CooklangFormat.name
  }

  // MARK: Fields

  private static func head(_ recipe: Recipe) -> String {
    var lines = ["---"]
    func add(_ name: String, _ value: String?) {
      guard let value, !value.isEmpty else { return }
      lines.append(FrontMatter.line(FrontMatter.Field(name: name, values: [value], isList: false)))
    }
    func add(_ name: String, _ values: [String]) {
      guard !values.isEmpty else { return }
      lines.append(FrontMatter.line(FrontMatter.Field(name: name, values: values, isList: true)))
    }
    add("title", recipe.title)
    add("description", recipe.summary)
    add("author", recipe.author)
    add("source.name", recipe.source)
    add("source.url", recipe.url)
    add("servings", recipe.servings.map(AmountText.text))
    add("yield", recipe.yield)
    add("prep time", recipe.prepTime?.text)
    add("cook time", recipe.cookTime?.text)
    add("time required", recipe.totalTime?.text)
    add("category", recipe.categories)
    add("tags", recipe.tags)
    add("rating", recipe.rating.map(AmountText.text))
    add("difficulty", recipe.difficulty)
    if recipe.isFavorite == true { add("favorite", "true") }
    if recipe.isFavorite == false { add("favorite", "false") }
    add("locale", recipe.language)
    add("created", recipe.created)
    add("modified", recipe.modified)
    add("id", recipe.nativeID)
    for nutrient in recipe.nutrition {
      add(nutrient.name.map { "nutrition.\($0)" } ?? "nutrition", nutrient.value)
    }
    let own = ["body", "cookware", Recipe.untitledMark]
    // Names such as `ID` or `date` from another format would be read as fields of this one.
    for (name, value) in recipe.extra where !own.contains(name) && !CooklangFields.isKnown(name) {
      switch value {
      case .string(let text): add(name, text)
      case .bool, .integer, .number: add(name, value.text)
      case .array(let values):
        let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
        if texts.count == values.count { add(name, texts) }
      case .null, .object, .raw: break
      }
    }
    return (lines + ["---", ""]).joined(separator: "\n")
  }

  // MARK: The body

  /// Returns the text that the recipe was read from, if it still matches.
  private static func keptBody(_ recipe: Recipe) -> String? {
    guard case .string(let body)? = recipe.extra.first(where: { $0.0 == "body" })?.1 else {
      return nil
    }
    var bare = Recipe()
    bare.title = recipe.title
    (bare.ingredients, bare.steps, bare.notes) = (recipe.ingredients, recipe.steps, recipe.notes)
    var read = CooklangFormat.recipe("---\ntitle: x\n---\n" + body)
    read.title = recipe.title
    guard RecipeLosses.between(bare, read).isEmpty, read.steps.count == bare.steps.count,
      read.ingredients.count == bare.ingredients.count, read.notes == bare.notes
    else { return nil }
    return body + "\n"
  }

  /// Returns the ingredients, steps and notes.
  ///
  /// - Parameters:
  ///   - recipe: The recipe.
  ///   - isGuarded: Whether an empty comment precedes each line of a step, so that no program takes anything in it for
  ///     a mark of its own.
  /// - Returns: The text.
  private static func body(_ recipe: Recipe, isGuarded: Bool) -> String {
    var blocks: [String] = []
    var list: [String] = []
    var isInSection = false
    func endList() {
      if !list.isEmpty { blocks.append(list.joined(separator: "\n")) }
      list = []
    }
    for ingredient in recipe.ingredients {
      guard ingredient.isHeading else {
        list.append(line(ingredient))
        continue
      }
      endList()
      blocks.append(section(ingredient.text))
      isInSection = true
    }
    endList()
    if recipe.steps.first?.isHeading == true { blocks.append("==") }
    for step in recipe.steps {
      if step.isHeading {
        blocks.append(section(RecipeLosses.text(step)))
        isInSection = false
        continue
      }
      // This ends the section of ingredients.
      if isInSection { blocks.append("==") }
      isInSection = false
      blocks.append(paragraph(RecipeLosses.text(step), isGuarded: isGuarded))
    }
    if let notes = recipe.notes {
      blocks.append(
        notes.split(separator: "\n", omittingEmptySubsequences: false)
          .map { $0.isEmpty ? ">" : "> \($0)" }.joined(separator: "\n")
      )
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static func section(_ name: String) -> String { "== \(escaped(name[...], "=\\")) ==" }

  /// Returns the text of a step, without any marks.
  private static func paragraph(_ text: String, isGuarded: Bool) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let escaped = (isGuarded ? "[- -]" : "") + escaped(line, "@#~\\")
      return !isGuarded && (line.first == "=" || line.first == ">") ? "\\" + escaped : escaped
    }
    return lines.joined(separator: "\\\n")
  }

  /// Returns `text` with a backslash before each of `signs`, and where a comment would begin.
  private static func escaped(_ text: Substring, _ signs: String) -> String {
    var result = ""
    var last: Character?
    for character in text {
      let opensComment = character == "-" && (last == "-" || last == "[")
      if signs.contains(character) || opensComment { result.append("\\") }
      result.append(character)
      last = character
    }
    return result
  }

  // MARK: Ingredients

  /// Returns an ingredient on a line of its own, with the original line if the parts do not contain everything.
  private static func line(_ ingredient: RecipeIngredient) -> String {
    var ingredient = ingredient
    if ingredient.name == nil {
      // The parts may still be unset although the line determines them.
      let parts = RecipeIngredient(line: ingredient.text)
      (ingredient.amount, ingredient.amountTo) = (parts.amount, parts.amountTo)
      (ingredient.unit, ingredient.name, ingredient.note) = (parts.unit, parts.name, parts.note)
    }
    let signs = "@#~\\{}()|%,"
    let amount = amount(ingredient)
    let name = (ingredient.name ?? ingredient.text)[...]
    let hasParts = ingredient.name != nil
    var text = "@"
    if ingredient.isOptional == true { text += "?" }
    var written = escaped(name, signs)
    if let first = name.first, "&?+-=.".contains(first) { written = "\\" + written }
    text += written + "{"
    if hasParts {
      text += escaped(amount[...], signs)
      if let unit = ingredient.unit { text += "%" + escaped(unit[...], signs) }
    }
    text += "}"
    if hasParts, let note = ingredient.note { text += "(" + escaped(note[...], signs) + ")" }
    let isSaid: Bool
    if case .ingredient(let mark)? = CooklangParser.pieces(text).first {
      isSaid = CooklangBody.ingredient(mark).text == ingredient.text
    } else {
      isSaid = false
    }
    let isHoldable = !ingredient.text.contains("-]") && !ingredient.text.contains("\n")
    return isSaid || !isHoldable ? text : "\(text) [- \(ingredient.text) -]"
  }

  /// Returns the amount as written at the beginning of the line, or in digits.
  private static func amount(_ ingredient: RecipeIngredient) -> String {
    if case .string(let text)? = ingredient.extra.first(where: { $0.0 == "quantity" })?.1 {
      return text
    }
    guard let amount = ingredient.amount else { return "" }
    var rest = ingredient.text[...]
    if let quantity = Quantity(reading: &rest), quantity.from == amount,
      quantity.to == ingredient.amountTo
    {
      return ingredient.text[..<rest.startIndex].trimmed
    }
    let digits = AmountText.text(amount)
    return ingredient.amountTo.map { "\(digits)-\(AmountText.text($0))" } ?? digits
  }
}
