/// A recipe in RDFa, using schema.org or data-vocabulary.org: converted to the equivalent microdata.
enum RDFa {
  /// Whether an element is a recipe: `typeof="Recipe"`, with the vocabulary on it or around it.
  static func isRecipe(_ element: MarkupElement) -> Bool {
    guard let types = element.attributes["typeof"] else { return false }
    return types.split(whereSeparator: \.isWhitespace).contains {
      $0.split(whereSeparator: { ":/#".contains($0) }).last?.lowercased() == "recipe"
    }
  }

  /// Returns the element with microdata attributes added to those of RDFa, where it has none yet.
  static func microdata(_ element: MarkupElement) -> MarkupElement {
    var element = element
    if element.attributes["typeof"] != nil, element.attributes["itemscope"] == nil {
      element.attributes["itemscope"] = ""
    }
    if element.attributes["itemprop"] == nil, let properties = properties(of: element) {
      element.attributes["itemprop"] = properties
    }
    if let place = element.attributes["resource"], element.attributes["href"] == nil {
      element.attributes["href"] = place
    }
    element.nodes = element.nodes.map { node in
      if case .element(let child) = node { .element(microdata(child)) } else { node }
    }
    return element
  }

  /// Returns the microdata names of the properties that an element is; `nil` if it is none.
  static func properties(of element: MarkupElement) -> String? {
    let names = [element.attributes["property"], element.attributes["rel"]].compactMap { $0 }
    let properties = names.flatMap { $0.split(whereSeparator: \.isWhitespace).compactMap(name) }
    return properties.isEmpty ? nil : properties.joined(separator: " ")
  }

  /// Returns the name of a property without its vocabulary; `nil` for unrelated vocabularies.
  private static func name(_ text: Substring) -> String? {
    guard let end = text.lastIndex(where: { ":/#".contains($0) }) else { return String(text) }
    let vocabulary = text[..<end].lowercased()
    let isKnown =
      vocabulary.contains("schema.org") || vocabulary.contains("data-vocabulary.org")
      || ["schema", "sdo", "s", "v"].contains(vocabulary)
    return isKnown ? String(text[text.index(after: end)...]) : nil
  }
}
