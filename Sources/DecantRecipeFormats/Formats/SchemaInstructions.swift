internal import DecantBase
internal import DecantJSON

/// The steps of a schema.org recipe: text, HTML, lists, and nested lists.
struct SchemaInstructions {
  let context: RecipeContext
  private(set) var steps: [RecipeStep] = []
  /// Pictures of steps that the document itself contains.
  private(set) var images: [RecipeImage] = []
  /// What was in elements that were read otherwise.
  private(set) var unread: [JSONValue] = []

  init(context: RecipeContext) { self.context = context }

  /// Reads `recipeInstructions`.
  mutating func read(_ value: DocumentValue) throws {
    let elements = value.elements
    // A single text holds all of the steps; of several, each is one step.
    if elements.count == 1, case .text(let text) = elements[0] {
      return try append(lines: text.string)
    }
    for element in ordered(elements) { try readElement(element) }
  }

  private mutating func readElement(_ element: DocumentValue) throws {
    guard element.isObject else {
      if case .array = element { return try read(element) }
      guard let text = try element.trimmed else { return }
      let start = steps.count
      append(step: PlainText.of(text))
      return try takeImages(in: text, from: start)
    }
    if let item = element["item"], item.isObject {
      let others = element.members.filter { !["@type", "position", "item"].contains($0.0) && item[$0.0] == nil }
      return try readElement(.object(item.members + others))
    }
    let parts = Self.partNames.lazy.compactMap { element[$0] }.first
    if let parts, !types(of: element).contains("howtostep") { return try readSection(element, parts) }
    try readStep(element, parts: parts)
  }

  /// The members that hold the parts of a section or of a step.
  private static let partNames = ["itemListElement", "steps", "step", "items"]
  /// The members that number and link elements.
  private static let links: Set = ["@id", "type", "url", "numberOfItems", "itemListOrder"]

  /// Reads a section with its name, a text of its own, and its steps.
  private mutating func readSection(_ element: DocumentValue, _ parts: DocumentValue) throws {
    var members = JSONMembers(element)
    members.pass("@type", "position")
    let name = try members.take("name", "headline")?.words
    let text = try members.take("text", "description")?.allWords
    if let name { steps.append(RecipeStep(name, isHeading: true)) }
    let start = steps.count
    if let name = Self.partNames.first(where: { element[$0] != nil }) { members.pass(name) }
    try read(parts)
    if let text {
      // Many repeat the steps as one text.
      let letters = String(decoding: FoldedText.letters(of: text), as: UTF8.self)
      let isRepeated =
        start < steps.count
        && steps[start...].allSatisfy {
          letters.contains(String(decoding: FoldedText.letters(of: $0.text), as: UTF8.self))
        }
      if !isRepeated {
        steps.insert(RecipeStep(text), at: start)
        for index in images.indices {
          if let step = images[index].step, step >= start { images[index].step = step + 1 }
        }
      }
    }
    let rest = try members.rest().filter { !Self.links.contains($0.0) }
    if !rest.isEmpty { unread.append(.object((name.map { [("name", .string($0))] } ?? []) + rest)) }
  }

  /// Reads a step with its name and its pictures, perhaps divided into parts.
  private mutating func readStep(_ element: DocumentValue, parts: DocumentValue?) throws {
    var members = JSONMembers(element)
    members.pass("@type", "position")
    let name = try members.take("name", "headline")?.words
    var text = try members.take("text", "description")?.allWords ?? (members.take("item")?.words)
    if let parts {
      let texts = try ordered(parts.elements).compactMap { try ($0["text"] ?? $0["name"] ?? $0).allWords }
      // Parts that hold more than a text stay as they are, too.
      if parts.elements.allSatisfy({ $0.isPlainText }) { members.pass(Self.partNames) }
      // Many repeat the whole text in the parts.
      let whole = text
      let others = texts.filter { whole?.contains($0) != true }
      if !others.isEmpty { text = ([whole].compactMap { $0 } + others).joined(separator: "\n") }
    }
    guard let words = text ?? name else {
      let rest = try members.rest().filter { !Self.links.contains($0.0) }
      if !rest.isEmpty { unread.append(.object(rest)) }
      return
    }
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
    for case .text(let text) in (element["text"] ?? element["description"])?.elements ?? [] {
      try takeImages(in: text.string, from: steps.count - 1)
    }
  }

  private func types(of element: DocumentValue) -> [String] {
    element["@type"].map(SchemaRecipe.types) ?? []
  }

  private mutating func append(lines text: String) throws {
    let start = steps.count
    for line in Self.lines(text) { append(step: line) }
    try takeImages(in: text, from: start)
  }

  /// Returns the lines of a text that may be HTML, whose headings are marked as such, unless it consists of headings.
  private static func lines(_ text: String) -> [String] {
    guard text.holds("<h") || text.holds("<H") else { return PlainText.lines(text) }
    let marked = text.replacing(/<h[1-6](?:\s[^>]{0,500})?>/.ignoresCase()) { "\($0.output)\(headingMark) " }
    let lines = PlainText.lines(marked).filter { $0 != headingMark }.map { line -> (text: String, isHeading: Bool) in
      guard line.hasPrefix("\(headingMark) ") else { return (line, false) }
      let text = line.dropFirst(headingMark.count).trimmed
      // A number, a sentence and a paragraph are no headings.
      let words = text.split { !$0.isLetter && !$0.isNumber }
      let isNumber = words.count <= 2 && words.last?.allSatisfy(\.isNumber) ?? true
      return (text, !isNumber && text.count <= 80 && !".!?。".contains(text.last ?? "."))
    }
    guard lines.contains(where: { !$0.isHeading }) else { return lines.map(\.text) }
    return lines.map { $0.isHeading ? "\(headingMark) \($0.text)" : $0.text }
  }

  private static let headingMark = "##"

  /// Takes the pictures in the HTML of a text whose lines are the steps from `start` on, or all one step.
  private mutating func takeImages(in text: String, from start: Int) throws {
    for (image, line) in try MarkupTexts.images(in: text) where start < steps.count {
      let step = min(start + line, steps.count - 1)
      if let image = try context.image(image, &steps[step].extra, step: step) { images.append(image) }
    }
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

extension DocumentValue {
  /// Whether this is a text, or an object that holds nothing else.
  fileprivate var isPlainText: Bool {
    guard isObject else { return true }
    let text = self["text"] == nil ? "name" : "text"
    return members.allSatisfy { [text, "@type", "type", "position"].contains($0.0) || $0.1.isVoid }
  }
}

extension String {
  /// Returns the text without `suffix` at the end.
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
