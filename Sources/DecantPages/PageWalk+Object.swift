internal import DecantRecipeFormats
internal import DecantBase

// One object.
extension PageWalk {
  /// Writes `object` under a heading at `level`.
  ///
  /// - Parameters:
  ///   - object: The object; skipped if it has been shown.
  ///   - level: The level of its heading.
  ///   - depth: The number of objects it is nested in.
  ///   - parent: The object within which it is shown.
  /// - Throws: `DecantError` if the store cannot be read or the page cannot be written.
  func write(_ object: PageObject, level: Int, depth: Int, within parent: PageReference? = nil) throws(DecantError) {
    guard try mark(object) else { return }
    let shape = object.shape
    try writer.beginObject(
      heading(of: object, level: level),
      object.reference,
      level: level,
      isRecipe: shape.recipe != nil
    )
    if let text = shape.lead.flatMap({ object.values[$0].text }) { try writer.lead(text) }
    let lead = try writeLeadPicture(of: object)
    if let recipe = shape.recipe { try writeFacts(of: object, recipe) }
    try writeTexts(of: object)
    if let recipe = shape.recipe {
      try writeParts(of: object, recipe, level: level + 1, depth: depth + 1)
    }
    try writeValues(of: object, within: parent)
    try writeOwned(of: object, level: level + 1, depth: depth + 1, within: parent)
    try writePictures(of: object, except: lead)
    try writeAsides(of: object)
    if shape.recipe != nil { try writer.data(of: object, picture: lead.bytes) }
    try writer.endObject()
  }

  /// Returns the heading of an object: its title, or `nil` if it has none and its text is sufficient.
  private func heading(of object: PageObject, level: Int) -> String? {
    if let title = object.shape.title.flatMap({ object.values[$0].text }) {
      return title.firstWords(200)
    }
    let hasText = object.shape.bodies.contains { object.values[$0].text != nil }
    return level > 1 && hasText ? nil : object.name
  }

  private func writeTexts(of object: PageObject) throws(DecantError) {
    let shape = object.shape
    if let title = shape.title.flatMap({ object.values[$0].text }),
      title.firstWords(200).hasSuffix(" …") || title.utf8.count > 800
    {
      try writer.paragraphs(title)
    }
    let bodies = shape.bodies.filter {
      $0 != shape.recipe?.stepText && $0 != shape.recipe?.ingredientText
    }
    let shown = bodies.filter { object.values[$0].text != nil }
    for column in shown {
      guard let text = object.values[column].text else { continue }
      // A single text needs no name; several have their own, except the description.
      let isPlain = shown.count == 1 || shape.names[column]?.isOne(of: PageWalk.plainTexts) == true
      if !isPlain, let name = shape.names[column] { try writer.aside(name.label) }
      try writer.paragraphs(text)
      if text.utf8.count >= PageObject.textLimit - 4 {
        try writer.aside("The text continues in the attached data.")
      }
    }
  }

  private static let plainTexts: Set<String> = [
    "description", "text", "body", "content", "overview", "summary", "intro", "introduction",
    "beschreibung", "descripcion", "descripción", "descrizione",
  ]

  private func writeValues(of object: PageObject, within parent: PageReference?) throws(DecantError) {
    let placed = object.shape.recipe?.placed ?? []
    var hasBegun = false
    func begin(_ label: String) throws(DecantError) {
      if !hasBegun { try writer.beginValues(areFacts: false) }
      hasBegun = true
      try writer.beginValue(label)
    }
    for column in object.shape.values where !placed.contains(column) {
      guard let value = object.shown(column), let label = label(of: object, column) else {
        continue
      }
      // It is not worth mentioning that a recipe is not a favorite.
      if object.shape.recipe != nil, object.shape.types[column] == .boolean, value == "No" {
        continue
      }
      try begin(label)
      try write(value: value)
      try writer.endValue()
    }
    for (place, edge) in object.shape.edges.enumerated() where !isPart(edge, at: place, of: object) {
      let links = try links(of: edge, from: object, except: parent)
      guard !links.isEmpty else { continue }
      try begin(edge.label)
      try write(links)
      try writer.endValue()
    }
    if hasBegun { try writer.endValues() }
  }

  /// Whether the targets of `edge` are shown elsewhere.
  private func isPart(_ edge: PageEdge, at place: Int, of object: PageObject) -> Bool {
    if let recipe = object.shape.recipe {
      if (recipe.categories + recipe.keywords + recipe.origins).contains(place) { return true }
    }
    return edge.isOwning || isPicture(edge)
  }

  /// Whether `edge` leads to pictures.
  func isPicture(_ edge: PageEdge) -> Bool {
    store.model.shape(of: edge.destination, in: edge.target)?.isPicture == true
  }

  func label(of object: PageObject, _ column: Int) -> String? {
    guard let name = object.shape.names[column] else { return nil }
    switch object.shape.types[column] {
    case .boolean: return name.booleanLabel
    case .date: return name.label(without: ["at", "on", "date", "time", "timestamp"])
    default: return name.label
    }
  }

  func write(value: String) throws(DecantError) {
    if let address = HTMLText.address(value) {
      try writer.address(address)
    } else {
      try writer.text(value, isStrong: false)
    }
  }

  private func writeAsides(of object: PageObject) throws(DecantError) {
    var texts: [String] = []
    for column in object.shape.asides {
      guard let value = object.shown(column), let label = label(of: object, column) else {
        continue
      }
      texts.append("\(label) \(value.firstWords(120))")
    }
    // Identifiers stored as bytes mean nothing to a person.
    for column in object.shape.binaries
    where object.shape.names[column]?.has(PageWords.internals) != true {
      guard let bytes = try store.bytes(of: object, column), bytes.format == nil, !bytes.isLost,
        let label = label(of: object, column)
      else { continue }
      texts.append("\(label): \(PageNumber.size(bytes.count)) of data")
    }
    if !texts.isEmpty { try writer.aside(texts.joined(separator: " · ")) }
  }
}
