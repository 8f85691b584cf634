internal import Decant

/// What SQLite makes of the values of a column, by the type it was declared with.
enum Affinity: Sendable {
  case integer, text, blob, real, numeric

  /// Reads a declared type as SQLite does.
  init(_ declaredType: String) {
    let type = declaredType.foldedName
    func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
    if has("int") {
      self = .integer
    } else if has("char", "clob", "text") {
      self = .text
    } else if type.isEmpty || has("blob") {
      self = .blob
    } else if has("real", "floa", "doub") {
      self = .real
    } else {
      self = .numeric
    }
  }
}

extension ColumnSchema {
  /// What the column's values are meant to be; any may be something else.
  ///
  /// Dates and the like are what an app made of them, and so are texts here.
  var attributeType: AttributeType {
    let type = declaredType.foldedName
    switch Affinity(declaredType) {
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
