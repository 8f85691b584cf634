internal import DecantJSON

/// MasterCook: `.mx2`, XML with the names of pictures.
///
/// Most of these files are invalid XML (the order in the declaration, bytes of Windows-1252, quotes in attributes); the
/// reader tolerates this.
package enum MX2Format: MarkupRecipeFormat {
  package static let name = "mx2"
  package static let title = "MasterCook"
  package static let fileEndings = ["mx2", "mz2"]

  package static func matches(root: MarkupElement) -> Bool {
    root.name.caseInsensitiveEquals("mx2")
  }

  package static func isRecord(_ element: MarkupElement, path: [String]) -> Bool {
    element.name.caseInsensitiveEquals("RcpE")
  }

  package static func recipe(_ element: MarkupElement, _ context: RecipeContext) throws -> Recipe? {
    var recipe = Recipe()
    recipe.title = element.value("name") ?? ""
    recipe.author = element.value("author")
    recipe.summary = try element.text("Desc")
    recipe.notes = try element.text("Note")
    recipe.source = try element.text("Srce")
    recipe.categories = try element.child("CatS")?.texts("CatT") ?? []
    recipe.nutrition = try element.text("Nutr").map { [RecipeNutrient(name: nil, value: $0)] } ?? []
    recipe.prepTime = time(element.child("PrpT"))
    recipe.totalTime = time(element.child("TTim"))
    var others: [(String, JSONValue)] = []
    for child in element.children(named: "AltT") {
      let label = child.value("label") ?? ""
      if recipe.cookTime == nil, label.lowercased().hasPrefix("cook") {
        recipe.cookTime = time(child)
      } else {
        others.keep(label, child.value("elapsed"))
      }
    }
    yield(element, &recipe)
    context.add(context.picture(file: element.value("img")), to: &recipe)
    for child in element.children(named: "IngR") {
      try ingredient(child, context).map { recipe.ingredients.append($0) }
    }
    try steps(element, context, &recipe)
    // `RTxt` repeats the whole recipe as text.
    recipe.extra = try element.rest(
      except: ["name", "author", "img"],
      children: [
        "Desc", "Note", "Srce", "CatS", "Nutr", "PrpT", "TTim", "AltT", "Serv", "Yield", "IngR",
        "DirS", "RTxt",
      ],
      context
    )
    if !others.isEmpty { recipe.extra.append(("AltT", .object(others))) }
    return recipe
  }

  /// Reads a time: “0:10” is ten minutes, “0:00” is no time.
  private static func time(_ element: MarkupElement?) -> RecipeTime? {
    guard let text = element?.value("elapsed") else { return nil }
    let time = RecipeTime(written: text)
    return time?.minutes == 0 ? nil : time
  }

  private static func yield(_ element: MarkupElement, _ recipe: inout Recipe) {
    let servings = element.child("Serv")?.value("qty").flatMap(Quantity.number)
    recipe.servings = servings == 0 ? nil : servings
    let yield = element.child("Yield")
    if var quantity = yield?.value("qty"), Quantity.number(quantity) != 0 {
      // MasterCook writes 8 as “8.000000”.
      if quantity.contains(".") {
        while quantity.last == "0" { quantity.removeLast() }
        if quantity.last == "." { quantity.removeLast() }
      }
      recipe.yield = MarkupTexts.line([quantity, yield?.value("unit")])
    } else if recipe.servings != nil {
      recipe.yield = element.child("Serv")?.value("qty")
    }
  }

  /// Reads a line; its code is `I` for an ingredient, `S` for a heading, `T` for text and `R` for another recipe.
  private static func ingredient(_ element: MarkupElement, _ context: RecipeContext) throws -> RecipeIngredient? {
    let (quantity, unit) = (element.value("qty"), element.value("unit"))
    let (name, note) = (element.value("name"), try element.text("IPrp"))
    let line = MarkupTexts.line([quantity, unit, name], note: note)
    guard !line.isEmpty else { return nil }
    let code = element.value("code")?.uppercased()
    var ingredient = RecipeIngredient(line, isHeading: code == "S")
    var known: Set<String> = ["unit", "name"]
    if code == "I" || code == "S" { known.insert("code") }
    if code != "S", code != "T" {
      let amount = Quantity(quantity)
      (ingredient.amount, ingredient.amountTo) = (amount?.from, amount?.to)
      (ingredient.unit, ingredient.name, ingredient.note) = (unit, name, note)
      if amount != nil { known.insert("qty") }
    }
    ingredient.extra = try element.rest(except: known, children: ["IPrp"], context)
    return ingredient
  }

  private static func steps(_ element: MarkupElement, _ context: RecipeContext, _ recipe: inout Recipe) throws {
    for step in element.children(named: "DirS").flatMap({ $0.children(named: "DirT") }) {
      var image = context.picture(file: step.value("img"))
      let text = MarkupTexts.trimmed(try step.allText)
      guard text != nil || image != nil else { continue }
      recipe.steps.append(RecipeStep(text ?? ""))
      image?.step = recipe.steps.count - 1
      context.add(image, to: &recipe)
    }
  }
}
