internal import DecantBase
internal import DecantYAML

/// The fields between lines of three dashes at the beginning of a text, in YAML.
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
    guard case .map(let members) = YAMLValue(lines) else { return [] }
    return members.flatMap { fields($0.name, $0.value) }
  }

  /// The fields in a value: the members of a map, and the lists in a list, have names of their own.
  private static func fields(_ name: String, _ value: YAMLValue) -> [Field] {
    switch value {
    case .text(let text):
      return text.trimmed.isEmpty ? [] : [Field(name: name, values: [text.trimmed], isList: false)]
    case .map(let members): return members.flatMap { fields("\(name).\($0.name)", $0.value) }
    case .list(let items):
      var fields = [Field(name: name, values: [], isList: true)]
      for item in items {
        if case .map(let members) = item, members.count == 1, case .list = members[0].value {
          fields += self.fields("\(name).\(members[0].name)", members[0].value)
          fields.append(Field(name: name, values: [], isList: true))
        } else {
          fields[fields.count - 1].values.append(item.text.trimmed)
        }
      }
      for index in fields.indices { fields[index].values.removeAll(where: \.isEmpty) }
      return fields.filter { !$0.values.isEmpty }
    }
  }

  /// Writes a field on one line; the name must be plain.
  package static func line(_ field: Field) -> String {
    let values = field.values.map { written($0, isInList: field.isList) }
    let value = field.isList ? "[\(values.joined(separator: ", "))]" : values.first ?? ""
    return "\(isPlain(field.name, isInList: true) ? field.name : quoted(field.name)): \(value)"
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

  /// Whether a scalar is a control character or no character, or ends a line for some readers.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar == "\u{feff}" || scalar.properties.isNoncharacterCodePoint
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
