package import DecantBase
package import DecantStore

/// The type of a column in PostgreSQL, of those that decant creates.
package enum ServerType: String, Sendable, Hashable, CaseIterable {
  case smallint, integer, bigint, boolean, numeric, text, uuid, bytea
  case double = "double precision"
  case timestamp = "timestamptz"

  /// Returns the type for the values of an attribute; `exactDates` stores dates as numbers.
  package init(_ type: AttributeType?, exactDates: Bool) {
    self =
      switch type {
      case .integer16: .smallint
      case .integer32: .integer
      case .integer64: .bigint
      case .boolean: .boolean
      case .double, .float: .double
      case .decimal: .numeric
      case .date: exactDates ? .double : .timestamp
      case .string, .uri: .text
      case .uuid: .uuid
      case .binary, .transformable, .undefined, .objectID, .composite: .bytea
      // This is a position in a list.
      case nil: .bigint
      }
  }

  /// The number of bytes that a value takes at least in a row.
  package var leastByteCount: Int64 {
    switch self {
    // Those of any length may be empty.
    case .boolean, .text, .bytea, .numeric: 1
    case .smallint: 2
    case .integer: 4
    case .bigint, .double, .timestamp: 8
    case .uuid: 16
    }
  }

  /// Common names of the types, other than the primary ones.
  private static let others: [(String, ServerType)] = [
    ("int2", .smallint), ("int", .integer), ("int4", .integer), ("int8", .bigint), ("bool", .boolean),
    ("decimal", .numeric), ("double", .double), ("float8", .double), ("timestamp with time zone", .timestamp),
  ]

  /// The names of all types.
  package static let spellings = allCases.map(\.rawValue)

  /// Finds a type by its name, in lower case.
  package init?(spelling: String) {
    guard let type = ServerType(rawValue: spelling) ?? ServerType.others.first(where: { $0.0 == spelling })?.1
    else { return nil }
    self = type
  }

  /// The type of values that a column of this type accepts.
  package var strictType: StrictType {
    switch self {
    case .smallint: .integer16
    case .integer: .integer32
    case .bigint: .integer64
    case .boolean: .boolean
    case .numeric: .decimal
    case .text: .text
    case .uuid: .uuid
    case .bytea: .bytes
    case .double: .double
    case .timestamp: .microseconds
    }
  }

  /// The microseconds from 2000-01-01, from which PostgreSQL counts, to 2001-01-01 UTC.
  package static let offset: Int64 = 31_622_400_000_000
}
