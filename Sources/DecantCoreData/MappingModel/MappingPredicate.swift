/// A condition of a mapping model: the subset of Foundation's `NSPredicate` that decant supports.
package indirect enum MappingPredicate: Sendable, Hashable {
  /// All objects, or none.
  case constant(Bool)
  case and([MappingPredicate])
  case or([MappingPredicate])
  case not(MappingPredicate)
  case comparison(MappingExpression, Operator, MappingExpression)

  /// The operator of a comparison.
  package enum Operator: String, Sendable, Hashable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case isIn = "IN"
    case between = "BETWEEN"
  }
}
