internal import DecantRecipeFormats
internal import DecantBase

/// Writes a recipe for programs, in schema.org terms, as JSON that a page can contain.
struct RecipeData {
  let store: PageStore
  let output: PageOutput

  /// Writes the recipe.
  ///
  /// The bytes of the picture are included again: other apps read nothing else in a page, and no address refers to a
  /// picture within one.
  func write(_ recipe: PageObject, picture: PageBytes?) throws(DecantError) {
    guard let shape = recipe.shape.recipe else { return }
    try output.write("{\"@context\":\"https://schema.org\",\"@type\":\"Recipe\"")
    try member("name", recipe.shape.title.flatMap { recipe.values[$0].text } ?? store.title(of: recipe))
    try member("description", description(of: recipe, shape))
    try member("author", shape.author.flatMap { recipe.shown($0) }, as: "Person")
    if let column = shape.created, let seconds = recipe.number(column),
      let text = DateText.text(of: seconds.rounded(.down))
    {
      try member("datePublished", String(text.prefix(10)))
    }
    var told: Set<String> = []
    for time in shape.times where !told.contains(time.kind) {
      guard let text = duration(recipe, time.column) else { continue }
      told.insert(time.kind)
      try member(time.kind, text)
    }
    try member("recipeYield", shape.yields.lazy.compactMap { recipe.amount($0) }.first)
    try member("recipeCuisine", shape.cuisine.flatMap { recipe.values[$0].text })
    try member("url", shape.source.flatMap { recipe.values[$0].text }.flatMap { HTMLText.address($0) })
    try list("recipeCategory", shape.categories, shape.categoryText, of: recipe)
    try list("keywords", shape.keywords, shape.keywordText, of: recipe)
    try ingredients(of: recipe, shape)
    try steps(of: recipe, shape)
    if let picture, let format = picture.format {
      try output.write(",\"image\":\"data:\(format.mediaType);base64,")
      try store.writeBase64(picture, to: output)
      try output.write("\"")
    }
    try output.write("}")
  }

  private func description(of recipe: PageObject, _ shape: RecipeShape) -> String? {
    let texts = ([recipe.shape.lead].compactMap(\.self) + recipe.shape.bodies)
      .filter { $0 != shape.stepText && $0 != shape.ingredientText }
      .compactMap { recipe.values[$0].text }
    return texts.first
  }

  private func duration(_ recipe: PageObject, _ column: Int) -> String? {
    if let seconds = recipe.seconds(column) { return Durations.iso(Double(seconds) / 60) }
    // Text is copied if it is a duration already; words such as “about an hour” cannot be converted.
    guard let text = recipe.values[column].text,
      text.wholeMatch(of: /P(\d+D)?(T(\d+[HMS])+)?/) != nil
    else { return nil }
    return text
  }

  private func member(_ name: String, _ value: String?, as type: String? = nil) throws(DecantError) {
    guard let value else { return }
    let text = JSONText.quoted(value)
    try output.write(type.map { ",\"\(name)\":{\"@type\":\"\($0)\",\"name\":\(text)}" } ?? ",\"\(name)\":\(text)")
  }

  private func list(_ name: String, _ edges: [Int], _ column: Int?, of recipe: PageObject) throws(DecantError) {
    var texts: [String] = []
    for edge in edges {
      texts += try store.titles(of: recipe.shape.edges[edge], from: recipe)
    }
    if let text = column.flatMap({ recipe.values[$0].text }), texts.isEmpty { texts = [text] }
    guard !texts.isEmpty else { return }
    try output.write(",\"\(name)\":[\(texts.map(JSONText.quoted).joined(separator: ","))]")
  }

  private func ingredients(of recipe: PageObject, _ shape: RecipeShape) throws(DecantError) {
    try array("recipeIngredient") { write throws(DecantError) in
      if let column = shape.ingredientText {
        for line in recipe.lines(column) { try write(JSONText.quoted(line)) }
      }
      guard let edge = shape.ingredients else { return }
      try store.forEachPart(recipe.shape.edges[edge], of: recipe) { object throws(DecantError) in
        try write(JSONText.quoted(store.ingredient(object).text))
      }
    }
  }

  private func steps(of recipe: PageObject, _ shape: RecipeShape) throws(DecantError) {
    func step(_ text: String) -> String {
      "{\"@type\":\"HowToStep\",\"text\":\(JSONText.quoted(text))}"
    }
    var isInSection = false
    try array("recipeInstructions") { write throws(DecantError) in
      if let column = shape.stepText {
        for line in recipe.lines(column) { try write(step(line)) }
      }
      guard let edge = shape.steps else { return }
      var isFirst = true
      try store.forEachPart(recipe.shape.edges[edge], of: recipe) { object throws(DecantError) in
        if object.isHeading {
          if isInSection { try output.write("]}") }
          let name = JSONText.quoted(object.headingText)
          try write("{\"@type\":\"HowToSection\",\"name\":\(name),\"itemListElement\":[")
          (isInSection, isFirst) = (true, true)
        } else if isInSection {
          try output.write((isFirst ? "" : ",") + step(store.step(object)))
          isFirst = false
        } else {
          try write(step(store.step(object)))
        }
      }
      if isInSection { try output.write("]}") }
    }
  }

  /// Writes the output of `body` as an array, unless it is empty.
  private func array(
    _ name: String,
    _ body: (_ write: (String) throws(DecantError) -> Void) throws(DecantError) -> Void
  ) throws(DecantError) {
    var isEmpty = true
    try body { element throws(DecantError) in
      try output.write((isEmpty ? ",\"\(name)\":[" : ",") + element)
      isEmpty = false
    }
    if !isEmpty { try output.write("]") }
  }
}

extension PageObject {
  /// Returns the lines of the text in `column`, without empty ones and without marks of a list.
  func lines(_ column: Int) -> [String] {
    guard let text = values[column].text else { return [] }
    return text.split(whereSeparator: \.isNewline).map(String.init)
      .filter { !$0.allSatisfy(\.isWhitespace) }
      .map { line in
        line.firstMatch(of: /^\s*(?:[-–*•·]|\d{1,2}[.)])\s+/).map {
          String(line[$0.range.upperBound...])
        }
          ?? line.firstWords(.max)
      }
  }
}

extension PageStore {
  /// Calls `body` with each object that `edge` leads to and that is shown.
  func forEachPart(
    _ edge: PageEdge,
    of object: PageObject,
    _ body: (PageObject) throws(DecantError) -> Void
  ) throws(DecantError) {
    var targets = try targets(of: edge, from: object)
    while let target = try targets.next() {
      guard try visibility(of: target) == .shown, let part = try self.object(target) else {
        continue
      }
      try body(part)
    }
  }
}

/// Text in a form that JSON within a page can hold: nothing in it can end the surrounding element.
enum JSONText {
  /// Returns `text` in quotes.
  static func quoted(_ text: String) -> String {
    var result = "\""
    result.reserveCapacity(text.utf8.count + 8)
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5c:
        result += "\\"
        result.unicodeScalars.append(scalar)
      case 0x0a: result += "\\n"
      case 0..<0x20, 0x26, 0x3c, 0x3e, 0x7f...0x9f, 0x2028, 0x2029, 0xfdd0...0xfdef, 0xfffe, 0xffff:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      // HTML allows no such character anywhere; JSON represents them as surrogate pairs.
      case let value where value & 0xfffe == 0xfffe:
        let (high, low) = (0xd800 + ((value - 0x10000) >> 10), 0xdc00 + ((value - 0x10000) & 0x3ff))
        result += "\\u\(String(high, radix: 16))\\u\(String(low, radix: 16))"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
