internal import DecantJSON

/// The steps of a schema.org recipe: text, HTML, lists, and nested lists.
struct SchemaInstructions {
  let context: RecipeContext
  private(set) var steps: [RecipeStep] = []
  /// Pictures of steps that the document itself contains.
  private(set) var images: [RecipeImage] = []

  init(context: RecipeContext) { self.context = context }

  /// Reads `recipeInstructions`.
  mutating func read(_ value: DocumentValue) throws {
    let elements = value.elements
    // A single text holds all of the steps; of several, each is one step.
    if elements.count == 1, case .text(let text) = elements[0] {
      return append(lines: try text.string)
    }
    for element in ordered(elements) { try readElement(element) }
  }

  private mutating func readElement(_ element: DocumentValue) throws {
    guard element.isObject else {
      if case .array = element { return try read(element) }
      if let text = try element.trimmed { append(step: PlainText.of(text)) }
      return
    }
    let types = element["@type"].map(SchemaRecipe.types) ?? []
    if let item = element["item"], item.isObject { return try readElement(item) }
    let parts = element["itemListElement"] ?? element["steps"]
    if let parts, !types.contains("howtostep") {
      if let name = try element["name"]?.words { steps.append(RecipeStep(name, isHeading: true)) }
      return try read(parts)
    }
    try readStep(element, parts: parts)
  }

  /// Reads a step with its name and its pictures, perhaps divided into parts.
  private mutating func readStep(_ element: DocumentValue, parts: DocumentValue?) throws {
    var members = JSONMembers(element)
    members.pass("@type", "position")
    let name = try members.take("name", "headline")?.words
    var text = try members.take("text", "description")?.words ?? (members.take("item")?.words)
    if let parts, members.take("itemListElement", "steps") != nil {
      let texts = try ordered(parts.elements).compactMap {
        try ($0["text"] ?? $0["name"] ?? $0).words
      }
      // Many repeat the whole text in the parts.
      let whole = text
      let others = texts.filter { whole?.contains($0) != true }
      if !others.isEmpty { text = ([whole].compactMap { $0 } + others).joined(separator: "\n") }
    }
    guard let words = text ?? name else { return }
    if text == nil, types(of: element).contains("howtosection") {
      steps.append(RecipeStep(words, isHeading: true))
      return
    }
    // Most sites repeat the text, or its beginning, as the name.
    let isRepeated =
      name.map { words.hasPrefix($0.trimmingSuffix("…").trimmingSuffix("...")) } ?? true
    append(step: words, title: isRepeated ? nil : name)
    var pictures = SchemaPictures(context: context)
    try pictures.read(&members)
    for image in pictures.images {
      var image = image
      image.step = steps.count - 1
      images.append(image)
    }
    var extra = try members.rest()
    if let rest = pictures.rest { extra.append(("image", rest)) }
    steps[steps.count - 1].extra = extra
  }

  private func types(of element: DocumentValue) -> [String] {
    element["@type"].map(SchemaRecipe.types) ?? []
  }

  private mutating func append(lines text: String) {
    for line in PlainText.lines(text) { append(step: line) }
  }

  private mutating func append(step text: String, title: String? = nil) {
    guard !text.isEmpty else { return }
    if let heading = MarkedHeading.text(of: text), !text.contains(where: \.isNewline) {
      steps.append(RecipeStep(heading, isHeading: true))
    } else {
      steps.append(RecipeStep(text, title: title))
    }
  }

  /// Returns elements sorted by their `position`, if all have one.
  private func ordered(_ elements: [DocumentValue]) -> [DocumentValue] {
    let positions = elements.compactMap { $0["position"]?.double }
    guard positions.count == elements.count, !elements.isEmpty else { return elements }
    return zip(positions, elements).enumerated()
      .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
      .map(\.element.1)
  }
}

extension String {
  /// Returns the text without `suffix` at the end.
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
