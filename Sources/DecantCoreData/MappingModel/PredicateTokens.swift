/// The tokens of a predicate or an expression as Foundation writes them, each with its column.
struct PredicateTokens {
  enum Token: Hashable {
    /// A name or a keyword.
    case word(String)
    /// `$name`, without the dollar sign.
    case variable(String)
    case text(String)
    case number(String)
    case sign(String)
    case end
  }

  /// The tokens with their start columns, counted from 1; the last one is `end`.
  private(set) var tokens: [(token: Token, column: Int)] = []
  private let characters: [Unicode.Scalar]
  private var position = 0

  private static let doubled: Set<String> = [
    "==", "!=", "<>", "<=", ">=", "=<", "=>", "&&", "||", "**", ":=",
  ]

  init(_ text: String) throws(PredicateText.Mistake) {
    characters = Array(text.unicodeScalars)
    while let start = nextStart() {
      tokens.append((try token(), start + 1))
    }
    tokens.append((.end, characters.count + 1))
  }

  /// Skips white space; returns `nil` at the end.
  private mutating func nextStart() -> Int? {
    while position < characters.count, characters[position].properties.isWhitespace {
      position += 1
    }
    return position < characters.count ? position : nil
  }

  private mutating func token() throws(PredicateText.Mistake) -> Token {
    let first = characters[position]
    switch first {
    case "\"", "'": return .text(try text(in: first))
    case "$":
      position += 1
      let name = run(Self.isName)
      guard !name.isEmpty else {
        throw PredicateText.Mistake("no name follows the “$”", column: position)
      }
      return .variable(name)
    case _ where Self.isDigit(first): return .number(number())
    case _ where Self.isName(first) || first == "@" || first == "#":
      position += 1
      return .word(String(first) + run(Self.isName))
    default:
      let two = String(String.UnicodeScalarView(characters[position...].prefix(2)))
      let sign = Self.doubled.contains(two) ? two : String(first)
      position += sign.unicodeScalars.count
      return .sign(sign)
    }
  }

  private mutating func text(in quote: Unicode.Scalar) throws(PredicateText.Mistake) -> String {
    let start = position + 1
    var text = String.UnicodeScalarView()
    position += 1
    while position < characters.count, characters[position] != quote {
      if characters[position] == "\\", position + 1 < characters.count {
        position += 1
        switch characters[position] {
        case "n": text.append("\n")
        case "t": text.append("\t")
        case "r": text.append("\r")
        case "\\", "\"", "'": text.append(characters[position])
        default:
          throw PredicateText.Mistake("the text has an unknown escape", column: position)
        }
      } else {
        text.append(characters[position])
      }
      position += 1
    }
    guard position < characters.count else {
      throw PredicateText.Mistake("the string is not closed", column: start)
    }
    position += 1
    return String(text)
  }

  private mutating func number() -> String {
    var number = run(Self.isDigit)
    if position + 1 < characters.count, characters[position] == ".",
      Self.isDigit(characters[position + 1])
    {
      position += 1
      number += "." + run(Self.isDigit)
    }
    guard position < characters.count, ["e", "E"].contains(characters[position]) else {
      return number
    }
    let isSigned =
      position + 1 < characters.count && ["+", "-"].contains(characters[position + 1])
    let digits = position + (isSigned ? 2 : 1)
    guard digits < characters.count, Self.isDigit(characters[digits]) else { return number }
    number += "e" + (isSigned ? String(characters[position + 1]) : "")
    position = digits
    return number + run(Self.isDigit)
  }

  private mutating func run(_ isPart: (Unicode.Scalar) -> Bool) -> String {
    let start = position
    while position < characters.count, isPart(characters[position]) { position += 1 }
    return String(String.UnicodeScalarView(characters[start..<position]))
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || isDigit(scalar)
  }
}
