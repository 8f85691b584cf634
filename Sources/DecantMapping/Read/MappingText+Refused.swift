internal import DecantBase
internal import DecantPlan

/// What YAML has and a mapping does not.
extension MappingText {
  /// The error of an alias, an anchor, or a key marked with `?`: what begins at `mark` tells which.
  func aliased(_ mark: Mapping.Mark) -> DecantError {
    switch scalar(at: mark) {
    case "&":
      mapping.mistake(
        "“&” names a part of a file to be repeated, and a \(mapping.word) repeats none",
        at: mark,
        remedy: "write out what is meant; put a text that begins with “&” into quotes"
      )
    case "?":
      mapping.mistake(
        "a key or a text cannot begin with “?” here",
        at: mark,
        remedy: "leave the “?” away, or put the text into quotes"
      )
    default:
      mapping.mistake(
        "“*” repeats another part of a file, and a \(mapping.word) repeats none",
        at: mark,
        remedy: "write out what is meant; put a text that begins with “*” into quotes"
      )
    }
  }

  /// The error of a key that has another map merged in.
  func merged(_ mark: Mapping.Mark) -> DecantError {
    mapping.mistake(
      "“<<” puts another map in here, and a \(mapping.word) repeats none",
      at: mark,
      remedy: "write out what is meant"
    )
  }

  /// The error of a tag.
  func tagged(_ mark: Mapping.Mark) -> DecantError {
    mapping.mistake(
      "“!” names a type, and the values of a \(mapping.word) have none to choose",
      at: mark,
      remedy: "leave the tag away, or put a text that begins with “!” into quotes"
    )
  }

  /// The error of a key that is a list or a map.
  func notAKey(_ mark: Mapping.Mark, isList: Bool) -> DecantError {
    mapping.mistake(
      "a key is a name, this is \(isList ? "a list" : "a map")",
      at: mark,
      remedy: "put a text that begins with a bracket into quotes"
    )
  }

  /// The error of what follows the one value that a text is.
  func ended(_ mark: Mapping.Mark) -> DecantError {
    mapping.mistake(
      "the \(mapping.word) ended before this",
      at: mark,
      remedy: "a file holds one \(mapping.word): check the brackets, and leave “---” away"
    )
  }

  /// The error of values that lie too deep in each other.
  func tooDeep(_ mark: Mapping.Mark) -> DecantError {
    mapping.mistake(
      "lists and maps lie too deep in each other here",
      at: mark,
      remedy: "check the brackets and the indentation: six levels are enough"
    )
  }
}
