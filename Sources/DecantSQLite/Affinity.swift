/// The affinity of a column, from its declared type.
///
/// SQLite converts values by it when it stores them, and again when it compares them.
package enum Affinity: Sendable, Hashable {
  /// Numbers are kept, and texts that look like numbers are converted to numbers.
  case integer, real, numeric
  /// Numbers are converted to texts.
  case text
  /// Values are not converted.
  case blob

  /// Reads a declared type as SQLite does; in a strict table `ANY` converts nothing.
  package init(_ declaredType: String, isStrict: Bool) {
    // SQLite ignores case within ASCII only.
    let type = declaredType.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
    func has(_ words: String...) -> Bool { words.contains { type.contains($0.utf8) } }
    if isStrict, type.elementsEqual("any".utf8) {
      self = .blob
    } else if has("int") {
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

  /// Whether values are compared as numbers where possible.
  package var isNumeric: Bool {
    switch self {
    case .integer, .real, .numeric: true
    case .text, .blob: false
    }
  }

  /// A declared type with the same comparison rules and no other effect.
  var comparedType: String {
    switch self {
    case .integer, .real, .numeric: "NUMERIC"
    case .text: "TEXT"
    case .blob: ""
    }
  }
}
