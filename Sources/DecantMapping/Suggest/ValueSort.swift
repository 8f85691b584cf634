internal import DecantBase

/// What values are for, whatever they are written as: guesses keep to it.
///
/// `opaque` ones are bytes that only the app reads.
enum ValueSort: Sendable, Hashable {
  case integer, real, boolean, date, text, uri, uuid, bytes, opaque, other
}

extension AttributeType {
  /// What values of this type are for.
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

  /// A value that says nothing, as SQL; `nil` where none is of this type but a made one.
  var neutralValue: String? {
    switch sort {
    case .integer, .real, .boolean, .date: "0"
    case .text, .uri, .other: "''"
    case .bytes, .opaque: "x''"
    case .uuid: nil
    }
  }

  /// `name`, a value of any type, as one of this type that is never refused; what does not fit says nothing.
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
