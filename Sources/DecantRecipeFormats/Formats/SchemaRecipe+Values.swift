internal import DecantBase

extension DocumentValue {
  /// The plain text of a string, of an object that holds one, or of the first of several that has any.
  var words: String? {
    get throws {
      for element in elements {
        guard let text = try element.label else { continue }
        let plain = PlainText.of(text)
        if !plain.isEmpty { return plain }
      }
      return nil
    }
  }

  /// Returns the names of people or organisations, separated by commas; each may have several.
  func names() throws -> String? {
    let all = elements.flatMap { $0["name"].map { name in name.elements } ?? [$0] }
    let names = try all.compactMap { try $0.words }.withoutRepeats
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  /// Words in an array, or in a text separated by commas.
  var wordList: [String] {
    get throws {
      try elements.flatMap { element -> [String] in
        guard let text = try element.words else { return [] }
        return text.split { $0 == "," || $0.isNewline }.map(\.trimmed)
      }.withoutRepeats
    }
  }

  /// The yield: if it is given in several ways, the longest.
  var yield: String? {
    get throws {
      let texts = try elements.compactMap { try $0.quantity }
      return texts.max { $0.count < $1.count }
    }
  }

  /// A text, or a value with its unit.
  var quantity: String? {
    get throws {
      guard isObject else { return try words }
      guard let value = try (self["value"] ?? self["minValue"])?.trimmed else { return try words }
      guard let unit = try (self["unitText"] ?? self["unitCode"])?.trimmed else { return value }
      return "\(value) \(unit)"
    }
  }

  /// A time; numbers are minutes.
  var time: RecipeTime? {
    get throws { RecipeTime(written: try elements.first?.quantity, plainIsMinutes: true) }
  }

  /// The text of an ingredient; for an object, assembled from its parts.
  var ingredientText: String? {
    get throws {
      guard isObject else { return try trimmed }
      if let text = try self["text"]?.trimmed { return text }
      let amount = try
        (self["amount"] ?? self["quantity"] ?? self["requiredQuantity"]
        ?? self["value"])?.quantity
      let unit = try (self["unit"] ?? self["unitText"])?.label
      let parts = try [amount, unit, label].compactMap { $0 }
      return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
  }

  /// A complete web address: a text, or the `@id` or `url` of an object.
  var address: String? {
    get throws {
      let text = try isObject ? (self["url"] ?? self["@id"])?.trimmed : trimmed
      guard let text, text.hasPrefix("http://") || text.hasPrefix("https://") else { return nil }
      return text
    }
  }
}
