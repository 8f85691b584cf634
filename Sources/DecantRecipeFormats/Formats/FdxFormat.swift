internal import DecantJSON

/// Living Cookbook: `.fdx`, XML with pictures in base64, and the `Data.xml` of an `.fdxz`, with names of files.
///
/// The database of nutrition facts after the recipes and the logo of the publisher are skipped. The number of a recipe
/// is unique only within one library.
package enum FdxFormat: MarkupRecipeFormat {
  package static let name = "fdx"
  package static let title = "Living Cookbook"
  package static let fileEndings = ["fdx", "fdxz"]

  package static func matches(root: MarkupElement) -> Bool {
    ["fdx", "hixz", "fdxz"].contains(root.name.lowercased())
  }

  package static func isRecord(_ element: MarkupElement, path: [String]) -> Bool {
    switch element.name.lowercased() {
    case "recipe": path.contains { $0.caseInsensitiveEquals("Recipes") }
    case "cookbook", "cookbookchapter": true
    default: false
    }
  }

  package static func recipe(_ element: MarkupElement, _ context: RecipeContext) throws -> Recipe? {
    switch element.name.lowercased() {
    case "cookbook": note(element, in: "Cookbooks", context)
    case "cookbookchapter": note(element, in: "CookbookChapters", context)
    default:
      // Living Cookbook writes an empty element into files that hold only techniques.
      guard !element.attributes.isEmpty || !element.children.isEmpty else { return nil }
      return try recipe(of: element, context)
    }
    return nil
  }

  private static func recipe(of element: MarkupElement, _ context: RecipeContext) throws -> Recipe {
    var recipe = Recipe()
    recipe.title = element.value("Name") ?? ""
    recipe.summary = element.value("Comments")
    recipe.author = element.value("Author")
    recipe.source = element.value("Source")
    recipe.url = element.value("WebPage")
    recipe.yield = element.value("Yield") ?? element.value("Servings")
    recipe.servings = Quantity(element.value("Servings"))?.from
    recipe.prepTime = RecipeTime(written: element.value("PreparationTime"), plainIsMinutes: true)
    recipe.cookTime = RecipeTime(written: element.value("CookingTime"), plainIsMinutes: true)
    recipe.totalTime = RecipeTime(written: element.value("ReadyInTime"), plainIsMinutes: true)
    recipe.difficulty = element.value("DegreeOfDifficulty")
    recipe.created = element.value("CreateDate")
    recipe.categories = MarkupTexts.list(element.value("RecipeTypes"))
    recipe.extra = try element.rest(except: read, children: readChildren, context)
    places(element, context, &recipe)
    try texts(element, &recipe)
    recipe.ingredients = try (element.child("RecipeIngredients")?.children ?? []).compactMap {
      try ingredient($0, context)
    }
    context.add(try element.child("RecipeImage").flatMap { try picture($0, context) }, to: &recipe)
    for image in element.child("RecipeImages")?.children ?? [] {
      context.add(try picture(image, context), to: &recipe)
    }
    try steps(element, context, &recipe)
    context.add(try element.child("RecipeScan").flatMap { try picture($0, context) }, to: &recipe)
    for nutrition in element.children(named: "RecipeNutrition") {
      recipe.nutrition += nutrition.attributes.sorted { $0.key < $1.key }.compactMap {
        name,
        value in
        MarkupTexts.trimmed(value).map { RecipeNutrient(name: name, value: $0) }
      }
    }
    return recipe
  }

  private static let read: Set<String> = [
    "Name", "Comments", "Author", "Source", "WebPage", "Yield", "PreparationTime", "CookingTime",
    "ReadyInTime", "DegreeOfDifficulty", "CreateDate", "RecipeTypes",
  ]
  private static let readChildren: Set<String> = [
    "RecipeIngredients", "RecipeProcedures", "RecipeImage", "RecipeImages", "RecipeScan",
    "SourceImage", "RecipeNutrition",
  ]

  /// Reads the author's comments and the tips as notes; `extra` keeps each of them separately.
  private static func texts(_ element: MarkupElement, _ recipe: inout Recipe) throws {
    var notes: [String] = []
    for (list, item) in [("RecipeAuthorNotes", "RecipeAuthorNote"), ("RecipeTips", "RecipeTip")] {
      notes += try element.child(list)?.texts(item) ?? []
    }
    recipe.notes = MarkupTexts.trimmed(notes.joined(separator: "\n\n"))
  }

  private static func ingredient(_ element: MarkupElement, _ context: RecipeContext) throws -> RecipeIngredient? {
    let (quantity, unit) = (element.value("Quantity"), element.value("Unit"))
    let name = element.value("Ingredient")
    let text = MarkupTexts.line([quantity, unit, name])
    guard !text.isEmpty else { return nil }
    var ingredient = RecipeIngredient(text, isHeading: element.value("Heading") == "Y")
    guard !ingredient.isHeading else { return ingredient }
    ingredient.name = name
    ingredient.unit = unit
    let amount = Quantity(quantity)
    (ingredient.amount, ingredient.amountTo) = (amount?.from, amount?.to)
    var known: Set<String> = ["Unit", "Ingredient", "Heading"]
    if amount != nil { known.insert("Quantity") }
    if element.value("LinkType") == "Unlinked" { known.formUnion(["LinkType", "IngredientID"]) }
    ingredient.extra = try element.rest(except: known, context)
    return ingredient
  }

  private static func steps(_ element: MarkupElement, _ context: RecipeContext, _ recipe: inout Recipe) throws {
    for procedure in element.child("RecipeProcedures")?.children ?? [] {
      let image = try procedure.child("ProcedureImage").flatMap { try picture($0, context) }
      let text = try procedure.text("ProcedureText")
      if text != nil || image != nil {
        recipe.steps.append(RecipeStep(text ?? "", isHeading: procedure.value("Heading") == "Y"))
      }
      guard var image else { continue }
      image.step = recipe.steps.count - 1
      context.add(image, to: &recipe)
    }
  }

  /// Reads a picture in base64, or in the file that an attribute names; `FileType` is not reliable.
  private static func picture(_ element: MarkupElement, _ context: RecipeContext) throws -> RecipeImage? {
    let caption = element.value("Description")
    if let file = element.value("FileName") {
      var image = context.picture(file: file, folders: ["Images/", "images/"])
      image?.caption = caption
      return image
    }
    let content = try element.content
    return content.isEmpty ? nil : try context.picture(base64: content, caption: caption)
  }

  // MARK: - Cookbooks and their chapters

  private static func note(_ element: MarkupElement, in list: String, _ context: RecipeContext) {
    guard let id = element.value("ID") else { return }
    var members = context.shared[list]?.members ?? []
    let parent = element.value("ParentChapterID") ?? ""
    members.append((id, .array([.text(.short(element.value("Name") ?? "")), .text(.short(parent))])))
    context.shared[list] = .object(members)
  }

  /// Reads the names of the cookbook and of the nested chapters, the outermost first.
  private static func places(_ element: MarkupElement, _ context: RecipeContext, _ recipe: inout Recipe) {
    if let id = element.value("CookbookID") {
      recipe.extra.keep("Cookbook", known(id, "Cookbooks", context)?.name)
    }
    var chapters: [String] = []
    var next = element.value("CookbookChapterID")
    // The limit guards against chapters that are their own parents.
    while let id = next, chapters.count < 16 {
      guard let (name, parent) = known(id, "CookbookChapters", context) else { break }
      chapters.insert(name, at: 0)
      next = parent
    }
    recipe.extra.keep("CookbookChapters", chapters)
  }

  private static func known(_ id: String, _ list: String, _ context: RecipeContext) -> (name: String, parent: String)? {
    guard let parts = context.shared[list]?[id]?.elements, parts.count == 2,
      case .text(.short(let name)) = parts[0], case .text(.short(let parent)) = parts[1]
    else { return nil }
    return (name, parent)
  }
}
