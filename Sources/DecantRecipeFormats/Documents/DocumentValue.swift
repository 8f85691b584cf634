internal import DecantBase
package import DecantJSON

/// A value of a JSON document written by another program; its long texts are in the spool.
package enum DocumentValue {
  case null
  case bool(Bool)
  /// The digits as they were written.
  case number(String)
  case text(DocumentText)
  case array([DocumentValue])
  /// Members in their order; of several with the same name, the last counts.
  case object([(String, DocumentValue)])

  /// The member `name` of an object; `nil` if it is missing or `null`.
  subscript(name: String) -> DocumentValue? {
    guard case .object(let members) = self,
      let value = members.last(where: { $0.0 == name })?.1
    else { return nil }
    if case .null = value { return nil }
    return value
  }

  /// The elements of an array; any other value except `null` counts as its own only element.
  var elements: [DocumentValue] {
    switch self {
    case .array(let elements): elements
    case .null: []
    default: [self]
    }
  }

  /// The members of an object; empty for any other value.
  package var members: [(String, DocumentValue)] {
    guard case .object(let members) = self else { return [] }
    return members
  }

  /// The text of a string, number or boolean as written; `nil` for anything else.
  var string: String? {
    get throws {
      switch self {
      case .text(let text): try text.string
      case .number(let digits): digits
      case .bool(let value): value ? "true" : "false"
      case .null, .array, .object: nil
      }
    }
  }

  /// The value of a number, or of a text that consists of nothing but a number.
  var double: Double? {
    switch self {
    case .number(let digits): Double(digits)
    case .text(.short(let text)): Double(text.trimmed)
    case .bool(let value): value ? 1 : 0
    default: nil
    }
  }

  /// The value of a boolean, or of something that represents one: 0 and 1, `true`, `True`, `yes`.
  var bool: Bool? {
    switch self {
    case .bool(let value): value
    case .number(let digits): Double(digits).map { $0 != 0 }
    case .text(.short(let text)):
      switch text.lowercased() {
      case "true", "yes", "1": true
      case "false", "no", "0", "": false
      default: nil
      }
    default: nil
    }
  }

  /// The same value in the type that decant's own writer uses: the form kept in `extra`.
  package var json: JSONValue {
    get throws {
      switch self {
      case .null: .null
      case .bool(let value): .bool(value)
      case .number(let digits):
        Int64(digits).map { .integer($0) } ?? Double(digits).map { .number($0) } ?? .string(digits)
      case .text(let text): .string(try text.string)
      case .array(let elements): .array(try elements.map { try $0.json })
      case .object(let members): .object(try members.map { ($0, try $1.json) })
      }
    }
  }
}
