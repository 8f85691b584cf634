internal import SQLite

/// The expressions that fill the columns of one table of the destination from one relation.
struct PlanExpressions {
  let source: SourceRelation
  let destination: Relation

  private var relation: Relation { source.relation }

  /// The key: mapped through the ID table.
  var key: CopyStep.Assignment {
    let expression = "id(\(relation.root.sqlText), r._id)"
    return CopyStep.Assignment(
      column: destination.keyColumn,
      expression: expression,
      proof: proof(expression, destination.keyColumn.sqlName, "its own key")
    )
  }

  /// The concrete entity: the source's code in the destination's numbers.
  ///
  /// A code that the model does not know stops the copy: what such an object is, nobody can tell.
  func entity() throws(DecantError) -> CopyStep.Assignment? {
    guard let column = destination.entityColumn else { return nil }
    let known = try codes(relation.entities)
    let expression =
      if relation.entityColumn == nil {
        known.first.map { "\($0.to)" } ?? "NULL"
      } else {
        "CASE r._entity \(known.cases)"
          + "ELSE no_entity(\(relation.root.sqlText), r._id, r._entity) END"
      }
    return CopyStep.Assignment(
      column: column,
      expression: expression,
      proof: proof(expression, column.sqlName, "its entity")
    )
  }

  /// What fills `column`, or `nil` where the source has nothing for it.
  func assignment(for column: RelationColumn, model: Model) -> CopyStep.Assignment? {
    guard let from = relation.column(column.meaning) else {
      return defaultValue(of: column, model: model)
    }
    let value = "r.\(source.name(of: column.meaning).sqlName)"
    let actual = destination.value(of: column)
    switch column.meaning {
    case .attribute(let property):
      return CopyStep.Assignment(
        column: column.name,
        expression: value,
        proof: from.isExternal || column.isExternal
          ? proof(
            "external('source', \(value))",
            "external('destination', \(actual))",
            property.name
          )
          : proof(value, actual, property.name, isNumeric: column.type?.isNumeric ?? false)
      )
    case .target(let property), .owner(let property):
      let root = (from.targetRoot ?? relation.root).sqlText
      return CopyStep.Assignment(
        column: column.name,
        expression: "id(\(root), \(value), \(property.description.sqlText))",
        proof: proof("id(\(root), \(value))", actual, property.name)
      )
    case .targetEntity(let property):
      guard let codes = try? codes(from.targetEntities) else { return nil }
      return withLink(.target(property), to: column, "CASE \(value) \(codes.cases)END", property)
    case .position(let property):
      return withLink(.target(property), to: column, value, property)
    case .ownerPosition(let property):
      return withLink(.owner(property), to: column, value, property)
    case .revision:
      return CopyStep.Assignment(column: column.name, expression: value, proof: nil)
    }
  }

  /// A column that is NULL unless the link it belongs to is copied.
  private func withLink(
    _ link: Meaning,
    to column: RelationColumn,
    _ value: String,
    _ property: Property
  ) -> CopyStep.Assignment? {
    guard let from = relation.column(link) else { return nil }
    let root = (from.targetRoot ?? relation.root).sqlText
    let key = "r.\(source.name(of: link).sqlName)"
    let expression = "CASE WHEN id(\(root), \(key)) IS NOT NULL THEN \(value) END"
    return CopyStep.Assignment(
      column: column.name,
      expression: expression,
      proof: proof(expression, destination.value(of: column), "the place of \(property.name)")
    )
  }

  /// A value for an attribute that only the destination has.
  private func defaultValue(of column: RelationColumn, model: Model) -> CopyStep.Assignment? {
    if column.meaning == .revision {
      return CopyStep.Assignment(column: column.name, expression: "1", proof: nil)
    }
    guard case .attribute(let property) = column.meaning,
      let attribute = model[property.entity]?.attributes.first(where: { $0.name == property.name }),
      let literal = attribute.defaultValue?.sqlLiteral
    else { return nil }
    var expression = literal
    if let codes = column.onlyIn {
      let names = destination.entities.filter { codes.contains($0.code) }.map(\.name)
      let sourceCodes = names.compactMap { relation.code(of: $0) }
      expression = "CASE WHEN r._entity IN (\(sourceCodes.list)) THEN \(literal) END"
    }
    return CopyStep.Assignment(column: column.name, expression: expression, proof: nil)
  }

  private func proof(
    _ expected: String,
    _ actual: String,
    _ property: String,
    isNumeric: Bool = false
  ) -> CopyStep.Proof {
    CopyStep.Proof(
      expected: expected,
      actual: actual,
      property: property,
      isNumeric: isNumeric
    )
  }

  private func codes(_ entities: [Relation.EntityCode]) throws(DecantError) -> CodePairs {
    var pairs = CodePairs()
    for entity in entities {
      guard let code = targetCodes[entity.name] ?? destination.code(of: entity.name) else {
        throw DecantError(.modelMismatch, "the destination has no entity \(entity.name)")
      }
      pairs.append((entity.code, code))
    }
    return pairs
  }

  /// The destination's numbers of the entities its links lead to.
  private var targetCodes: [String: Int64] {
    var codes: [String: Int64] = [:]
    for column in destination.columns {
      for entity in column.targetEntities { codes[entity.name] = entity.code }
    }
    return codes
  }
}

/// Codes of the source and the destination's codes for the same entities.
private typealias CodePairs = [(from: Int64, to: Int64)]

extension CodePairs {
  /// The pairs as the branches of a CASE.
  fileprivate var cases: String { map { "WHEN \($0.from) THEN \($0.to) " }.joined() }
}

extension AttributeType {
  /// Whether 1 and 1.0 are the same value of this type.
  var isNumeric: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .date: true
    case .undefined, .string, .binary, .uuid, .uri, .transformable, .objectID, .composite: false
    }
  }
}

extension Value {
  /// The value as an SQL literal, or `nil` for NULL.
  var sqlLiteral: String? {
    switch self {
    case .null: nil
    case .integer(let integer): "\(integer)"
    case .double(let double), .date(let double): double.isFinite ? "\(double)" : nil
    case .decimal(let text): text
    case .text(let text), .uri(let text): text.sqlText
    case .uuid(let bytes), .binary(let bytes): "x'" + bytes.map(\.hex).joined() + "'"
    }
  }
}

extension UInt8 {
  /// The byte as two hexadecimal digits.
  var hex: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}
