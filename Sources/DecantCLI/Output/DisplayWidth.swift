internal import DecantBase

extension String {
  /// The number of terminal columns that the text takes: two for East Asian wide characters and emoji, none for
  /// combining characters.
  var displayWidth: Int {
    // Most texts are plain ASCII, whose bytes can be counted.
    utf8.allSatisfy { (0x20...0x7e).contains($0) }
      ? utf8.count : reduce(0) { $0 + $1.displayWidth }
  }

  /// The text on one line, without terminal control characters; `↵` replaces a line end.
  var onOneLine: String {
    guard unicodeScalars.contains(where: \.isObeyed) else { return self }
    var text = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in unicodeScalars {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\n", "\r": text.append("↵")
      case "\t": text.append(" ")
      case _ where scalar.isObeyed: text.append("\u{FFFD}")
      default: text.append(scalar)
      }
      previous = scalar
    }
    return String(text)
  }

  /// Returns the text cut to `width` columns, with an ellipsis at the end if something was cut.
  func shortened(to width: Int) -> String {
    guard displayWidth > width else { return self }
    var text = ""
    var used = 0
    for character in self {
      guard used + character.displayWidth < width else { break }
      text.append(character)
      used += character.displayWidth
    }
    return text + "…"
  }
}

extension Character {
  /// The number of terminal columns that the character takes.
  var displayWidth: Int {
    // Several scalars may form one picture: people joined into a family, a flag of two letters.
    let isPicture = unicodeScalars.contains { scalar in
      scalar.properties.isEmojiPresentation || scalar == "\u{FE0F}"
    }
    return isPicture ? 2 : unicodeScalars.reduce(0) { $0 + $1.displayWidth }
  }
}

extension Unicode.Scalar {
  fileprivate var displayWidth: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    // The vowels and final consonants of Korean syllables share the square of the first letter.
    if (0x1160...0x11ff).contains(value) { return 0 }
    return Unicode.Scalar.wide.contains { $0.contains(value) } ? 2 : 1
  }

  /// The wide characters of Unicode's EastAsianWidth.txt (W and F) that are not emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x3247, 0x3250...0x4dbf,
    0x4e00...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19,
    0xfe30...0xfe6f, 0xff01...0xff60, 0xffe0...0xffe6, 0x16fe0...0x18d08, 0x1aff0...0x1b2fb,
    0x1f200...0x1f265, 0x20000...0x3fffd,
  ]
}
