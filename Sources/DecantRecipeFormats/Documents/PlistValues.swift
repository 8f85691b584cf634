internal import DecantBase
internal import DecantJSON

/// A dictionary of an XML property list.
struct PlistValues {
  /// Keys and values in their order.
  let members: [(String, MarkupElement)]

  /// Reads the children of a `dict`: a `key`, then its value.
  init(_ element: MarkupElement) {
    var members: [(String, MarkupElement)] = []
    var key: String?
    for child in element.children {
      if child.name == "key" {
        key = (try? child.allText)?.trimmed
      } else if let name = key {
        members.append((name, child))
        key = nil
      }
    }
    self.members = members
  }

  subscript(key: String) -> MarkupElement? { members.first { $0.0 == key }?.1 }

  func has(_ key: String) -> Bool { self[key] != nil }

  func isTrue(_ key: String) -> Bool { self[key]?.name == "true" }

  /// Returns the text of a string or a number, trimmed.
  func text(_ key: String) throws -> String? {
    try self[key].flatMap { MarkupTexts.trimmed(try $0.allText) }
  }

  /// Returns the dictionaries of an array.
  func dictionaries(_ key: String) -> [PlistValues] {
    self[key]?.children(named: "dict").map(PlistValues.init) ?? []
  }

  /// Returns a value in the form kept in `extra`; `nil` for an empty one, and with a warning for one that is too long.
  static func json(_ element: MarkupElement, _ context: RecipeContext) throws -> JSONValue? {
    switch element.name {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "array":
      let values = try element.children.compactMap { try json($0, context) }
      return values.isEmpty ? nil : .array(values)
    case "dict":
      var members: [(String, JSONValue)] = []
      for (key, value) in PlistValues(element).members {
        if let value = try json(value, context) { members.append((key, value)) }
      }
      return members.isEmpty ? nil : .object(members)
    default:
      let content = try element.content
      if case .long = content {
        context.warn("a \(element.name) is too long to keep")
        return nil
      }
      guard let text = MarkupTexts.trimmed(try content.string) else { return nil }
      return element.name == "integer"
        ? Int64(text).map { .integer($0) } ?? .string(text) : .string(text)
    }
  }
}
