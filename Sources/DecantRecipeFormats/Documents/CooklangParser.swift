internal import DecantBase

/// A piece of a paragraph of Cooklang.
package enum CooklangPiece: Sendable, Hashable {
  case text(String)
  case ingredient(CooklangMark)
  case cookware(CooklangMark)
  case timer(CooklangMark)
  /// The text between `[-` and `-]`.
  case comment(String)
}

/// A mark introduced by `@`, `#` or `~`: `@&flour|white flour{1 1/2%cups}(sifted)`.
package struct CooklangMark: Sendable, Hashable {
  /// Signs after the first one: `&` for an ingredient that was named before, `?` for an optional one.
  var modifiers = ""
  /// Whether it refers to the result of a step or of a section: `@&(~1)dough{}`.
  var isResult = false
  var name = ""
  /// The text shown, if it differs from the name.
  var alias: String?
  var quantity = ""
  var unit = ""
  /// The words in parentheses after the mark.
  var note: String?
}

/// Splits a paragraph of Cooklang into text and marks.
///
/// A backslash removes the meaning of the sign after it; before a line end it preserves the line end.
package struct CooklangParser {
  private let characters: [Character]
  private var place = 0
  private var pieces: [CooklangPiece] = []
  private var text = ""
  /// Comments that begin before this place are known not to end.
  private var commentlessEnd = 0

  /// The maximum length of names, amounts and notes, in characters.
  private static let limit = 300

  /// Splits `paragraph`, whose lines end with line feeds, into its pieces.
  package static func pieces(_ paragraph: String) -> [CooklangPiece] {
    var parser = CooklangParser(characters: Array(paragraph))
    parser.parse()
    return parser.pieces
  }

  private init(characters: [Character]) { self.characters = characters }

  private mutating func parse() {
    while place < characters.count {
      let character = characters[place]
      switch character {
      case "\\": escape()
      case "\n":
        text.append(" ")
        place += 1
      case "-" where dashes(at: place) == 2 && (place == 0 || characters[place - 1] != "-"):
        while place < characters.count, characters[place] != "\n" { place += 1 }
      case "-":
        let count = dashes(at: place)
        text += String(repeating: "-", count: count)
        place += count
      case "[" where sign(place + 1) == "-":
        guard let end = endOfComment(place + 2) else {
          text.append(character)
          place += 1
          break
        }
        flush()
        pieces.append(.comment(String(characters[(place + 2)..<end])))
        place = end + 2
      case "@", "#", "~":
        if let (mark, end) = mark(character, place + 1) {
          flush()
          switch character {
          case "@": pieces.append(.ingredient(mark))
          case "#": pieces.append(.cookware(mark))
          default: pieces.append(.timer(mark))
          }
          place = end
        } else {
          text.append(character)
          place += 1
        }
      default:
        text.append(character)
        place += 1
      }
    }
    flush()
  }

  private mutating func flush() {
    if !text.isEmpty { pieces.append(.text(text)) }
    text = ""
  }

  private mutating func escape() {
    let next = sign(place + 1)
    if next == "\n" {
      text.append("\n")
      place += 2
    } else if let next, CooklangParser.isEscapable(next) {
      text.append(next)
      place += 2
    } else {
      text.append("\\")
      place += 1
    }
  }

  /// Whether a backslash before `character` is removed.
  static func isEscapable(_ character: Character) -> Bool {
    character.isASCII && (character.isPunctuation || character.isSymbol)
  }

  private func sign(_ place: Int) -> Character? {
    place < characters.count ? characters[place] : nil
  }

  private func dashes(at place: Int) -> Int {
    characters[place...].prefix { $0 == "-" }.count
  }

  private mutating func endOfComment(_ start: Int) -> Int? {
    guard start >= commentlessEnd else { return nil }
    var place = start
    while let character = sign(place), character != "\n" {
      if character == "-", sign(place + 1) == "]" { return place }
      place += 1
    }
    commentlessEnd = place
    return nil
  }

  // MARK: Marks

  /// Reads a mark whose name begins at `start`; returns `nil` where there is no mark.
  private func mark(_ kind: Character, _ start: Int) -> (CooklangMark, end: Int)? {
    var mark = CooklangMark()
    var place = start
    if kind != "~" {
      while let character = sign(place), "&?+-".contains(character) {
        mark.modifiers.append(character)
        place += 1
        if character == "&", sign(place) == "(",
          let end = characters[place...].prefix(CooklangParser.limit).firstIndex(of: ")")
        {
          place = end + 1
          mark.isResult = true
        }
      }
    }
    guard let first = sign(place), !first.isWhitespace else { return nil }
    if let brace = openingBrace(from: place), kind == "~" || brace > place,
      let (inside, end) = enclosed(brace, "}")
    {
      let name = CooklangParser.halves(Array(characters[place..<brace]), at: "|")
      mark.name = name.0
      mark.alias = name.1.isEmpty ? nil : name.1
      (mark.quantity, mark.unit) = CooklangParser.halves(inside, at: "%")
      guard kind == "~" || !mark.name.isEmpty else { return nil }
      if kind != "~", sign(end) == "(", let (note, behind) = enclosed(end, ")") {
        mark.note = CooklangParser.unescaped(note[...]).trimmed
        return (mark, behind)
      }
      return (mark, end)
    }
    // Without braces, the name is one word, or the whole path of another recipe.
    let isPath = kind == "@" && first == "."
    let end =
      characters[place...].firstIndex {
        $0.isWhitespace || (isPath ? "{}@#~,;".contains($0) : $0.isPunctuation || $0 == "|")
      } ?? characters.count
    guard end > place, characters[place] != "{" else { return nil }
    mark.name = String(characters[place..<end])
    return (mark, end)
  }

  /// Returns the place of the brace that ends a name of several words.
  private func openingBrace(from start: Int) -> Int? {
    var place = start
    while let character = sign(place), place - start <= CooklangParser.limit {
      switch character {
      case "\\": place += 1
      case "{": return place
      case "@", "#", "~", "\n", "}": return nil
      default: break
      }
      place += 1
    }
    return nil
  }

  /// Returns the text between the sign at `start` and `closing`, escapes included, and where it ends.
  private func enclosed(_ start: Int, _ closing: Character) -> ([Character], end: Int)? {
    var place = start + 1
    while let character = sign(place), place - start <= CooklangParser.limit {
      if character == "\\" {
        place += 2
        continue
      }
      if character == closing { return (Array(characters[(start + 1)..<place]), place + 1) }
      if character == "\n" && closing == "}" { return nil }
      place += 1
    }
    return nil
  }

  /// Returns the text before and after the first `sign`, without escapes.
  private static func halves(_ inside: [Character], at sign: Character) -> (String, String) {
    var place = 0
    while place < inside.count {
      if inside[place] == "\\" {
        place += 2
        continue
      }
      if inside[place] == sign {
        return (unescaped(inside[..<place]).trimmed, unescaped(inside[(place + 1)...]).trimmed)
      }
      place += 1
    }
    return (unescaped(inside[...]).trimmed, "")
  }

  /// Returns a text without the backslashes that remove the meaning of the sign after them.
  static func unescaped(_ text: String) -> String { unescaped(Array(text)[...]) }

  private static func unescaped(_ characters: ArraySlice<Character>) -> String {
    var text = ""
    var isEscaped = false
    for character in characters {
      if isEscaped {
        if !isEscapable(character) { text.append("\\") }
        text.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        text.append(character)
      }
    }
    return isEscaped ? text + "\\" : text
  }
}
