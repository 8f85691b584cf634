internal import DecantXML
internal import DecantJSON

/// Recipe Keeper: `recipes.html` beside a folder of pictures, often tens of megabytes in one line.
enum RecipeKeeperFormat: MarkupRecipeFormat {
  static let name = "recipekeeper"
  static let title = "Recipe Keeper"

  /// Accepts any page: only its content is decisive.
  static func matches(root: MarkupElement) -> Bool {
    root.name == "html" || isRecord(root, path: [])
  }

  static func isRecord(_ element: MarkupElement, path: [String]) -> Bool {
    element.name == "div" && element.hasClass("recipe-details")
  }

  /// Checks the names of values, which only Recipe Keeper has; the class is common to many sites.
  static func isRecord(whole element: MarkupElement) -> Bool {
    let names = element.descendants { $0.value("itemprop").map(own.contains) ?? false }
      .compactMap { $0.value("itemprop") }
    return Set(names).count > 1
  }

  /// Names of values that do not exist in schema.org.
  private static let own: Set<String> = [
    "recipeId", "recipeShareId", "recipeIsFavourite", "recipeRating", "recipeCourse",
    "recipeCollection",
    "recipeSource", "recipeIngredients", "recipeDirections", "recipeNotes",
  ]

  static func recipe(_ element: MarkupElement, _ context: RecipeContext) throws -> Recipe? {
    var recipe = Recipe()
    let fields = try Fields(element)
    recipe.title = fields.first("name") ?? ""
    recipe.nativeID = fields.first("recipeId")
    recipe.isFavorite = fields.first("recipeIsFavourite").map { $0.caseInsensitiveEquals("true") }
    if let rating = fields.first("recipeRating").flatMap(Quantity.number), rating > 0 {
      recipe.rating = rating
    }
    recipe.yield = fields.first("recipeYield")
    recipe.prepTime = fields.time("prepTime")
    recipe.cookTime = fields.time("cookTime")
    recipe.totalTime = fields.time("totalTime")
    source(fields, &recipe)
    recipe.categories = fields.all("recipeCategory")
    recipe.categories.appendNew(fields.all("recipeCourse").flatMap { MarkupTexts.list($0) })
    recipe.ingredients = try lines(fields.element("recipeIngredients")).map { line in
      RecipeIngredient(line.text, isHeading: line.isHeading)
    }
    recipe.steps = try lines(fields.element("recipeDirections")).map { line in
      RecipeStep(line.text, isHeading: line.isHeading)
    }
    recipe.notes = try fields.element("recipeNotes").flatMap {
      MarkupTexts.trimmed(try $0.shownText)
    }
    for name in fields.names where name.hasPrefix("recipeNut") {
      guard let value = fields.first(name) else { continue }
      recipe.nutrition.append(RecipeNutrient(name: String(name.dropFirst(9)), value: value))
    }
    for name in fields.names where !read.contains(name) && !name.hasPrefix("recipeNut") {
      let values = fields.all(name)
      if values.count == 1 {
        recipe.extra.keep(name, values[0])
      } else {
        recipe.extra.keep(name, values)
      }
    }
    recipe.extra.keep("recipeCourse", fields.all("recipeCourse"))
    try pictures(element, context, &recipe)
    return recipe
  }

  private static let read: Set<String> = [
    "name", "recipeId", "recipeIsFavourite", "recipeRating", "recipeYield", "prepTime", "cookTime",
    "totalTime", "recipeSource", "recipeCategory", "recipeCourse", "recipeIngredients",
    "recipeDirections", "recipeNotes",
  ]

  /// Reads the source: text, or a link whose text is its address.
  private static func source(_ fields: Fields, _ recipe: inout Recipe) {
    guard let source = fields.first("recipeSource") else { return }
    let link = fields.element("recipeSource")?.descendant { $0.name == "a" }
    recipe.url = link?.value("href") ?? (source.hasPrefix("http") ? source : nil)
    if source != recipe.url { recipe.source = source }
  }

  /// Reads the pictures; the cover comes first, and is repeated among the others.
  private static func pictures(_ element: MarkupElement, _ context: RecipeContext, _ recipe: inout Recipe) throws {
    let images = element.descendants { $0.name == "img" }
    let sorted =
      images.filter { $0.hasClass("recipe-photo") } + images.filter { !$0.hasClass("recipe-photo") }
    for image in sorted {
      context.add(try context.picture(source: image.value("src")), to: &recipe)
    }
  }

  /// Returns the lines of ingredients or directions, one per paragraph; headings are `h3`, or entirely bold.
  private static func lines(_ element: MarkupElement?) throws -> [(text: String, isHeading: Bool)] {
    guard let element else { return [] }
    var lines: [(text: String, isHeading: Bool)] = []
    var loose = MarkupElement(name: "div")
    func endLoose() throws {
      lines += try loose.shownLines.map { ($0, false) }
      loose.nodes = []
    }
    for node in element.nodes {
      guard case .element(let child) = node, HTMLNesting.blocks.contains(child.name) else {
        loose.nodes.append(node)
        continue
      }
      try endLoose()
      let isHeading = try isHeading(child)
      lines += try child.shownLines.map { ($0, isHeading) }
    }
    try endLoose()
    return lines
  }

  private static func isHeading(_ element: MarkupElement) throws -> Bool {
    if ["h1", "h2", "h3", "h4", "h5", "h6"].contains(element.name) { return true }
    let bold = element.children.filter { ["b", "strong"].contains($0.name) }
    return try bold.count == 1 && bold[0].shownText == element.shownText
  }

  /// The values of a recipe by `itemprop`, in document order.
  private struct Fields {
    private(set) var names: [String] = []
    private var elements: [String: [MarkupElement]] = [:]
    private var values: [String: [String]] = [:]
    /// The text before an invisible value, such as “30 mins” before PT30M.
    private var shown: [String: String] = [:]

    init(_ element: MarkupElement) throws { try add(element) }

    private mutating func add(_ element: MarkupElement) throws {
      var before: MarkupElement?
      for child in element.children {
        if let name = child.value("itemprop"), child.name != "img" {
          if elements[name] == nil { names.append(name) }
          elements[name, default: []].append(child)
          let value =
            child.name == "meta"
            ? child.value("content") : MarkupTexts.trimmed(try child.shownText)
          if let value { values[name, default: []].append(value) }
          if child.name == "meta", let before { shown[name] = try before.shownText }
        } else {
          try add(child)
        }
        before = child
      }
    }

    func element(_ name: String) -> MarkupElement? { elements[name]?.first }
    func first(_ name: String) -> String? { values[name]?.first }
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// Returns a time with the text shown and the minutes of the value.
    func time(_ name: String) -> RecipeTime? {
      guard let value = first(name), let minutes = Durations.minutes(value) else {
        return RecipeTime(written: first(name) ?? shown[name])
      }
      let text = shown[name].flatMap(MarkupTexts.trimmed)
      return text == nil && minutes == 0 ? nil : RecipeTime(text: text ?? value, minutes: minutes)
    }
  }
}
