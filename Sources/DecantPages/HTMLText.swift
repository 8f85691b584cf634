/// Arbitrary text in a form that HTML can hold.
///
/// Characters with a meaning in HTML become references. Characters that no page may contain, such as NUL and other
/// controls, become U+FFFD, so nothing can end the surrounding element or value.
enum HTMLText {
  /// Returns `text` for use between tags.
  static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count + 16)
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      defer { isAfterReturn = scalar == "\r" }
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\t": result.unicodeScalars.append(scalar)
      case "\n": if !isAfterReturn { result += "\n" }
      case "\r", "\u{85}", "\u{2028}", "\u{2029}": result += "\n"
      case _ where isForbidden(scalar): result += "\u{fffd}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns `text` for use between tags, with names for invisible characters: controls, characters that change the
  /// direction of a line, and spaces without a width.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - marksLines: Whether line ends are made visible, too.
  /// - Returns: HTML.
  static func visible(_ text: String, marksLines: Bool = false) -> String {
    var result = ""
    var plain = String.UnicodeScalarView()
    func end() {
      result += escaped(String(plain))
      plain.removeAll(keepingCapacity: true)
    }
    let scalars = text.unicodeScalars
    for (place, scalar) in zip(scalars.indices, scalars) {
      switch scalar {
      case "\t": plain.append(scalar)
      case "\n":
        if marksLines { plain.append("↵") }
        plain.append(scalar)
      case "\r" where !marksLines && scalars[scalars.index(after: place)...].first == "\n": continue
      case _ where isForbidden(scalar) || isUnseen(scalar):
        end()
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "<span class=\"u\">U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)</span>"
      default: plain.append(scalar)
      }
    }
    end()
    return result
  }

  /// Whether the character has no width, and does not affect how others are written.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200b, 0x2028...0x202e, 0x2060...0x2069, 0xfeff: true
    default: false
    }
  }

  /// Returns `text` as the value of an attribute in double quotes: on one line, and without characters that change the
  /// direction of the following text.
  static func attribute(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0a, 0x0d, 0x85, 0x2028, 0x2029: line += " "
      case 0x202a...0x202e, 0x2066...0x2069, 0x200e, 0x200f, 0x061c: continue
      default: line.unicodeScalars.append(scalar)
      }
    }
    return escaped(line)
  }

  /// Returns `text` for use in plain text: with uniform line ends, and with visible controls.
  static func plain(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      defer { isAfterReturn = scalar == "\r" }
      switch scalar {
      case "\t": result += "\t"
      case "\n": if !isAfterReturn { result += "\n" }
      case "\r", "\u{85}", "\u{2028}", "\u{2029}": result += "\n"
      case _ where isForbidden(scalar): result += "\u{fffd}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether a page may not contain the character: controls, and noncharacters.
  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f...0x9f, 0xfdd0...0xfdef: true
    default: scalar.value & 0xfffe == 0xfffe
    }
  }

  /// Returns the paragraphs of `text`, which blank lines separate, as lists of lines.
  static func paragraphs(of text: String) -> [[Substring]] {
    var paragraphs: [[Substring]] = []
    var lines: [Substring] = []
    let isLineEnd: (Character) -> Bool = { $0.isNewline }
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: isLineEnd) {
      if line.allSatisfy(\.isWhitespace) {
        if !lines.isEmpty { paragraphs.append(lines) }
        lines = []
      } else {
        lines.append(line)
      }
    }
    if !lines.isEmpty { paragraphs.append(lines) }
    return paragraphs
  }

  /// Returns `text` if it is a web address that can be used as a link.
  static func address(_ text: String) -> String? {
    let start = text.prefix(8).lowercased()
    guard start.hasPrefix("http://") || start.hasPrefix("https://"), text.utf8.count < 2_000,
      text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7f })
        || text.unicodeScalars.allSatisfy({ $0.value > 0x20 && !$0.properties.isWhitespace })
    else { return nil }
    let bad: Set<Character> = ["<", ">", "\"", "'", "`", "\\", "{", "}", "|", "^"]
    guard !text.contains(where: bad.contains), !text.unicodeScalars.contains(where: isForbidden)
    else { return nil }
    return text
  }
}
