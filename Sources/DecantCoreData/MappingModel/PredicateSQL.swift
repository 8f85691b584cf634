internal import DecantBase
internal import DecantSQLite

/// Converts a predicate of a mapping model to the condition of a rule.
///
/// Only predicates with the same meaning in both are converted: those that Core Data itself evaluates in SQLite. Texts
/// are compared scalar by scalar, like `==` there; comparisons that order texts depend on the language of the device,
/// and are refused.
struct PredicateSQL {
  let terms: SourceTerms

  /// Returns the condition; `nil` if it selects all objects.
  func condition(_ predicate: MappingPredicate) throws(SourceTerms.Refusal) -> String? {
    predicate == .constant(true) ? nil : try sql(predicate)
  }

  private func sql(_ predicate: MappingPredicate) throws(SourceTerms.Refusal) -> String {
    switch predicate {
    case .constant(let isTrue): return isTrue ? "1" : "0"
    case .and(let parts): return try joined(parts, " AND ")
    case .or(let parts): return try joined(parts, " OR ")
    case .not(let inner):
      // Core Data leaves NULL under NOT to SQLite, and its versions differ in the result.
      guard try isNeverUnknown(inner) else {
        throw SourceTerms.Refusal("NOT applies to an attribute that may have no value")
      }
      return "NOT (\(try sql(inner)))"
    case .comparison(let left, let comparison, let right):
      let turned = try comparison.turned(left, right)
      return try sql(turned.names, turned.comparison, turned.value)
    }
  }

  private func joined(_ parts: [MappingPredicate], _ word: String) throws(SourceTerms.Refusal) -> String {
    var all: [String] = []
    for part in parts { all.append("(\(try sql(part)))") }
    return all.joined(separator: word)
  }

  private func sql(
    _ names: [String],
    _ comparison: MappingPredicate.Operator,
    _ value: MappingExpression
  ) throws(SourceTerms.Refusal) -> String {
    let term = try terms.term(names)
    if value == .constant(.null) {
      switch comparison {
      case .equal: return "\(term.sql) IS NULL"
      case .notEqual: return "\(term.sql) IS NOT NULL"
      default: throw SourceTerms.Refusal("only == and != are supported for null")
      }
    }
    guard case .attribute(let attribute) = term.end else {
      throw SourceTerms.Refusal("an object is compared with a value")
    }
    let type = attribute.type
    switch comparison {
    case .equal: return "\(term.sql) = \(try literal(value, type))"
    case .notEqual:
      guard names.count == 1 else {
        throw SourceTerms.Refusal("!= through a relationship is ambiguous for a missing object")
      }
      return "\(term.sql) <> \(try literal(value, type)) OR \(term.sql) IS NULL"
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard type != .string, type != .uri, type != .binary, type != .uuid else {
        throw SourceTerms.Refusal("the order of text depends on the language")
      }
      return "\(term.sql) \(comparison.rawValue) \(try literal(value, type))"
    case .beginsWith, .endsWith, .contains: return try part(term.sql, type, comparison, value)
    case .isIn:
      guard case .list(let elements) = value, !elements.isEmpty else {
        throw SourceTerms.Refusal("IN requires a list of constants")
      }
      var literals: [String] = []
      for element in elements { literals.append(try literal(element, type)) }
      return "\(term.sql) IN (\(literals.joined(separator: ", ")))"
    case .between:
      guard case .list(let bounds) = value, bounds.count == 2, type != .string else {
        throw SourceTerms.Refusal("BETWEEN requires two numbers or dates")
      }
      return
        "\(term.sql) BETWEEN \(try literal(bounds[0], type)) AND \(try literal(bounds[1], type))"
    }
  }

  private func part(
    _ sql: String,
    _ type: AttributeType,
    _ comparison: MappingPredicate.Operator,
    _ value: MappingExpression
  ) throws(SourceTerms.Refusal) -> String {
    guard type == .string, let text = value.text, !text.isEmpty else {
      throw SourceTerms.Refusal("\(comparison.rawValue) requires a text attribute and text")
    }
    let count = text.unicodeScalars.count
    let literal = try literal(value, type)
    return switch comparison {
    case .beginsWith: "substr(\(sql), 1, \(count)) = \(literal)"
    case .endsWith: "substr(\(sql), -\(count)) = \(literal)"
    default: "instr(\(sql), \(literal)) > 0"
    }
  }

  private func literal(_ value: MappingExpression, _ type: AttributeType) throws(SourceTerms.Refusal) -> String {
    guard case .constant(let constant) = value else {
      throw SourceTerms.Refusal("\(value) is not a constant")
    }
    return try SourceTerms.literal(constant, for: type)
  }

  /// Returns whether the predicate is true or false for every object, and never NULL.
  private func isNeverUnknown(_ predicate: MappingPredicate) throws(SourceTerms.Refusal) -> Bool {
    switch predicate {
    case .constant: return true
    case .and(let parts), .or(let parts):
      for part in parts {
        guard try isNeverUnknown(part) else { return false }
      }
      return true
    case .not(let inner): return try isNeverUnknown(inner)
    case .comparison(let left, let comparison, let right):
      let turned = try comparison.turned(left, right)
      if turned.value == .constant(.null) || comparison == .notEqual { return true }
      guard turned.names.count == 1,
        case .attribute(let attribute) = try terms.term(turned.names).end
      else { return false }
      return !attribute.isOptional
    }
  }
}

extension MappingPredicate.Operator {
  /// A comparison with the key path on the left.
  fileprivate struct Turned {
    let names: [String]
    let comparison: MappingPredicate.Operator
    let value: MappingExpression
  }

  fileprivate func turned(_ left: MappingExpression, _ right: MappingExpression) throws(SourceTerms.Refusal) -> Turned {
    if case .keyPath(of: .itself, let names) = left {
      return Turned(names: names, comparison: self, value: right)
    }
    guard case .keyPath(of: .itself, let names) = right, let mirrored else {
      throw SourceTerms.Refusal("\(left) \(rawValue) \(right) does not compare an attribute with a constant")
    }
    return Turned(names: names, comparison: mirrored, value: left)
  }

  private var mirrored: Self? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .beginsWith, .endsWith, .contains, .isIn, .between: nil
    }
  }
}
