internal import DecantBase

/// The purpose of values regardless of their storage; guesses pair only equal sorts.
///
/// `opaque` values are bytes that only the app can read.
enum ValueSort: Sendable, Hashable {
  case integer, real, boolean, date, text, uri, uuid, bytes, opaque, other
}

extension AttributeType {
  /// The sort of values of this type.
  var sort: ValueSort {
    switch self {
    case .integer16, .integer32, .integer64: .integer
    case .decimal, .double, .float: .real
    case .boolean: .boolean
    case .date: .date
    case .string: .text
    case .uri: .uri
    case .uuid: .uuid
    case .binary: .bytes
    case .transformable: .opaque
    case .undefined, .objectID, .composite: .other
    }
  }

  /// The SQL of a neutral value; `nil` if the type needs a generated one.
  var neutralValue: String? {
    switch sort {
    case .integer, .real, .boolean, .date: "0"
    case .text, .uri, .other: "''"
    case .bytes, .opaque: "x''"
    case .uuid: nil
    }
  }

  /// Returns the SQL that forces `name`, a value of any type, into this type; values that do not fit become neutral
  /// ones.
  func forced(_ name: String) -> String? {
    switch self {
    case .integer16: "max(-32768, min(32767, CAST(\(name) AS INTEGER)))"
    case .integer32: "max(-2147483648, min(2147483647, CAST(\(name) AS INTEGER)))"
    case .integer64: "CAST(\(name) AS INTEGER)"
    case .boolean: "CAST(\(name) AS INTEGER) <> 0"
    case .decimal, .double, .float: "CAST(\(name) AS REAL)"
    case .string, .uri: "CASE WHEN typeof(\(name)) <> 'blob' THEN \(name) END"
    case .binary: "CAST(\(name) AS BLOB)"
    case .date, .uuid, .transformable, .undefined, .objectID, .composite: nil
    }
  }
}
