/// Converts names of a model into Swift identifiers that are unique in a scope.
struct SwiftName {
  private static let keywords: Set<String> = [
    "Any",
    "actor", "as", "associatedtype", "async", "await", "break", "case", "catch", "class", "continue", "default",
    "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
    "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
    "protocol",
    "public", "repeat", "rethrows", "return", "self", "Self", "static", "struct", "subscript", "super", "switch",
    "throw",
    "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// The names already used in the scope.
  private var taken: Set<String>

  /// - Parameter taken: Names that already have a meaning in the scope.
  init(taken: Set<String> = []) { self.taken = taken }

  /// Returns a type name: the letters and digits of the entity's name, starting with a capital.
  mutating func type(_ name: String) -> String {
    let word = SwiftName.identifier(name)
    return claim(word.prefix(1).uppercased() + word.dropFirst())
  }

  /// Returns a property name, unchanged where Swift allows it.
  mutating func property(_ name: String) -> String { claim(SwiftName.identifier(name)) }

  private mutating func claim(_ name: String) -> String {
    var free = name
    var number = 2
    while !taken.insert(free).inserted {
      free = "\(name)\(number)"
      number += 1
    }
    // These member names have another meaning even in backticks.
    if ["self", "Self", "init", "Type", "Protocol"].contains(free) { return free + "_" }
    return SwiftName.keywords.contains(free) ? "`\(free)`" : free
  }

  /// Replaces every character of a name except letters, digits and underscores by an underscore.
  private static func identifier(_ name: String) -> String {
    let letters = String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    return letters.isEmpty || letters.first?.isNumber == true ? "_" + letters : letters
  }
}

extension String {
  /// The text as a Swift string literal.
  var swiftLiteral: String {
    let escaped = unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case _ where scalar.value < 32: text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return "\"\(escaped)\""
  }

  /// The text on one line, for a comment.
  var commentText: String {
    String(map { $0.isNewline ? " " : $0 })
  }
}
