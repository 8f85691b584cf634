internal import DecantBase
internal import DecantPlan

/// The features of YAML that a mapping does not support.
extension MappingText {
  /// Returns the error for an alias, an anchor, or a key marked with `?`, depending on the character at `mark`.
  func aliased(_ mark: Mapping.Mark) -> DecantError {
    switch scalar(at: mark) {
    case "&":
      mapping.mistake(
        "a \(mapping.word) cannot use anchors (“&”)",
        at: mark,
        remedy: "write the value out; put text that starts with “&” in quotes"
      )
    case "?":
      mapping.mistake(
        "a key or text cannot start with “?” here",
        at: mark,
        remedy: "remove the “?”, or put the text in quotes"
      )
    default:
      mapping.mistake(
        "a \(mapping.word) cannot use aliases (“*”)",
        at: mark,
        remedy: "write the value out; put text that starts with “*” in quotes"
      )
    }
  }

  /// Returns the error for a merge key.
  func merged(_ mark: Mapping.Mark) -> DecantError {
    mapping.mistake(
      "a \(mapping.word) cannot use merge keys (“<<”)",
      at: mark,
      remedy: "write the keys out"
    )
  }

  /// Returns the error for a tag.
  func tagged(_ mark: Mapping.Mark) -> DecantError {
    mapping.mistake(
      "a \(mapping.word) cannot use tags (“!”)",
      at: mark,
      remedy: "remove the tag, or put text that starts with “!” in quotes"
    )
  }

  /// Returns the error for a key that is a list or a map.
  func notAKey(_ mark: Mapping.Mark, isList: Bool) -> DecantError {
    mapping.mistake(
      "a key must be a name, not \(isList ? "a list" : "a map")",
      at: mark,
      remedy: "put text that starts with a bracket in quotes"
    )
  }

  /// Returns the error for content after the root value.
  func ended(_ mark: Mapping.Mark) -> DecantError {
    mapping.mistake(
      "unexpected content after the end of the \(mapping.word)",
      at: mark,
      remedy: "a file holds one \(mapping.word): check the brackets, and remove “---”"
    )
  }

  /// Returns the error for values that are nested too deeply.
  func tooDeep(_ mark: Mapping.Mark) -> DecantError {
    mapping.mistake(
      "lists and maps are nested too deeply",
      at: mark,
      remedy: "check the brackets and the indentation: six levels are enough"
    )
  }
}
