internal import DecantBase
internal import DecantJSON

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

  /// The plain texts of all elements, as lines.
  var allWords: String? {
    get throws {
      let texts = try elements.compactMap { try $0.words }.withoutRepeats
      return texts.isEmpty ? nil : texts.joined(separator: "\n")
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

  /// The yields in all the ways in which they are given, except those whose words another one has.
  var yields: [String] {
    get throws {
      let texts = try elements.compactMap { try $0.quantity }
      // “11” is in “11-12 cookies”.
      let words = texts.map { Set(FoldedText.searchedText($0).split { !$0.isLetter && !$0.isNumber }) }
      return texts.indices.filter { index in
        !texts.indices.contains { other in
          words[index].isStrictSubset(of: words[other]) || other < index && words[index] == words[other]
        }
      }.map { texts[$0] }
    }
  }

  /// A text, or a value or the range of two with its unit.
  var quantity: String? {
    get throws {
      guard isObject else { return try words }
      let ends = try [self["minValue"]?.trimmed, self["maxValue"]?.trimmed].compactMap(\.self).withoutRepeats
      guard let value = try self["value"]?.trimmed ?? (ends.isEmpty ? nil : ends.joined(separator: "–")) else {
        return try words
      }
      guard let unit = try (self["unitText"] ?? self["unitCode"])?.trimmed else { return value }
      return "\(value) \(unit)"
    }
  }

  /// A time; numbers are minutes.
  var time: RecipeTime? {
    get throws {
      for element in elements {
        if let time = RecipeTime(written: try element.quantity, plainIsMinutes: true) { return time }
      }
      return nil
    }
  }

  /// Whether `quantity` leaves out members of an object.
  var exceedsQuantity: Bool {
    let hasEnds = self["minValue"] != nil || self["maxValue"] != nil
    let names =
      self["value"] != nil ? ["value"] : hasEnds ? ["minValue", "maxValue"] : ["name", "title", "text", "label"]
    let read = members.filter { names.contains($0.0) && !$0.1.isVoid }.count
    let known = Set(["@type", "type", "unitText", "unitCode"] + names)
    return read > 1 && !hasEnds || members.contains { !known.contains($0.0) && !$0.1.isVoid }
  }

  /// The text of an ingredient; for an object, assembled from its parts.
  var ingredientText: String? {
    get throws {
      guard isObject else { return try trimmed }
      if let text = try self["text"]?.trimmed { return text }
      let amount = try Self.amountNames.lazy.compactMap { self[$0] }.first?.quantity
      let unit = try (self["unit"] ?? self["unitText"])?.label
      let parts = try [amount, unit, label].compactMap { $0 }
      return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
  }

  private static let amountNames = ["amount", "quantity", "requiredQuantity", "value"]

  /// The members of an object that are not in its text as an ingredient.
  func ingredientRest(without text: String) throws -> [(String, JSONValue)] {
    var members = JSONMembers(self)
    members.pass("@type", "type", "position", "text")
    for name in Self.amountNames + ["unit", "unitText", "name", "title"] {
      if let part = try self[name].flatMap({ try $0.isObject ? $0.quantity : $0.trimmed }), text.contains(part) {
        members.pass(name)
      }
    }
    return try members.rest()
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
