internal import DecantBase

/// Text that may be HTML or plain.
package enum PlainText {
  /// Returns `text` without tags and character references.
  ///
  /// Paragraphs, list items, rows, headings and `<br>` end a line; other tags are dropped, scripts with their content.
  /// Tags and references that were encoded twice are decoded as well. A `<` or `&` that begins neither is kept, and a
  /// text that contains neither is only trimmed.
  package static func of(_ text: String) -> String {
    var scalars = Array(text.unicodeScalars)
    // Text with three levels of encoding is not over-encoded, but text about HTML.
    for _ in 0..<3 where scalars.contains("<") || scalars.contains("&") {
      var reader = Reader(scalars: scalars)
      let plain = reader.read()
      if plain == scalars { break }
      scalars = plain
    }
    var plain = ""
    plain.unicodeScalars.append(contentsOf: scalars.lazy.map { $0 == "\u{a0}" ? " " : $0 })
    return InlineText.whole(plain).trimmed
  }

  /// Returns the lines of `text` as plain text, trimmed, without empty ones.
  static func lines(_ text: String) -> [String] {
    of(text).split(whereSeparator: \.isNewline).map(\.trimmed).filter { !$0.isEmpty }
  }

  private struct Reader {
    let scalars: [Unicode.Scalar]
    var place = 0
    var output: [Unicode.Scalar] = []
    /// Whether a tag has just ended a line, so that white space is ignored.
    var isBehindBreak = false
    /// The place of the next `>`, once it has been looked for.
    var nextClose = -1

    init(scalars: [Unicode.Scalar]) {
      self.scalars = scalars
      output.reserveCapacity(scalars.count)
    }

    mutating func read() -> [Unicode.Scalar] {
      while place < scalars.count {
        let scalar = scalars[place]
        if scalar == "<", takeTag() { continue }
        if scalar == "&", takeReference() { continue }
        place += 1
        if isBehindBreak, scalar.properties.isWhitespace { continue }
        append(scalar)
      }
      return output
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
      isBehindBreak = false
      output.append(scalar)
    }

    /// Takes a tag or a comment, if one begins here.
    private mutating func takeTag() -> Bool {
      if scalars[place...].starts(with: "<!--".unicodeScalars) {
        place = find("-->", from: place + 4).map { $0 + 3 } ?? scalars.count
        return true
      }
      var end = place + 1
      let isClosing = end < scalars.count && scalars[end] == "/"
      if isClosing { end += 1 }
      var name = ""
      while end < scalars.count, name.utf8.count < 12, scalars[end].isLetterOrDigit {
        name.unicodeScalars.append(scalars[end])
        end += 1
      }
      name = name.lowercased()
      guard PlainText.tags.contains(name), end < scalars.count,
        scalars[end] == ">" || scalars[end] == "/" || scalars[end].properties.isWhitespace,
        let close = close(from: end)
      else { return false }
      place = close + 1
      if !isClosing, name == "script" || name == "style" {
        place = find("</\(name)", from: place) ?? scalars.count
      } else if name == "br" {
        trimBlanks()
        output.append("\n")
        isBehindBreak = true
      } else if !isClosing, InlineText.isMarked(name) {
        append(InlineText.mark)
      } else if PlainText.blocks.contains(name) {
        trimBlanks()
        if let last = output.last, last != "\n" { output.append("\n") }
        isBehindBreak = true
      }
      return true
    }

    private mutating func trimBlanks() {
      while let last = output.last, last == " " || last == "\t" || last == "\u{a0}" {
        output.removeLast()
      }
    }

    /// Returns where the tag ends whose name ends at `start`; a `>` within quotes does not count, unless they are never
    /// closed.
    private mutating func close(from start: Int) -> Int? {
      var quote: Unicode.Scalar?
      for place in start..<min(scalars.count, start + 2048) {
        let scalar = scalars[place]
        if let open = quote {
          if scalar == open { quote = nil }
        } else if scalar == ">" {
          return place
        } else if scalar == "\"" || scalar == "'" {
          quote = scalar
        }
      }
      if nextClose < start {
        nextClose = scalars[start...].firstIndex(of: ">") ?? scalars.count
      }
      return nextClose < scalars.count ? nextClose : nil
    }

    private func find(_ text: String, from start: Int) -> Int? {
      let wanted = Array(text.unicodeScalars)
      var place = start
      while place + wanted.count <= scalars.count {
        if zip(scalars[place...], wanted).allSatisfy({
          $0.properties.lowercaseMapping == String($1)
        }) {
          return place
        }
        place += 1
      }
      return nil
    }

    /// Takes a character reference, if one begins here.
    private mutating func takeReference() -> Bool {
      guard let end = scalars[place...].prefix(34).firstIndex(of: ";"), end > place + 1 else {
        return false
      }
      let name = scalars[(place + 1)..<end]
      let meaning: [Unicode.Scalar]
      if name.first == "#" {
        guard let scalar = Self.numbered(name.dropFirst()) else { return false }
        meaning = [scalar]
      } else {
        var text = ""
        text.unicodeScalars.append(contentsOf: name)
        guard let scalar = PlainText.entities[text] else { return false }
        meaning = [scalar]
      }
      place = end + 1
      for scalar in meaning where !isBehindBreak || !scalar.properties.isWhitespace {
        append(scalar)
      }
      return true
    }

    private static func numbered(_ digits: ArraySlice<Unicode.Scalar>) -> Unicode.Scalar? {
      var text = ""
      text.unicodeScalars.append(contentsOf: digits)
      let isHex = text.first == "x" || text.first == "X"
      guard let number = isHex ? UInt32(text.dropFirst(), radix: 16) : UInt32(text), number > 0
      else {
        return nil
      }
      // As in browsers, these are numbers of Windows-1252.
      if 0x80...0x9f ~= number {
        return LenientUTF8.string([UInt8(number)]).unicodeScalars.first
      }
      return Unicode.Scalar(number) ?? "\u{fffd}"
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }
}

extension PlainText {
  private static func set(_ words: String) -> Set<String> {
    Set(words.split(separator: " ").map(String.init))
  }

  /// Elements that begin and end lines.
  fileprivate static let blocks = set(
    "p div li ul ol dl dt dd tr table tbody thead section article header footer h1 h2 h3 h4 h5 h6 hr blockquote pre"
  )

  /// All names that are recognized as tags.
  fileprivate static let tags = blocks.union(
    set(
      "a abbr b big br center cite code del em font i iframe img ins input kbd label mark noscript picture q s script "
        + "small source span strike strong style sub sup svg td th time tt u var video wbr html body head figure "
        + "figcaption meta link button form nobr o"
    )
  )

  /// The characters of named references.
  fileprivate static let entities: [String: Unicode.Scalar] = {
    var entities: [String: Unicode.Scalar] = [
      "amp": "&", "AMP": "&", "lt": "<", "LT": "<", "gt": ">", "GT": ">", "quot": "\"",
      "QUOT": "\"", "apos": "'",
      "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š", "Yuml": "Ÿ", "fnof": "ƒ",
      "circ": "ˆ", "tilde": "˜",
      "ensp": "\u{2002}", "emsp": "\u{2003}", "thinsp": "\u{2009}", "zwnj": "\u{200c}",
      "zwj": "\u{200d}",
      "lrm": "\u{200e}", "rlm": "\u{200f}", "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’",
      "sbquo": "‚",
      "ldquo": "“", "rdquo": "”", "bdquo": "„", "dagger": "†", "Dagger": "‡", "bull": "•",
      "hellip": "…",
      "permil": "‰", "prime": "′", "Prime": "″", "lsaquo": "‹", "rsaquo": "›", "frasl": "⁄",
      "euro": "€",
      "trade": "™", "larr": "←", "uarr": "↑", "rarr": "→", "darr": "↓", "harr": "↔", "minus": "−",
      "infin": "∞",
      "asymp": "≈", "ne": "≠", "le": "≤", "ge": "≥", "hearts": "♥", "star": "☆", "starf": "★",
      "check": "✓",
      "frac13": "⅓", "frac23": "⅔", "frac15": "⅕", "frac25": "⅖", "frac35": "⅗", "frac45": "⅘",
      "frac16": "⅙",
      "frac56": "⅚", "frac18": "⅛", "frac38": "⅜", "frac58": "⅝", "frac78": "⅞", "half": "½",
      "comma": ",",
      "period": ".", "colon": ":", "semi": ";", "excl": "!", "quest": "?", "num": "#",
      "dollar": "$", "percnt": "%",
      "lpar": "(", "rpar": ")", "ast": "*", "plus": "+", "sol": "/", "bsol": "\\", "equals": "=",
      "commat": "@",
      "lsqb": "[", "rsqb": "]", "lowbar": "_", "grave": "`", "verbar": "|", "hyphen": "‐",
      "NewLine": "\n",
      "Tab": "\t", "zeroWidthSpace": "\u{200b}", "deg": "°",
    ]
    // The names of the Latin-1 characters, in order.
    let latin = """
      nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
      micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring \
      AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml \
      times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
      egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash \
      ugrave uacute ucirc uuml yacute thorn yuml
      """
    for (position, name) in latin.split(separator: " ").enumerated() {
      entities[String(name)] = Unicode.Scalar(UInt8(0xa0 + position))
    }
    return entities
  }()
}

extension String {
  /// The text protected from readers that take it for HTML: with a space after each `<` that would begin a tag.
  package var withoutTags: String {
    guard contains("<"), PlainText.of(self) != trimmed else { return self }
    return replacing(/<(?=[\p{Alphabetic}\/!])/, with: "< ")
  }
}
