internal import DecantJSON

/// RecipeML 0.5: XML whose pictures are only addresses, which are not fetched.
package enum RecipeMLFormat: MarkupRecipeFormat {
  package static let name = "recipeml"
  package static let title = "RecipeML"

  package static func matches(root: MarkupElement) -> Bool {
    ["recipeml", "recipe-ml"].contains(root.name.lowercased())
  }

  package static func isRecord(_ element: MarkupElement, path: [String]) -> Bool {
    element.name.caseInsensitiveEquals("recipe")
      && path.contains { ["recipeml", "recipe-ml", "menu"].contains($0.lowercased()) }
  }

  package static func recipe(_ element: MarkupElement, _ context: RecipeContext) throws -> Recipe? {
    var recipe = Recipe()
    if let head = element.child("head") {
      recipe.title = try head.text("title") ?? ""
      let items = try head.child("source")?.texts("srcitem") ?? []
      recipe.source = try items.isEmpty ? head.text("source") : items.joined(separator: ", ")
      recipe.categories = try head.child("categories")?.texts("cat") ?? []
      try times(head, &recipe)
      if let yield = head.child("yield") {
        let quantity = try quantity(yield)
        let unit = try yield.text("unit")
        let line = MarkupTexts.trimmed(MarkupTexts.line([quantity, unit]))
        recipe.yield = try line ?? MarkupTexts.trimmed(yield.allText)
        recipe.servings = Quantity(quantity)?.from
      }
      recipe.extra = try head.rest(children: ["title", "source", "categories", "preptime", "yield"], context)
    }
    recipe.summary = try element.text("description")
    for list in element.children(named: "ingredients") {
      try ingredients(list, context, &recipe)
    }
    for directions in element.children(named: "directions") { try steps(directions, &recipe) }
    recipe.nutrition = MarkupTexts.lines(try element.text("nutrition") ?? "").map {
      RecipeNutrient(name: nil, value: $0)
    }
    recipe.extra += try element.rest(
      children: ["head", "description", "ingredients", "directions", "nutrition"],
      context
    )
    return recipe
  }

  private static func times(_ head: MarkupElement, _ recipe: inout Recipe) throws {
    for element in head.children(named: "preptime") {
      let span = element.child("time") ?? element
      let line = MarkupTexts.line([try quantity(span), try span.text("timeunit")])
      guard let time = RecipeTime(written: line.isEmpty ? try element.allText : line) else {
        continue
      }
      let kind = element.value("type")?.lowercased() ?? ""
      if kind.hasPrefix("cook") || kind.hasPrefix("bak") {
        recipe.cookTime = time
      } else if kind.hasPrefix("total") {
        recipe.totalTime = time
      } else if kind.isEmpty || kind.hasPrefix("prep") {
        recipe.prepTime = time
      } else {
        recipe.extra.keep("preptime \(kind)", time.text)
      }
    }
  }

  /// Returns a quantity, or a range, which is inside it or replaces it.
  private static func quantity(_ element: MarkupElement) throws -> String? {
    let quantity = element.child("qty")
    if let range = quantity?.child("range") ?? element.child("range") {
      let ends = try ["q1", "q2"].compactMap { try range.child($0).flatMap(number) }
      return ends.isEmpty ? nil : ends.joined(separator: "-")
    }
    return try quantity.flatMap(number)
  }

  /// Returns a number, whose fraction may be an element: `2<frac><n>1</n><d>4</d></frac>` is “2 1/4”.
  private static func number(_ element: MarkupElement) throws -> String? {
    var number = ""
    for node in element.nodes {
      switch node {
      case .text(let text): number += try text.string
      case .element(let frac):
        let parts = try frac.texts("n") + frac.texts("d")
        number += " \(try parts.count == 2 ? parts.joined(separator: "/") : frac.allText)"
      }
    }
    return MarkupTexts.trimmed(number.split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }

  private static func ingredients(_ list: MarkupElement, _ context: RecipeContext, _ recipe: inout Recipe) throws {
    for child in list.children {
      switch child.name.lowercased() {
      case "ing-div":
        if let title = try child.text("title") {
          recipe.ingredients.append(RecipeIngredient(title, isHeading: true))
        }
        try ingredients(child, context, &recipe)
      case "ing": try ingredient(child, context).map { recipe.ingredients.append($0) }
      case "note":
        let text = MarkupTexts.trimmed(try child.allText)
        recipe.notes = MarkupTexts.trimmed([recipe.notes, text].compactMap { $0 }.joined(separator: "\n"))
      default: continue
      }
    }
  }

  private static func line(_ element: MarkupElement) throws -> String {
    let amount = element.child("amt")
    return MarkupTexts.line(
      [try amount.flatMap(quantity), try amount?.text("size"), try amount?.text("unit"), try element.text("item")],
      note: try element.text("prep")
    )
  }

  private static func ingredient(_ element: MarkupElement, _ context: RecipeContext) throws -> RecipeIngredient? {
    var line = try line(element)
    // Alternatives belong to the line, as the cook reads it.
    let others = try element.children(named: "alt-ing").map(Self.line).filter { !$0.isEmpty }
    line = ([line] + others).filter { !$0.isEmpty }.joined(separator: " or ")
    guard !line.isEmpty else { return nil }
    var ingredient = RecipeIngredient(line)
    let quantity = try element.child("amt").flatMap(quantity)
    let amount = Quantity(quantity)
    (ingredient.amount, ingredient.amountTo) = (amount?.from, amount?.to)
    ingredient.unit = try element.child("amt")?.text("unit")
    ingredient.name = try element.text("item")
    let notes = [try element.text("prep"), try element.text("ing-note")].compactMap { $0 }
    ingredient.note = MarkupTexts.trimmed(notes.joined(separator: "; "))
    if let optional = element.value("optional") {
      ingredient.isOptional = optional.caseInsensitiveEquals("yes")
    }
    ingredient.extra = try element.rest(
      except: ["optional"],
      children: amount == nil
        ? ["item", "prep", "ing-note"] : ["item", "prep", "ing-note", "amt"],
      context
    )
    return ingredient
  }

  /// Steps, divisions of them with a title, or text.
  private static func steps(_ element: MarkupElement, _ recipe: inout Recipe) throws {
    for node in element.nodes {
      switch node {
      case .text(let text):
        recipe.steps += MarkupTexts.paragraphs(try text.string).map { RecipeStep($0) }
      case .element(let child) where child.name.caseInsensitiveEquals("dir-div"):
        try steps(child, &recipe)
      case .element(let child):
        guard let text = MarkupTexts.trimmed(try child.allText) else { continue }
        recipe.steps.append(RecipeStep(text, isHeading: child.name.caseInsensitiveEquals("title")))
      }
    }
  }
}
