internal import DecantRecipeFormats
internal import DecantBase

// Parts that only recipes have.
extension PageWalk {
  /// Writes the facts that a cook wants to know first.
  func writeFacts(of object: PageObject, _ recipe: RecipeShape) throws(DecantError) {
    var facts: [(String, String)] = []
    for time in recipe.times {
      let label = ["prepTime": "Preparation", "cookTime": "Cooking"][time.kind] ?? "Total"
      let number = object.seconds(time.column).map(Durations.words(seconds:))
      // A time may be stored both as text and in minutes: the first one is used.
      guard !facts.contains(where: { $0.0 == label }) else { continue }
      let words = object.values[time.column].text.map { Durations.words($0) ?? $0 }
      if let value = number ?? words { facts.append((label, value)) }
    }
    // A yield in words includes its number.
    let yields = recipe.yields.compactMap { column in
      object.amount(column).flatMap { value in label(of: object, column).map { ($0, value) } }
    }
    if let first = yields.first { facts.append(first) }
    if let column = recipe.author, let value = object.shown(column) { facts.append(("By", value)) }
    var links: [(String, [PageLink])] = []
    for place in recipe.categories + recipe.keywords {
      let edge = object.shape.edges[place]
      let found = try self.links(of: edge, from: object, except: nil)
      if !found.isEmpty { links.append((recipe.label(of: edge, at: place, count: found.count), found)) }
    }
    for place in recipe.origins {
      let edge = object.shape.edges[place]
      let found = try self.links(of: edge, from: object, except: nil)
      if !found.isEmpty { links.append((edge.label, found)) }
    }
    let address = recipe.source.flatMap { object.shown($0) }
    guard !facts.isEmpty || !links.isEmpty || address != nil else { return }
    try writer.beginValues(areFacts: true)
    for (label, value) in facts {
      try writer.beginValue(label)
      try write(value: value)
      try writer.endValue()
    }
    for (label, found) in links {
      try writer.beginValue(label)
      try write(found)
      try writer.endValue()
    }
    if let address {
      try writer.beginValue("From")
      try write(value: address)
      try writer.endValue()
    }
    try writer.endValues()
  }

  /// Writes ingredients and steps, side by side if there is room.
  func writeParts(of object: PageObject, _ recipe: RecipeShape, level: Int, depth: Int) throws(DecantError) {
    try writer.beginPart(.columns, nil, level: level)
    if let place = recipe.ingredients {
      let edge = object.shape.edges[place]
      try writeParts(edge, of: object, .ingredients, heading: edge.label, level: level, depth: depth)
    }
    try writeLines(of: object, recipe.ingredientText, .ingredients, level: level)
    if let place = recipe.steps {
      let edge = object.shape.edges[place]
      try writeParts(edge, of: object, .steps, heading: edge.label, level: level, depth: depth)
    }
    try writeLines(of: object, recipe.stepText, .steps, level: level)
    try writer.endPart(.columns)
  }

  /// Writes each line of a text as an item; a text of one line unchanged.
  private func writeLines(of object: PageObject, _ column: Int?, _ kind: PagePart, level: Int) throws(DecantError) {
    guard let column, let text = object.values[column].text, let label = label(of: object, column)
    else { return }
    let lines = object.lines(column)
    try writer.beginPart(kind, label, level: level)
    if lines.count > 1 {
      let isNumbered = kind == .steps
      try writer.beginList(isNumbered: isNumbered)
      for line in lines {
        try writer.beginItem(nil)
        try writer.text(line, isStrong: false)
        try writer.endItem()
      }
      try writer.endList(isNumbered: isNumbered)
    } else {
      try writer.paragraphs(text)
    }
    try writer.endPart(kind)
  }
}
