/// Names of a model as Swift writes them.
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

  /// The names that a scope has already.
  private var taken: Set<String>

  /// - Parameter taken: Names that mean something else there.
  init(taken: Set<String> = []) { self.taken = taken }

  /// A type's name: the entity's, its letters and digits alone, beginning with a capital.
  mutating func type(_ name: String) -> String {
    let word = SwiftName.identifier(name)
    return claim(word.prefix(1).uppercased() + word.dropFirst())
  }

  /// A property's name, as the model writes it where Swift allows that.
  mutating func property(_ name: String) -> String { claim(SwiftName.identifier(name)) }

  private mutating func claim(_ name: String) -> String {
    var free = name
    var number = 2
    while !taken.insert(free).inserted {
      free = "\(name)\(number)"
      number += 1
    }
    // Members of these names mean something else however they are quoted.
    if ["self", "Self", "init", "Type", "Protocol"].contains(free) { return free + "_" }
    return SwiftName.keywords.contains(free) ? "`\(free)`" : free
  }

  /// The letters, digits and underscores of a name; others become underscores.
  private static func identifier(_ name: String) -> String {
    let letters = String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    return letters.isEmpty || letters.first?.isNumber == true ? "_" + letters : letters
  }
}

extension String {
  /// As a literal of Swift's.
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

  /// As a comment, which ends with its line.
  var commentText: String {
    String(map { $0.isNewline ? " " : $0 })
  }
}
