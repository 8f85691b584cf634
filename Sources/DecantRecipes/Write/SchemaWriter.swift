internal import DecantBase
internal import DecantRecipeFormats
internal import DecantPlan
internal import DecantJSON

/// Writes schema.org/Recipe in JSON-LD: all recipes in one array, including their pictures.
final class SchemaWriter: JSONRecipeWriter {
  static let format = "schema"
  static let places = "NAME.json"
  static let hasDurations = true

  static func form(_ ending: String, isAsked: Bool) -> RecipePlace.Form? {
    isAsked || ending == "json" || ending == "jsonld" ? .library : nil
  }
  static let reading: any JSONRecipeFormat.Type = SchemaRecipe.self
  static let entryName = "recipes.json"

  private let output: RecipeOutput
  private var count = 0

  init(_ path: String, _ form: RecipePlace.Form) throws {
    output = try RecipeOutput(path)
    try output.write("[")
  }

  static func isOwn(_ entry: StoredRecipes.Entry) -> Bool { SchemaObject.isOwn(entry) }

  static func members(_ entry: StoredRecipes.Entry) -> [(String, JSONValue)] {
    SchemaObject.members(entry, of: format)
  }

  static func pictureLosses(_ entry: StoredRecipes.Entry) -> [String] { entry.pictureLosses() }

  func write(_ entry: StoredRecipes.Entry, of store: StoredRecipes) throws {
    try output.write(count == 0 ? "\n" : ",\n")
    count += 1
    var object = try JSONObjectWriter { [output] in try output.write($0) }
    // The addresses of pictures on the web are written beside the embedded ones.
    var addresses: [JSONValue] = []
    for (name, value) in Self.members(entry) {
      guard name == "image", !entry.images.isEmpty else {
        try object.member(name, value)
        continue
      }
      if case .array(let values) = value { addresses = values } else { addresses = [value] }
    }
    if !entry.images.isEmpty {
      try object.member("image") { put in
        try put("[")
        for (index, image) in entry.images.enumerated() {
          try put(index > 0 ? ",\"" : "\"")
          try put("data:\(image.format.mediaType);base64,")
          try store.forEachBase64Piece(of: image, put)
          try put("\"")
        }
        for address in addresses { try put(",\(address.text)") }
        try put("]")
      }
    }
    try object.end()
  }

  func finish() throws { try output.write("\n]\n") }
}

/// A recipe in schema.org terms, without its pictures.
package enum SchemaObject {
  /// The formats with these terms: they have the same names for data that the model lacks.
  private static let family = [SchemaRecipe.name, NextcloudFormat.name, HTMLPageFormat.name]

  /// Whether the extra data of a recipe are in these terms.
  static func isOwn(_ entry: StoredRecipes.Entry) -> Bool { family.contains(entry.format) }

  /// Returns the members of the object.
  ///
  /// - Parameters:
  ///   - entry: The recipe.
  ///   - format: The name of the format that is written, one of several with these terms.
  /// - Returns: Names and values, in the order in which they are written.
  static func members(_ entry: StoredRecipes.Entry, of format: String) -> [(String, JSONValue)] {
    let recipe = entry.recipe
    let isOwn = isOwn(entry)
    let id = ([format] + family).compactMap { entry.ids[$0] }.first
    // A recipe without any content is not recognized as one.
    let saysNothing = recipe.ingredients.isEmpty && recipe.steps.isEmpty
    var members: [(String, JSONValue)] = [
      ("@context", .string("https://schema.org")), ("@type", .string("Recipe")),
      ("identifier", .string(id ?? entry.uuid)),
      ("name", .string(recipe.isUntitled && !saysNothing ? "" : recipe.title.withoutTags)),
    ]
    func add(_ name: String, _ text: String?) {
      if let text { members.append((name, .string(text))) }
    }
    add("description", recipe.summary?.withoutTags)
    if let author = recipe.author {
      members.append(("author", .object([("@type", .string("Person")), ("name", .string(author))])))
    }
    add("creditText", recipe.source)
    add("url", recipe.url)
    add("recipeYield", recipe.yield ?? recipe.servings.map(AmountText.text))
    members += times(recipe)
    members.append(("recipeIngredient", .array(ingredients(recipe).map { .string($0.withoutTags) })))
    members.append(("recipeInstructions", .array(instructions(recipe.steps, isOwn: isOwn))))
    if !recipe.categories.isEmpty {
      members.append(("recipeCategory", .array(recipe.categories.map { .string($0) })))
    }
    if !recipe.tags.isEmpty {
      members.append(("keywords", .array(recipe.tags.map { .string($0) })))
    }
    if !recipe.nutrition.isEmpty {
      members.append(("nutrition", nutrition(recipe.nutrition)))
    }
    if let rating = recipe.rating {
      members.append(
        (
          "aggregateRating",
          .object([
            ("@type", .string("AggregateRating")), ("ratingValue", .number(rating)),
            ("bestRating", .integer(5)), ("ratingCount", .integer(1)),
          ])
        )
      )
    }
    if let notes = recipe.notes { members.append(("comment", .array([SchemaRecipe.note(notes.withoutTags)]))) }
    add("dateCreated", recipe.created)
    add("dateModified", recipe.modified)
    add("inLanguage", recipe.language)
    guard isOwn else { return members }
    for (name, value) in recipe.extra where name != Recipe.untitledMark {
      members.removeAll { $0.0 == name }
      members.append((name, value))
    }
    return members
  }

  /// Returns the lines of the ingredients; a colon at the end is removed unless the line is a heading.
  private static func ingredients(_ recipe: Recipe) -> [String] {
    recipe.ingredientLines(text: { LineHeading.colon.without($0) }, heading: { "## \($0)" })
  }

  /// Returns the steps; those under a heading are in a section with its name.
  private static func instructions(_ steps: [RecipeStep], isOwn: Bool) -> [JSONValue] {
    var result: [JSONValue] = []
    var section: (name: String, steps: [JSONValue])?
    func close() {
      guard let open = section else { return }
      result.append(
        .object([
          ("@type", .string("HowToSection")), ("name", .string(open.name)),
          ("itemListElement", .array(open.steps)),
        ])
      )
      section = nil
    }
    for step in steps {
      if step.isHeading {
        close()
        section = (step.text, [])
        continue
      }
      var members: [(String, JSONValue)] = [("@type", .string("HowToStep"))]
      if let title = step.title { members.append(("name", .string(title))) }
      members.append(("text", .string(step.text.withoutTags)))
      if isOwn { members += step.extra }
      if section == nil {
        result.append(.object(members))
      } else {
        section?.steps.append(.object(members))
      }
    }
    close()
    return result
  }

  private static func nutrition(_ facts: [RecipeNutrient]) -> JSONValue {
    .object(
      [("@type", .string("NutritionInformation"))]
        + facts.map { fact in (fact.name ?? "description", .string(fact.value)) }
    )
  }

  // MARK: Times

  /// Returns durations in ISO 8601; a member of decant's own holds the words of those that were written otherwise.
  private static func times(_ recipe: Recipe) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = []
    var words: [(String, JSONValue)] = []
    for (name, time) in [
      ("prepTime", recipe.prepTime), ("cookTime", recipe.cookTime), ("totalTime", recipe.totalTime),
    ] {
      guard let time else { continue }
      guard !isDuration(time.text) else {
        members.append((name, .string(time.text)))
        continue
      }
      // The text takes precedence over the minutes once derived from it.
      let minutes = Durations.minutes(time.text, plainIsMinutes: true) ?? time.minutes
      if let text = minutes.flatMap(Durations.iso) { members.append((name, .string(text))) }
      words.append((name, .string(time.text)))
    }
    return words.isEmpty ? members : members + [(SchemaRecipe.ownMember, .object(words))]
  }

  /// Whether `text` is exactly an ISO 8601 duration.
  static func isDuration(_ text: String) -> Bool {
    var rest = text[...]
    guard rest.popFirst() == "P", rest.last?.isLetter == true, rest.last != "T" else {
      return false
    }
    var units = "YMWD"[...]
    var isTime = false
    while let first = rest.first {
      if first == "T", !isTime {
        (isTime, units) = (true, "HMS")
        rest.removeFirst()
        continue
      }
      let digits = rest.prefix { $0.isASCIIDigit }
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty, let unit = rest.popFirst(), let place = units.firstIndex(of: unit)
      else { return false }
      units = units[place...].dropFirst()
    }
    return true
  }
}
