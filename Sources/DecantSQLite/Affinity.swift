/// What SQLite makes of the values of a column, by the type it was declared with.
///
/// By it values are turned into another kind as they are stored, and again as they are compared.
package enum Affinity: Sendable, Hashable {
  /// Numbers stay numbers, and texts that look like some become such.
  case integer, real, numeric
  /// Numbers become texts.
  case text
  /// Everything stays what it is.
  case blob

  /// Reads a declared type as SQLite does; in a strict table `ANY` leaves everything as it is.
  package init(_ declaredType: String, isStrict: Bool) {
    // Small letters and capitals are the same to SQLite within ASCII only.
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

  /// Whether values are compared as numbers where they can be.
  var isNumeric: Bool {
    switch self {
    case .integer, .real, .numeric: true
    case .text, .blob: false
    }
  }

  /// A declared type by which values are compared in the same way, and that has no other meaning.
  var comparedType: String {
    switch self {
    case .integer, .real, .numeric: "NUMERIC"
    case .text: "TEXT"
    case .blob: ""
    }
  }
}
