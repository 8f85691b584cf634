internal import DecantBase
package import DecantSQLite

/// A column of a table.
package struct ColumnSchema: Sendable, Hashable {
  /// The column's name, unquoted.
  package var name: String
  /// The type it was declared with, as it stands there; empty for none.
  package var declaredType: String
  /// What SQLite makes of its values, by that type.
  package var affinity: Affinity
  /// Whether it must not be empty.
  package var isRequired: Bool
  /// Whether the table computes it from others.
  package var isGenerated: Bool
  /// What a row gets that is written without a value for it, as the table's SQL has it: a literal or an expression.
  package var defaultValue: String?

  /// Whether a row may be written without a value for it.
  package var hasDefault: Bool { defaultValue != nil }
}

extension ColumnSchema {
  /// The value that a row gets where it has none, where that is a number or a text; `nil` for what is computed.
  var defaultLiteral: String? {
    guard let text = defaultValue else { return nil }
    let isLiteral =
      text.wholeMatch(of: /[+-]?[0-9]+(\.[0-9]+)?/) != nil
      || text.wholeMatch(of: /'([^']|'')*'/) != nil
    return isLiteral ? text : nil
  }

  /// What the column's values are meant to be; any may be something else.
  ///
  /// Dates and the like are what an app made of them, and so are texts here.
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
