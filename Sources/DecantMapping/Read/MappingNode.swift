internal import DecantPlan

/// A value as a mapping file writes it: a text, a list or a map, with its place.
struct MappingNode: Sendable {
  /// A key of a map with its value.
  struct Member: Sendable {
    var key: Mapping.Word
    var value: MappingNode
  }

  enum Content: Sendable {
    /// A text; numbers, `true`, `null` and what is left empty are plain ones: those without quotes.
    case text(String, isPlain: Bool)
    case list([MappingNode])
    case map([Member])
  }

  var content: Content
  var mark: Mapping.Mark

  /// Whether nothing is written here: it is empty, `null` or `~`.
  var isNothing: Bool {
    guard case .text(let text, true) = content else { return false }
    return text.isEmpty || isNull
  }

  /// Whether `null` is written here.
  var isNull: Bool {
    guard case .text(let text, true) = content else { return false }
    return ["null", "Null", "NULL", "~"].contains(text)
  }

  /// What is written here if that is `true` or `false`.
  var truth: Bool? {
    guard case .text(let text, true) = content else { return nil }
    if ["true", "True", "TRUE"].contains(text) { return true }
    return ["false", "False", "FALSE"].contains(text) ? false : nil
  }

  /// Whether a number is written here, of whatever form.
  var isNumber: Bool {
    guard case .text(let text, true) = content, let first = text.utf8.first(where: { $0 != 0x2D })
    else { return false }
    return (first == 0x2E || (0x30...0x39).contains(first)) && Double(text) != nil
  }

  /// What is written here, as errors say it.
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
