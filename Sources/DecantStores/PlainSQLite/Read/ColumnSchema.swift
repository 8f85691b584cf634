internal import Decant
package import SQLite

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
  /// Whether a row may be written without a value for it.
  package var hasDefault: Bool
  /// Whether the table computes it from others.
  package var isGenerated: Bool
}

extension ColumnSchema {
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
