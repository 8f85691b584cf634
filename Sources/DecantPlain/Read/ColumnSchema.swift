internal import DecantBase
package import DecantSQLite

/// A column of a table.
package struct ColumnSchema: Sendable, Hashable {
  /// The name of the column, unquoted.
  package var name: String
  /// The declared type as written; empty if there is none.
  package var declaredType: String
  /// The affinity that SQLite derives from the declared type.
  package var affinity: Affinity
  /// Whether the column is NOT NULL.
  package var isRequired: Bool
  /// Whether it is a generated column.
  package var isGenerated: Bool
  /// The default value as in the table's SQL: a literal or an expression.
  package var defaultValue: String?

  /// Whether the column has a default value.
  package var hasDefault: Bool { defaultValue != nil }
}

extension ColumnSchema {
  /// The default value if it is a number or a text; `nil` if it is computed.
  package var defaultLiteral: String? {
    guard let text = defaultValue else { return nil }
    let isLiteral =
      text.wholeMatch(of: /[+-]?[0-9]+(\.[0-9]+)?/) != nil
      || text.wholeMatch(of: /'([^']|'')*'/) != nil
    return isLiteral ? text : nil
  }

  /// The type that the values are meant to have; any value may have another.
  ///
  /// Dates and the like have a form that the app chose, so they are texts here.
  var attributeType: AttributeType {
    let type = declaredType.foldedName
    switch affinity {
    case .integer: return .integer64
    case .text: return .string
    case .blob: return .binary
    case .real: return .double
    case .numeric:
      if type.hasPrefix("bool") { return .boolean }
      return type.hasPrefix("dec") || type.hasPrefix("num") ? .decimal : .string
    }
  }
}
