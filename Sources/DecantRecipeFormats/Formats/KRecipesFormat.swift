internal import DecantJSON

/// KRecipes: `.kreml`, XML with pictures in base64.
package enum KRecipesFormat: MarkupRecipeFormat {
  package static let name = "krecipes"
  package static let title = "KRecipes"
  package static let fileEndings = ["kreml", "kre"]

  package static func matches(root: MarkupElement) -> Bool {
    root.name.caseInsensitiveEquals("krecipes")
  }

  package static func isRecord(_ element: MarkupElement, path: [String]) -> Bool {
    element.name.caseInsensitiveEquals("krecipes-recipe")
  }

  package static func recipe(_ element: MarkupElement, _ context: RecipeContext) throws -> Recipe? {
    var recipe = Recipe()
    if let head = element.child("krecipes-description") {
      recipe.title = try head.text("title") ?? ""
      recipe.author = MarkupTexts.trimmed(try head.texts("author").joined(separator: ", "))
      recipe.categories = try head.child("category")?.texts("cat") ?? []
      try yield(head, &recipe)
      let time = RecipeTime(written: try head.text("preparation-time"))
      if time?.minutes != 0 { recipe.prepTime = time }
      for picture in head.child("pictures")?.children(named: "pic") ?? [] {
        let content = try picture.content
        guard !content.isEmpty else { continue }
        context.add(try context.picture(base64: content, name: picture.value("id")), to: &recipe)
      }
      recipe.extra = try head.rest(
        children: [
          "title", "author", "category", "yield", "serving", "preparation-time", "pictures",
        ],
        context
      )
    }
    for list in element.children(named: "krecipes-ingredients") {
      try ingredients(list, context, &recipe)
    }
    let instructions = try element.text("krecipes-instructions") ?? ""
    recipe.steps = MarkupTexts.paragraphs(instructions).map { RecipeStep($0) }
    recipe.extra += try element.rest(
      children: ["krecipes-description", "krecipes-ingredients", "krecipes-instructions"],
      context
    )
    return recipe
  }

  /// Reads `<yield><amount>4</amount><type>servings</type></yield>`, or the older `<serving>4</serving>`.
  private static func yield(_ head: MarkupElement, _ recipe: inout Recipe) throws {
    if let yield = head.child("yield") {
      let (text, amount) = try Self.amount(yield)
      let kind = try yield.text("type")
      recipe.yield = MarkupTexts.trimmed(MarkupTexts.line([text, kind]))
      let isServings = kind.map { $0.lowercased().contains("serving") } ?? true
      if isServings { recipe.servings = amount?.from }
    } else if let serving = try head.text("serving"), serving != "0" {
      recipe.yield = serving
      recipe.servings = Quantity.number(serving)
    }
  }

  private static func amount(_ element: MarkupElement) throws -> (String?, Quantity?) {
    guard let amount = element.child("amount") else { return (nil, nil) }
    if let from = try amount.text("min"), let to = try amount.text("max") {
      let text = "\(from)-\(to)"
      return (text, Quantity(text))
    }
    let text = MarkupTexts.trimmed(try amount.allText)
    return (text, Quantity(text))
  }

  private static func ingredients(_ list: MarkupElement, _ context: RecipeContext, _ recipe: inout Recipe) throws {
    for child in list.children {
      if child.name.caseInsensitiveEquals("ingredient-group") {
        if let name = child.value("name") {
          recipe.ingredients.append(RecipeIngredient(name, isHeading: true))
        }
        try ingredients(child, context, &recipe)
      } else {
        try ingredient(child, context).map { recipe.ingredients.append($0) }
      }
    }
  }

  private static func ingredient(_ element: MarkupElement, _ context: RecipeContext) throws -> RecipeIngredient? {
    let (quantity, amount) = try amount(element)
    let (unit, name) = (try element.text("unit"), try element.text("name"))
    let note = MarkupTexts.trimmed(try element.texts("prep").joined(separator: ", "))
    let line = MarkupTexts.line([quantity == "0" ? nil : quantity, unit, name], note: note)
    guard !line.isEmpty else { return nil }
    var ingredient = RecipeIngredient(line)
    if quantity != "0" { (ingredient.amount, ingredient.amountTo) = (amount?.from, amount?.to) }
    (ingredient.unit, ingredient.name, ingredient.note) = (unit, name, note)
    ingredient.extra = try element.rest(children: ["amount", "unit", "name", "prep"], context)
    return ingredient
  }
}
