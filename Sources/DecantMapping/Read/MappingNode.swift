internal import DecantPlan

/// A value in a mapping file: a text, a list or a map, with its position.
struct MappingNode: Sendable {
  /// A key of a map with its value.
  struct Member: Sendable {
    var key: Mapping.Word
    var value: MappingNode
  }

  enum Content: Sendable {
    /// A text; plain texts are those without quotes, including numbers, `true`, `null` and empty values.
    case text(String, isPlain: Bool)
    case list([MappingNode])
    case map([Member])
  }

  var content: Content
  var mark: Mapping.Mark

  /// Whether the value is empty, `null` or `~`.
  var isNothing: Bool {
    guard case .text(let text, true) = content else { return false }
    return text.isEmpty || isNull
  }

  /// Whether the value is null: `null` or `~`.
  var isNull: Bool {
    guard case .text(let text, true) = content else { return false }
    return ["null", "Null", "NULL", "~"].contains(text)
  }

  /// The value if it is `true` or `false`.
  var truth: Bool? {
    guard case .text(let text, true) = content else { return nil }
    if ["true", "True", "TRUE"].contains(text) { return true }
    return ["false", "False", "FALSE"].contains(text) ? false : nil
  }

  /// Whether the value is a number in any form.
  var isNumber: Bool {
    guard case .text(let text, true) = content, let first = text.utf8.first(where: { $0 != 0x2D })
    else { return false }
    return (first == 0x2E || (0x30...0x39).contains(first)) && Double(text) != nil
  }

  /// The kind of the value, as named in errors.
  var kind: String {
    switch content {
    case .list: "a list"
    case .map: "a map"
    case .text:
      if isNothing {
        "nothing"
      } else if truth != nil {
        "true or false"
      } else {
        isNumber ? "a number" : "a text"
      }
    }
  }
}
