/// A JSON value, with the members of an object in the order in which they should be read.
package indirect enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without a fraction, written in full; some readers are exact up to 2⁵³ only.
  case integer(Int64)
  /// A number with the fewest digits that restore it; infinite ones are written as `null`.
  case number(Double)
  /// Text; only quotes, backslashes and control characters are escaped.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// A value that is already JSON text, on one line.
  case raw(String)
  /// Members in order; the creator must make sure that no name occurs twice.
  case object([(String, JSONValue)])

  /// The value on one line.
  package var text: String {
    var text = ""
    write(to: &text, indentation: nil)
    return text
  }

  /// The value on several lines, each level indented by two spaces.
  package var indentedText: String {
    var text = ""
    write(to: &text, indentation: 0)
    return text
  }

  private func write(to text: inout String, indentation: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .integer(let integer): text += String(integer)
    // JSON cannot represent these.
    case .number(let number): text += number.isFinite ? "\(number)" : "null"
    case .string(let string): JSONValue.write(string, to: &text)
    case .raw(let written): text += written
    case .array(let values):
      JSONValue.write(values, in: ("[", "]"), to: &text, indentation) { value, text, inner in
        value.write(to: &text, indentation: inner)
      }
    case .object(let members):
      JSONValue.write(members, in: ("{", "}"), to: &text, indentation) { member, text, inner in
        JSONValue.write(member.0, to: &text)
        text += indentation == nil ? ":" : ": "
        member.1.write(to: &text, indentation: inner)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element],
    in brackets: (String, String),
    to text: inout String,
    _ indentation: Int?,
    _ writeElement: (Element, inout String, Int?) -> Void
  ) {
    text += brackets.0
    let inner = indentation.map { $0 + 2 }
    for (position, element) in elements.enumerated() {
      if position > 0 { text += "," }
      if let inner { text += "\n" + String(repeating: " ", count: inner) }
      writeElement(element, &text, inner)
    }
    if let indentation, !elements.isEmpty {
      text += "\n" + String(repeating: " ", count: indentation)
    }
    text += brackets.1
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    // Most texts are written as they are.
    guard string.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5c }) else {
      text += string
      text += "\""
      return
    }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
