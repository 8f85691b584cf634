internal import DecantJSON

/// CookML: `.cml`, XML of German programs, with pictures in base64.
package enum CookMLFormat: MarkupRecipeFormat {
  package static let name = "cookml"
  package static let title = "CookML"
  package static let fileEndings = ["cml"]

  package static func matches(root: MarkupElement) -> Bool {
    root.name.caseInsensitiveEquals("cookml")
  }

  package static func isRecord(_ element: MarkupElement, path: [String]) -> Bool {
    element.name.caseInsensitiveEquals("recipe") && !path.isEmpty
  }

  package static func recipe(_ element: MarkupElement, _ context: RecipeContext) throws -> Recipe? {
    var recipe = Recipe()
    recipe.language = element.value("lang")?.lowercased()
    if let head = element.child("head") { try read(head, context, &recipe) }
    for part in element.children(named: "part") {
      if let title = part.value("title") {
        recipe.ingredients.append(RecipeIngredient(title, isHeading: true))
      }
      for child in part.children(named: "ingredient") {
        try ingredient(child, context).map { recipe.ingredients.append($0) }
      }
    }
    for preparation in element.children(named: "preparation") {
      if let title = preparation.value("title") {
        recipe.steps.append(RecipeStep(title, isHeading: true))
      }
      for child in preparation.children {
        let text = try child.allText
        let steps =
          child.name.caseInsensitiveEquals("step")
          ? [MarkupTexts.trimmed(text)].compactMap { $0 } : MarkupTexts.paragraphs(text)
        recipe.steps += steps.map { RecipeStep($0) }
      }
    }
    let lines = try element.children(named: "remark").flatMap { remark in
      let lines = try remark.texts("line")
      return try lines.isEmpty ? [remark.allText] : lines
    }
    recipe.notes = MarkupTexts.trimmed(lines.joined(separator: "\n"))
    recipe.extra += try element.rest(except: ["lang"], children: ["head", "part", "preparation", "remark"], context)
    return recipe
  }

  private static func read(_ head: MarkupElement, _ context: RecipeContext, _ recipe: inout Recipe) throws {
    recipe.title = head.value("title") ?? ""
    recipe.nativeID = head.value("rid")
    let quantity = head.value("servingqty")
    recipe.yield = MarkupTexts.trimmed(MarkupTexts.line([quantity, head.value("servingtype")]))
    recipe.servings = Quantity(quantity)?.from
    recipe.difficulty = head.value("difficulty")
    recipe.created = head.value("createdate")
    recipe.modified = head.value("changedate")
    recipe.prepTime = RecipeTime(written: head.value("timeprepqty"))
    recipe.cookTime = RecipeTime(written: head.value("timecookqty"))
    recipe.totalTime = RecipeTime(written: head.value("timeallqty"))
    recipe.tags.appendNew(try head.texts("hint"))
    // Old files give categories as numbers from a list that is not public.
    let categories = try head.texts("cat")
    recipe.categories.appendNew(categories.filter { Int($0) == nil })
    recipe.extra.keep("cat", categories.filter { Int($0) != nil })
    let lines = try head.texts("sourceline")
    recipe.source = lines.first
    if lines.count > 1 { recipe.extra.keep("sourceline", lines) }
    recipe.extra += try head.rest(
      except: [
        "title", "rid", "servingqty", "servingtype", "difficulty", "createdate", "changedate",
        "timeprepqty", "timecookqty", "timeallqty",
      ],
      children: ["cat", "hint", "sourceline", "picbin", "picture"],
      context
    )
    for picture in head.children(named: "picbin") {
      let content = try picture.content
      if !content.isEmpty { context.add(try context.picture(base64: content), to: &recipe) }
    }
    for picture in head.children(named: "picture") {
      let file = try picture.value("file") ?? MarkupTexts.trimmed(picture.allText)
      context.add(context.picture(file: file), to: &recipe)
    }
  }

  private static func ingredient(_ element: MarkupElement, _ context: RecipeContext) throws -> RecipeIngredient? {
    let (quantity, unit) = (element.value("qty"), element.value("unit"))
    let name = element.value("item")
    let note = MarkupTexts.trimmed(try element.texts("inote").joined(separator: ", "))
    let line = MarkupTexts.line([quantity, unit, name], note: note)
    guard !line.isEmpty else { return nil }
    var ingredient = RecipeIngredient(line)
    let amount = Quantity(quantity)
    (ingredient.amount, ingredient.amountTo) = (amount?.from, amount?.to)
    (ingredient.unit, ingredient.name, ingredient.note) = (unit, name, note)
    ingredient.extra = try element.rest(
      except: amount == nil ? ["unit", "item"] : ["unit", "item", "qty"],
      children: ["inote"],
      context
    )
    return ingredient
  }
}
