internal import DecantRecipeFormats
internal import DecantBase

// The parts of an object.
extension PageWalk {
  /// Writes the parts of `object`, except the ingredients, the steps and the pictures.
  func writeOwned(of object: PageObject, level: Int, depth: Int, within parent: PageReference?) throws(DecantError) {
    for (place, edge) in object.shape.edges.enumerated()
    where edge.isOwning && !isPicture(edge) && !PageName(edge.destination).isInternal {
      let recipe = object.shape.recipe
      if place == recipe?.ingredients || place == recipe?.steps { continue }
      try writeParts(edge, of: object, .other, heading: edge.label, level: level, depth: depth)
    }
  }

  /// Writes the targets of `edge` under a heading, unless there are none.
  func writeParts(
    _ edge: PageEdge,
    of object: PageObject,
    _ kind: PagePart,
    heading: String,
    level: Int,
    depth: Int
  ) throws(DecantError) {
    let form = store.model.shape(of: edge.destination, in: edge.target)
    // Sub-entities may have more properties than their superentity: all have the same layout.
    let family = store.model.shapes(in: edge.target)
    let isList =
      edge.isToMany && family.allSatisfy { $0.isListed || (kind != .other && $0.isFood) }
    let isNumbered =
      kind == .steps || (edge.isOrdered && kind != .ingredients && form?.title == nil)
    var hasBegun = false
    var isInList = false
    func begin() throws(DecantError) {
      guard !hasBegun else { return }
      hasBegun = true
      try writer.beginPart(kind, heading, level: level)
    }
    func beginList() throws(DecantError) {
      if !isInList { try writer.beginList(isNumbered: isNumbered) }
      isInList = true
    }
    func endList() throws(DecantError) {
      if isInList { try writer.endList(isNumbered: isNumbered) }
      isInList = false
    }
    var targets = try store.targets(of: edge, from: object)
    while let target = try targets.next() {
      guard target != object.reference, let part = try store.object(target) else { continue }
      var isNew = try store.visibility(of: target) == .shown
      if isNew, depth < PageWalk.depthLimit {
        isNew = try !store.isShown(target)
      } else {
        isNew = false
      }
      try begin()
      if isList {
        if isNew, part.isHeading, try mark(part) {
          try endList()
          try writer.heading(part.headingText, part.reference, level: level + 1)
          try writePictures(of: part)
          continue
        }
        try beginList()
        if isNew {
          try writeItem(part, level: level + 1, depth: depth, within: object.reference, kind)
        } else {
          try writer.beginItem(nil)
          try writeLink(to: part, target)
          try writer.endItem()
        }
      } else if isNew {
        try write(part, level: level + 1, depth: depth, within: object.reference)
      } else {
        try writer.beginList(isNumbered: false)
        try writer.beginItem(nil)
        try writeLink(to: part, target)
        try writer.endItem()
        try writer.endList(isNumbered: false)
      }
    }
    guard hasBegun else { return }
    try endList()
    try writer.endPart(kind)
  }

  private func writeLink(to part: PageObject, _ target: PageReference) throws(DecantError) {
    try write([PageLink(title: store.title(of: part), object: try hasPlace(target) ? target : nil)])
  }

  /// Writes `object` as an item of a list.
  ///
  /// - Parameters:
  ///   - object: The object; skipped if it has been shown.
  ///   - level: The level of the headings within it.
  ///   - depth: The number of objects it is nested in.
  ///   - parent: The object within which it is shown.
  ///   - kind: The kind of the list.
  ///   - isAlone: Whether it is shown on its own, in which case the links to it are shown, too.
  /// - Throws: `DecantError` if the store cannot be read or the page cannot be written.
  func writeItem(
    _ object: PageObject,
    level: Int,
    depth: Int,
    within parent: PageReference?,
    _ kind: PagePart = .other,
    isAlone: Bool = false
  ) throws(DecantError) {
    guard try mark(object) else { return }
    try writer.beginItem(object.reference)
    let isStep = kind == .steps && !object.shape.isText
    if kind == .ingredients {
      try writer.ticked { () throws(DecantError) in try writeIngredient(object) }
    } else if isStep {
      try writeStep(object)
    } else {
      try writeLine(object, within: parent, isAlone: isAlone)
    }
    if kind != .ingredients, !isStep { try writeItemTexts(object, kind) }
    try writePictures(of: object)
    try writeOwned(of: object, level: level, depth: depth + 1, within: parent)
    try writer.endItem()
  }

  /// Writes the texts of an item, followed by the values that describe them.
  private func writeItemTexts(_ object: PageObject, _ kind: PagePart) throws(DecantError) {
    let shape = object.shape
    for column in shape.bodies {
      guard let text = object.values[column].text else { continue }
      try writer.paragraphs(kind == .steps ? text.withoutListNumber : text)
    }
    if let text = shape.lead.flatMap({ object.values[$0].text }) { try writer.aside(text) }
    guard shape.isText else { return }
    let values = shape.values.compactMap { column -> String? in
      guard let label = label(of: object, column) else { return nil }
      // This is the duration of a step.
      if kind == .steps, shape.names[column]?.has(RecipeWords.times) == true,
        let words = object.seconds(column).map(Durations.words(seconds:))
          ?? object.values[column].text.flatMap(Durations.words)
      {
        return words
      }
      return object.shown(column).map { "\(label) \($0)" }
    }
    if !values.isEmpty { try writer.aside(values.joined(separator: " · ")) }
  }

  /// Writes a step that may have a name in addition to its text.
  private func writeStep(_ object: PageObject) throws(DecantError) {
    if let title = object.shape.title.flatMap({ object.values[$0].text }) {
      try writer.text(title, isStrong: true)
    }
    for column in object.shape.bodies {
      if let text = object.values[column].text { try writer.paragraphs(text.withoutListNumber) }
    }
  }

  private func writeIngredient(_ object: PageObject) throws(DecantError) {
    let line = try store.ingredient(object)
    if let quantity = line.quantity {
      try writer.text(quantity, isStrong: true)
      try writer.words(" ")
    }
    try writer.text(line.name, isStrong: false)
    if let note = line.note {
      try writer.words(", ")
      try writer.text(note, isStrong: false)
    }
    for column in object.shape.values where object.shape.types[column] == .boolean {
      guard object.shown(column) == "Yes", let label = label(of: object, column)?.lowercased() else { continue }
      // The text may already contain it.
      let isSaid = [line.name, line.note ?? ""].contains { $0.lowercased().contains(label) }
      if !isSaid { try writer.words(" (\(label))") }
    }
  }

  /// Writes the parts of a one-line object: the title, the values, and the linked objects.
  private func writeLine(_ object: PageObject, within parent: PageReference?, isAlone: Bool) throws(DecantError) {
    let shape = object.shape
    var count = 0
    func separate() throws(DecantError) {
      if count > 0 { try writer.words(count == 1 && shape.title != nil ? " — " : ", ") }
      count += 1
    }
    if let title = shape.title.flatMap({ object.values[$0].text }) {
      try separate()
      let isNutrient = PageName(shape.entity).has(["nutrition", "nutrient"])
      try writer.text(isNutrient ? NutrientName.label(title) ?? title : title, isStrong: true)
    }
    for column in shape.values where !shape.isText {
      guard let value = object.shown(column), let label = label(of: object, column) else {
        continue
      }
      try separate()
      if object.shape.types[column] != .string { try writer.words("\(label.lowercased()) ") }
      try write(value: value)
    }
    for edge in shape.edges where !edge.isOwning && !isPicture(edge) && (isAlone || !edge.isToMany) {
      let links = try links(of: edge, from: object, except: parent)
      guard !links.isEmpty else { continue }
      try separate()
      if edge.isToMany || shape.title == nil { try writer.words("\(edge.label.lowercased()) ") }
      try write(links)
    }
    let hasText = shape.bodies.contains { object.values[$0].text != nil }
    if count == 0, !hasText { try writer.words(object.name) }
  }
}

extension PageShape {
  /// Whether objects are items of a list: they fit on a line, or are a text without a title, such as a step.
  var isListed: Bool { isLine || isText }

  /// Whether objects are a text without a title, such as a step.
  var isText: Bool { title == nil && !bodies.isEmpty && values.count <= 2 && recipe == nil }

  /// Whether an ingredient fits on a line, including its note.
  var isFood: Bool { binaries.isEmpty && !edges.contains(where: \.isOwning) }
}

extension PageObject {
  /// Whether the object is a heading above others of its kind.
  var isHeading: Bool {
    shape.values.contains { column in
      shape.types[column] == .boolean && shape.names[column]?.joined == "isheading"
        && shown(column) == "Yes"
    }
  }

  /// The text of the heading.
  var headingText: String {
    let columns = shape.bodies + (shape.title.map { [$0] } ?? [])
    return columns.lazy.compactMap { values[$0].text }.first ?? name
  }
}
