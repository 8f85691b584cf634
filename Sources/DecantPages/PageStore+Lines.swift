internal import DecantRecipeFormats
package import DecantBase

/// An ingredient as a line: `250 g`, `flour`, `sifted`.
struct IngredientLine {
  var quantity: String?
  var name: String
  var note: String?

  /// The line as text: `250 g flour, sifted`.
  var text: String {
    [quantity, name].compactMap(\.self).joined(separator: " ") + (note.map { ", \($0)" } ?? "")
  }
}

extension IngredientLine {
  /// Takes the amount, and `unit` after it, from the beginning of a line; the rest remains as written.
  fileprivate init(written line: String, unit: String?) {
    var rest = line[...]
    guard Quantity(reading: &rest) != nil, rest.first == " " else {
      self.init(quantity: nil, name: line)
      return
    }
    rest = rest.dropFirst()
    if let unit, rest.hasPrefix("\(unit) ") { rest = rest.dropFirst(unit.count + 1) }
    self.init(quantity: String(line[..<rest.startIndex].dropLast()), name: String(rest))
  }
}

// The titles of objects, and their one-line forms.
extension PageStore {
  /// Returns the title of the object at `reference`: its own, the beginning of its text, or the name of its entity;
  /// `nil` if there is no such object.
  package func title(of reference: PageReference) throws(DecantError) -> String? {
    try object(reference).map { title(of: $0) }
  }

  /// Returns the titles of at most `limit` objects to which `edge` leads from `object`.
  func titles(of edge: PageEdge, from object: PageObject, limit: Int = 100) throws(DecantError) -> [String] {
    var titles: [String] = []
    var targets = try targets(of: edge, from: object)
    while titles.count < limit, let target = try targets.next() {
      if let title = try title(of: target) { titles.append(title) }
    }
    return titles
  }

  /// Returns `object`, an ingredient, as a line; for an imported recipe, as it was written.
  func ingredient(_ object: PageObject) throws(DecantError) -> IngredientLine {
    let shape = IngredientShape(object.shape)
    func line(_ column: Int) -> String? {
      object.values[column].text?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    if let text = shape.line.flatMap(line) {
      return IngredientLine(written: text, unit: shape.unit.flatMap { object.values[$0].text })
    }
    func first(_ edge: Int?) throws(DecantError) -> String? {
      guard let edge else { return nil }
      return try titles(of: object.shape.edges[edge], from: object, limit: 1).first
    }
    let amount = shape.amount.flatMap { object.amount($0) }
    var unit = shape.unit.flatMap { object.values[$0].text?.firstWords(80) }
    if unit == nil { unit = try first(shape.unitEdge) }
    var name = object.shape.title.flatMap { object.values[$0].text?.firstWords(400) }
    if name == nil { name = try first(shape.foodEdge) }
    let quantity = [amount, unit].compactMap(\.self).joined(separator: " ")
    return IngredientLine(
      quantity: quantity.isEmpty ? nil : quantity,
      name: name ?? object.shape.bodies.lazy.filter { $0 != shape.note }.compactMap(line).first ?? object.shape.label,
      note: shape.note.flatMap { object.values[$0].text?.firstWords(400) }
    )
  }

  /// Returns the text of a step.
  func step(_ object: PageObject) -> String {
    let texts = (object.shape.bodies + [object.shape.title].compactMap(\.self))
      .compactMap { object.values[$0].text }
    return texts.first?.withoutListNumber ?? title(of: object)
  }
}

extension String {
  /// The text without a number such as “1.” before it, since a list adds its own numbers; unchanged if it contains
  /// several numbered lines.
  var withoutListNumber: String {
    let bare = withoutStepNumber
    guard bare != self else { return self }
    let isList = split(whereSeparator: \.isNewline).dropFirst().contains { line in
      String(line).withoutStepNumber != line
    }
    return isList ? self : bare
  }
}
