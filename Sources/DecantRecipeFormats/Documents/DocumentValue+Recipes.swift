internal import DecantBase
internal import DecantJSON

/// Helpers that the JSON formats share.
extension DocumentValue {
  /// Returns how many of `names` are names of members, whatever their values are.
  func count(of names: String...) -> Int {
    let members = members
    return names.count { name in members.contains { $0.0 == name } }
  }

  /// Whether there is a member of this name, even if it is `null`.
  func has(_ name: String) -> Bool { members.contains { $0.0 == name } }

  var isText: Bool { if case .text = self { true } else { false } }

  /// The trimmed text of the member `name`, with numbers as written; `nil` where it is empty.
  func text(_ name: String) throws -> String? {
    guard let text = try self[name]?.string?.trimmed, !text.isEmpty else { return nil }
    return text
  }

  /// The trimmed lines of a text that are not empty; an array of texts is a list of lines.
  func lines(_ name: String) throws -> [String] {
    try (self[name]?.elements ?? []).flatMap { element in
      try element.string?.filledLines ?? []
    }
  }

  /// A time as it was written.
  func time(_ name: String) throws -> RecipeTime? {
    RecipeTime(written: try text(name))
  }
}

extension Recipe {
  /// Keeps the members of `value` that are not in `known` and not empty.
  mutating func keep(_ value: DocumentValue, except known: Set<String>) throws {
    for (name, member) in value.members where !known.contains(name) {
      switch member {
      case .null: continue
      case .text(let text) where text.isEmpty: continue
      case .array(let elements) where elements.isEmpty: continue
      default: extra.append((name, try member.json))
      }
    }
  }
}
