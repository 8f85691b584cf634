/// How SQLite turns one kind of value into another where a column is compared.
enum Affinity {
  /// Numbers stay numbers, and texts of digits become some.
  case numeric
  /// Numbers become texts.
  case text
  /// Everything stays what it is.
  case none

  /// The affinity that SQLite reads from a declared type.
  init(_ declaredType: String, isStrict: Bool) {
    let type = declaredType.uppercased()
    if isStrict, type == "ANY" {
      self = .none
    } else if type.contains("INT") {
      self = .numeric
    } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
      self = .text
    } else {
      self = type.isEmpty || type.contains("BLOB") ? .none : .numeric
    }
  }

  /// A declared type that has this affinity and no other meaning.
  var type: String {
    switch self {
    case .numeric: "NUMERIC"
    case .text: "TEXT"
    case .none: ""
    }
  }
}
