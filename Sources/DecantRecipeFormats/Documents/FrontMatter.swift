internal import DecantBase

/// The fields between lines of three dashes at the beginning of a text: the subset of YAML that people write there.
///
/// Values are texts and lists of texts; a nested field is named by both names with a dot between them.
package enum FrontMatter {
  /// A field: one text, or several.
  package struct Field: Sendable, Hashable {
    package var name: String
    package var values: [String]
    package var isList: Bool

    package init(name: String, values: [String], isList: Bool) {
      (self.name, self.values, self.isList) = (name, values, isList)
    }

    /// The text, or the texts of a list joined with commas.
    var text: String { values.joined(separator: ", ") }
  }

  /// Reads the lines between the dashes.
  package static func fields(_ lines: [String]) -> [Field] {
    var fields: [Field] = []
    var parent: String?
    var index = 0
    while index < lines.count {
      let line = lines[index]
      index += 1
      let text = line.trimmed
      guard !text.isEmpty, text.first != "#" else { continue }
      let isIndented = line.first == " " || line.first == "\t"
      if text == "-" || text.hasPrefix("- "), let name = parent {
        let value = scalar(text.dropFirst().trimmed)
        if let last = fields.indices.last, fields[last].name == name {
          fields[last].values.append(value)
          fields[last].isList = true
        } else {
          fields.append(Field(name: name, values: [value], isList: true))
        }
        continue
      }
      guard let (key, value) = parts(text) else { continue }
      let name = isIndented ? parent.map { "\($0).\(key)" } ?? key : key
      if !isIndented { parent = value.isEmpty ? key : nil }
      if value.isEmpty { continue }
      if let style = value.first, style == "|" || style == ">", value.count <= 2 {
        let depth = line.prefix { $0 == " " }.count
        var block: [String] = []
        while index < lines.count {
          let next = lines[index]
          guard next.trimmed.isEmpty || next.prefix(while: { $0 == " " }).count > depth
          else {
            break
          }
          block.append(next.trimmed)
          index += 1
        }
        let joined = block.joined(separator: style == "|" ? "\n" : " ").trimmed
        fields.append(Field(name: name, values: [joined], isList: false))
      } else if value.first == "[", value.last == "]" {
        let values = list(value.dropFirst().dropLast())
        fields.append(Field(name: name, values: values, isList: true))
      } else {
        fields.append(Field(name: name, values: [scalar(value)], isList: false))
      }
    }
    return fields
  }

  /// Writes a field on one line; the name must be plain.
  package static func line(_ field: Field) -> String {
    let values = field.values.map { written($0, isInList: field.isList) }
    let value = field.isList ? "[\(values.joined(separator: ", "))]" : values.first ?? ""
    return "\(isPlain(field.name, isInList: true) ? field.name : quoted(field.name)): \(value)"
  }

  /// Splits a line at its colon into name and value.
  private static func parts(_ text: String) -> (String, String)? {
    if text.first == "\"", let end = closingQuote(text[...]) {
      let rest = text[text.index(after: end)...].trimmed
      guard rest.first == ":" else { return nil }
      return (scalar(String(text[...end])), rest.dropFirst().trimmed)
    }
    guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else { return nil }
    return (text[..<colon].trimmed, text[text.index(after: colon)...].trimmed)
  }

  /// Returns the texts of a list in brackets.
  private static func list(_ inside: Substring) -> [String] {
    var values: [String] = []
    var rest = inside.drop { $0 == " " }
    while !rest.isEmpty {
      var value: Substring
      if rest.first == "\"", let end = closingQuote(rest) {
        value = rest[...end]
        rest = rest[rest.index(after: end)...]
        rest = rest.drop { $0 != "," }
      } else {
        value = rest.prefix { $0 != "," }
        rest = rest.dropFirst(value.count)
      }
      let text = scalar(value.trimmed)
      if !text.isEmpty { values.append(text) }
      rest = rest.dropFirst().drop { $0 == " " }
    }
    return values
  }

  /// Returns where the quote that `text` begins with is closed.
  private static func closingQuote(_ text: Substring) -> Substring.Index? {
    var isEscaped = false
    for index in text.indices.dropFirst() {
      if isEscaped {
        isEscaped = false
      } else if text[index] == "\\" {
        isEscaped = true
      } else if text[index] == "\"" {
        return index
      }
    }
    return nil
  }

  /// The text of a value, with or without quotes.
  private static func scalar(_ value: String) -> String {
    guard value.count >= 2, let first = value.first, value.last == first else { return value }
    let inside = value.dropFirst().dropLast()
    if first == "'" { return inside.components(of: "''").joined(separator: "'") }
    guard first == "\"" else { return value }
    var text = ""
    var iterator = inside.makeIterator()
    while let character = iterator.next() {
      guard character == "\\", let next = iterator.next() else {
        text.append(character)
        continue
      }
      switch next {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "r": text.append("\r")
      case "u":
        var digits = ""
        while digits.count < 4, let digit = iterator.next() { digits.append(digit) }
        if let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) {
          text.unicodeScalars.append(scalar)
        }
      default: text.append(next)
      }
    }
    return text
  }

  private static func written(_ value: String, isInList: Bool) -> String {
    isPlain(value, isInList: isInList) ? value : quoted(value)
  }

  private static func isPlain(_ value: String, isInList: Bool) -> Bool {
    guard let first = value.first, first.isLetter || first.isNumber, value == value.trimmed,
      !value.unicodeScalars.contains(where: { $0.properties.isGraphemeExtend || isHidden($0) }),
      !value.contains(where: { "\"'\\#{}[]|>\n\r\t".contains($0) || $0.isNewline }),
      !value.contains(":") || !isInList && !value.contains(": ") && value.last != ":"
    else { return false }
    let isWord = ["true", "false", "yes", "no", "null", "on", "off"].contains(value.lowercased())
    return !isWord && (!isInList || !value.contains(","))
  }

  /// Whether a scalar is a control character, or ends a line for some readers.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar == "\u{feff}"
    }
  }

  private static func quoted(_ value: String) -> String {
    var text = "\""
    var isBase = false
    for scalar in value.unicodeScalars {
      // A combining character would hide a sign of YAML by joining with it.
      let isJoined = scalar.properties.isGraphemeExtend && !isBase
      if isJoined || isHidden(scalar) && !"\n\r\t".unicodeScalars.contains(scalar),
        scalar.value <= 0xffff
      {
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        continue
      }
      isBase = scalar.properties.isAlphabetic
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
