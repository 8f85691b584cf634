internal import DecantJSON

/// A recipe in schema.org's microdata.
enum Microdata {
  /// Whether an element is a recipe: `itemtype="https://schema.org/Recipe"`, or that of data-vocabulary.org, with or
  /// without other types.
  static func isRecipe(_ element: MarkupElement) -> Bool {
    (element.attributes["itemtype"] ?? "").split(whereSeparator: \.isWhitespace).contains {
      let type = $0.lowercased()
      return type.hasSuffix("schema.org/recipe") || type.hasSuffix("data-vocabulary.org/recipe")
    }
  }

  /// Whether an element contains ingredients or steps, as microdata or, if `isRDFa` is set, as RDFa.
  static func hasLines(_ element: MarkupElement, isRDFa: Bool) -> Bool {
    let names = ["recipeIngredient", "recipeInstructions"]
    let found = element.descendant { inner in
      let name = inner.value("itemprop") ?? (isRDFa ? RDFa.properties(of: inner) : nil)
      return name.map { names.contains(Self.name($0)) } ?? false
    }
    return found != nil
  }

  /// A value of the recipe, named by `itemprop`.
  private struct Property {
    let name: String
    let element: MarkupElement
    /// Whether a property of the same name encloses it.
    let isInner: Bool
  }

  /// A picture of the step with this number.
  private struct StepPicture {
    let element: MarkupElement
    let step: Int
  }

  static func recipe(_ element: MarkupElement, _ context: RecipeContext) throws -> Recipe {
    let properties = try properties(of: element)
    // Nested properties might each contain nearly the whole page.
    var byteCount = 0
    func charge(_ text: String) throws -> String {
      byteCount += text.utf8.count
      guard byteCount <= textLimit else {
        throw RecipeFault("the properties of a recipe contain each other, and more than \(textLimit) bytes of text")
      }
      return text
    }
    func texts(_ names: String...) throws -> [String] {
      try properties.filter { names.contains($0.name) }.compactMap { try value($0.element).map(charge) }
    }
    var recipe = Recipe()
    var pictures: [StepPicture] = []
    recipe.title = try texts("name").first ?? ""
    recipe.summary = try texts("description").first
    recipe.author = try texts("author").first
    recipe.source = try texts("publisher").first
    recipe.url = try texts("url", "mainEntityOfPage").first
    recipe.yield = try texts("recipeYield", "yield").first.map(Servings.withoutLabel)
    recipe.prepTime = try time(properties, "prepTime")
    recipe.cookTime = try time(properties, "cookTime") ?? time(properties, "performTime")
    recipe.totalTime = try time(properties, "totalTime")
    recipe.created = try texts("datePublished", "dateCreated").first
    recipe.modified = try texts("dateModified").first
    recipe.language = try texts("inLanguage").first
    recipe.categories = MarkupTexts.list(try texts("recipeCategory").joined(separator: ","))
    recipe.tags = MarkupTexts.list(try texts("keywords").joined(separator: ","))
    recipe.notes = MarkupTexts.trimmed(try texts("comment").joined(separator: "\n\n"))
    recipe.ingredients = try parts("recipeIngredient", of: properties).flatMap { try lines($0).map(charge) }.map {
      line in
      LineHeading.colon.text(line).map { RecipeIngredient($0, isHeading: true) } ?? RecipeIngredient(line)
    }
    for part in parts("recipeInstructions", of: properties) {
      let steps = try steps(part, &pictures, recipe.steps.count)
      for step in steps { _ = try charge(step.text) }
      recipe.steps += steps
    }
    for property in properties where property.name == "nutrition" {
      recipe.nutrition += try nutrition(property.element)
    }
    for property in properties where property.name == "image" {
      try image(property.element, context, &recipe)
    }
    for picture in pictures {
      try image(picture.element, context, &recipe, step: picture.step)
    }
    if let rating = properties.first(where: { $0.name == "aggregateRating" }) {
      try self.rating(rating.element, &recipe)
    }
    for name in Set(properties.map(\.name)).subtracting(read).sorted() {
      recipe.extra.keep(name, try texts(name))
    }
    return recipe
  }

  /// The maximum number of bytes in the texts of a recipe.
  private static let textLimit = 64 << 20

  private static let read: Set<String> = [
    "name", "description", "author", "publisher", "url", "mainEntityOfPage", "recipeYield", "yield",
    "prepTime", "cookTime", "performTime", "totalTime", "datePublished", "dateCreated",
    "dateModified", "inLanguage", "recipeCategory", "keywords", "comment", "recipeIngredient", "recipeInstructions",
    "nutrition", "image", "aggregateRating",
  ]

  /// Returns the properties of an item, without those of nested items.
  private static func properties(of element: MarkupElement) throws -> [Property] {
    var found: [Property] = []
    try find(in: element, &found)
    return found
  }

  private static func find(
    in element: MarkupElement,
    _ found: inout [Property],
    around: [String] = [],
    depth: Int = 0
  ) throws {
    guard depth <= depthLimit else {
      throw RecipeFault("the properties of a recipe contain each other, more than \(depthLimit) levels deep")
    }
    for case .element(let child) in element.nodes {
      let names = names(of: child)
      for name in names { found.append(Property(name: name, element: child, isInner: around.contains(name))) }
      if child.attributes["itemscope"] == nil {
        try find(in: child, &found, around: around + names, depth: names.isEmpty ? depth : depth + 1)
      }
    }
  }

  /// Returns the property names of an element, without duplicates.
  private static func names(of element: MarkupElement) -> [String] {
    guard let names = element.attributes["itemprop"] else { return [] }
    return names.split(whereSeparator: \.isWhitespace).map { name(String($0)) }.withoutRepeats
  }

  /// Returns the elements of a property that occurs several times: of nested elements the inner ones, and the text
  /// beside them.
  private static func parts(_ name: String, of properties: [Property]) -> [MarkupElement] {
    properties.filter { $0.name == name && !$0.isInner }.flatMap { parts(name, in: $0.element) }
  }

  private static func parts(_ name: String, in element: MarkupElement) -> [MarkupElement] {
    func holds(_ element: MarkupElement) -> Bool { element.descendant { names(of: $0).contains(name) } != nil }
    guard element.attributes["itemscope"] == nil, holds(element) else { return [element] }
    var parts: [MarkupElement] = []
    var rest = element
    rest.nodes = []
    func endRest() {
      if !rest.nodes.isEmpty { parts.append(rest) }
      rest.nodes = []
    }
    for node in element.nodes {
      if case .element(let child) = node, names(of: child).contains(name) || holds(child) {
        endRest()
        parts += self.parts(name, in: child)
      } else {
        rest.nodes.append(node)
      }
    }
    endRest()
    return parts
  }

  /// The maximum depth of nested properties, each of which includes the text of all inner ones.
  private static let depthLimit = 100

  /// Returns the schema.org name of a property; its predecessor data-vocabulary.org has other names.
  private static func name(_ name: String) -> String { olderNames[name] ?? name }

  private static let olderNames = [
    "ingredient": "recipeIngredient", "ingredients": "recipeIngredient", "instructions": "recipeInstructions",
    "instruction": "step", "photo": "image",
    "published": "datePublished", "summary": "description", "recipeType": "recipeCategory",
  ]

  /// Returns the value of a property: an attribute, the name or the text of an item, or text.
  private static func value(_ element: MarkupElement) throws -> String? {
    if let content = element.value("content") { return try clean(content) }
    if element.attributes["itemscope"] != nil {
      let inner = try properties(of: element)
      if let name = inner.first(where: { $0.name == "name" || $0.name == "text" }) {
        return try value(name.element)
      }
    }
    switch element.name {
    case "a", "link", "area":
      if let link = element.value("href"), isAddress(element) { return link }
    case "img", "source", "video", "audio", "iframe", "embed": return element.value("src")
    case "time": if let time = element.value("datetime") { return time }
    case "data", "meter": if let value = element.value("value") { return value }
    default: break
    }
    return try MarkupTexts.trimmed(element.shownText).flatMap(clean)
  }

  /// Whether the value of a link is its address; for an author it is the name shown.
  private static func isAddress(_ element: MarkupElement) -> Bool {
    let names = element.attributes["itemprop"] ?? ""
    return element.name == "link" || names.contains("url") || names.contains("image")
      || names.contains("mainEntityOfPage")
  }

  /// Resolves entities that were escaped once too often.
  private static func clean(_ text: String) throws -> String? {
    guard text.contains("&"), text.contains(";") else { return text }
    return MarkupTexts.trimmed(try MarkupTexts.withoutTags(text))
  }

  private static func lines(_ element: MarkupElement) throws -> [String] {
    if let content = element.value("content") { return MarkupTexts.lines(content) }
    return try element.shownLines.compactMap { try clean($0) }.filter { $0.contains { $0.isLetter || $0.isNumber } }
  }

  private static func time(_ properties: [Property], _ name: String) throws -> RecipeTime? {
    for property in properties where property.name == name {
      let element = property.element
      let exact = element.value("content") ?? element.value("datetime")
      let shown = MarkupTexts.trimmed(try element.shownText)
      guard let text = shown ?? exact else { continue }
      let minutes = exact.flatMap { Durations.minutes($0) } ?? Durations.minutes(text)
      if shown == nil, minutes == 0 { continue }
      return RecipeTime(text: Durations.withoutLabel(text), minutes: minutes)
    }
    return nil
  }

  /// Reads steps that are items, sections of items, or lines.
  ///
  /// - Parameters:
  ///   - element: The element that holds them.
  ///   - pictures: Receives the pictures of the steps.
  ///   - count: The number of steps before these.
  /// - Returns: The steps.
  /// - Throws: `DecantError` if the spool cannot be read.
  private static func steps(
    _ element: MarkupElement,
    _ pictures: inout [StepPicture],
    _ count: Int
  ) throws -> [RecipeStep] {
    guard
      element.attributes["itemscope"] != nil
        || element.descendant(where: { $0.attributes["itemscope"] != nil }) != nil
    else { return try lines(element).map { RecipeStep($0) } }
    let isItem = element.attributes["itemscope"] != nil
    let inner = try properties(of: element)
    let parts = inner.filter { ["itemListElement", "step", "steps", "item"].contains($0.name) }
    if parts.isEmpty {
      if isItem, let text = inner.first(where: { $0.name == "text" }) {
        let title = try inner.first { $0.name == "name" }.flatMap { try value($0.element) }
        guard let text = try value(text.element) else { return [] }
        pictures += inner.filter { $0.name == "image" }.map {
          StepPicture(element: $0.element, step: count)
        }
        return [RecipeStep(text, title: title == text ? nil : title)]
      }
      return try lines(element).map { RecipeStep($0) }
    }
    var steps: [RecipeStep] = []
    if let heading = inner.first(where: { $0.name == "name" }),
      let text = try value(heading.element), isItem
    {
      steps.append(RecipeStep(text, isHeading: true))
    }
    for part in parts {
      steps += try self.steps(part.element, &pictures, count + steps.count)
    }
    return steps
  }

  private static func nutrition(_ element: MarkupElement) throws -> [RecipeNutrient] {
    let inner = try properties(of: element)
    guard !inner.isEmpty else {
      return try lines(element).map { RecipeNutrient(name: nil, value: $0) }
    }
    return try inner.compactMap { property in
      try value(property.element).map { RecipeNutrient(name: property.name, value: $0) }
    }
  }

  /// Reads a picture beside the page; the address of one on the network is kept, but not fetched.
  private static func image(
    _ element: MarkupElement,
    _ context: RecipeContext,
    _ recipe: inout Recipe,
    step: Int? = nil
  ) throws {
    let inner = try properties(of: element).first { ["url", "contentUrl"].contains($0.name) }?.element
    let nested = element.name == "img" ? element : element.descendant { $0.name == "img" }
    let address = element.value("src") ?? element.value("href") ?? element.value("content")
    let source = try address ?? inner.flatMap { try value($0) } ?? nested?.value("src")
    if var image = try context.picture(source: source, caption: nested?.value("alt")) {
      image.step = step
      context.add(image, to: &recipe)
    } else if source?.hasPrefix("data:") == false {
      if let step {
        recipe.steps[step].extra.keep("image", source)
      } else {
        recipe.extra.keep("image", source)
      }
    }
  }

  /// Reads the rating: Paprika gives the cook's own in an attribute, a web site the average of all its readers.
  private static func rating(_ element: MarkupElement, _ recipe: inout Recipe) throws {
    if let stars = element.value("value").flatMap(Quantity.number) {
      if stars > 0, stars <= 5 { recipe.rating = stars }
      return
    }
    var members: [(String, JSONValue)] = []
    for property in try properties(of: element) {
      members.keep(property.name, try value(property.element))
    }
    // A rating with a single vote is the owner's.
    func number(_ name: String) -> Double? {
      guard case .string(let text)? = members.first(where: { $0.0 == name })?.1 else { return nil }
      return Quantity.number(text)
    }
    if number("ratingCount") == 1, let value = number("ratingValue"), value > 0 {
      let stars = value * 5 / max(number("bestRating") ?? 5, 1)
      if stars <= 5 { recipe.rating = stars }
    }
    if !members.isEmpty { recipe.extra.append(("aggregateRating", .object(members))) }
  }
}
