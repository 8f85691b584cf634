extension String {
  /// The text as a one-line YAML scalar that every parser reads as a string.
  package var yamlText: String {
    let isName =
      unicodeScalars.allSatisfy { scalar in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", ".": true
        default: false
        }
      } && first?.isLetter == true
    // Words that YAML 1.1 reads as true, false or null.
    let words: Set = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"]
    if isName, !words.contains(lowercased()) { return self }
    let needsEscapes = unicodeScalars.contains { $0.isEscaped }
    guard needsEscapes || contains("'") else { return "'\(self)'" }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case _ where scalar.isEscaped:
        let code = String(scalar.value, radix: 16, uppercase: true)
        text += "\\U" + String(repeating: "0", count: 8 - code.count) + code
      default: text.unicodeScalars.append(scalar)
      }
    }
    return "\"\(text)\""
  }

  /// The expression as a YAML scalar: numbers and NULL unquoted, anything else as in `yamlText`.
  package var yamlExpression: String {
    if self == "NULL" { return "null" }
    return !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } && count < 10
      ? self : yamlText
  }
}

extension String {
  /// The text as a one-line YAML comment, with unprintable characters replaced.
  package var yamlComment: String {
    var shown = ""
    for scalar in unicodeScalars {
      if scalar.isEscaped { shown.append("\u{FFFD}") } else { shown.unicodeScalars.append(scalar) }
    }
    return shown
  }
}

extension Unicode.Scalar {
  /// Whether it must be written as an escape: a control character, a line separator, or an unprintable character.
  fileprivate var isEscaped: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
    default: false
    }
  }
}
