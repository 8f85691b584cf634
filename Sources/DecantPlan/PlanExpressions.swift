internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The expressions that fill the columns of one table of the destination from one relation.
///
/// Each is written twice, from the same role but not from the same text: for the copy on the relation `r`, for the
/// proof on the source's own columns. A mistake in the relation's names therefore shows as a difference.
struct PlanExpressions {
  let source: SourceRelation
  let destination: Relation
  /// The source's layout, for values stored elsewhere.
  let sourceLayout: Layout
  /// Whether two existing stores are compared, rather than a store with a copy that is being made.
  let isComparison: Bool

  var relation: Relation { source.relation }

  /// The way in which an expression reads the source.
  struct Reading {
    let key: String
    let entity: String?
    let value: (RelationColumn) -> String
    /// Whether links are counted when they are read.
    let counts: Bool
    /// The name of the row in a subquery, and its columns there.
    let row: String
    let outerValue: (RelationColumn) -> String
  }

  private var copying: Reading {
    Reading(
      key: relation.keyColumn == nil ? "NULL" : "r._id",
      entity: relation.entityColumn.map { _ in "r._entity" },
      value: { "r.\(source.name(of: $0).sqlName)" },
      counts: true,
      row: "r",
      outerValue: { "r.\(source.name(of: $0).sqlName)" }
    )
  }

  private var proving: Reading {
    Reading(
      key: relation.keyName,
      entity: relation.entityCode(),
      value: { relation.value(of: $0) },
      counts: false,
      row: relation.table.sqlName,
      outerValue: { relation.value(of: $0, in: relation.table.sqlName) }
    )
  }

  /// The key, mapped through the ID table; `nil` if objects have no integer key.
  var key: CopyStep.Assignment? {
    guard let column = destination.keyColumn, relation.keyColumn != nil else { return nil }
    let expression = { (reading: Reading) -> SQLExpression in
      "id(\(relation.root.sqlText), \(reading.key))"
    }
    var assignment = assignment(column, expression, actual: column.sqlName, property: "its own key")
    // If no column of the destination stores the entity, it must be checked here.
    if destination.entityColumn == nil, let entity = copying.entity {
      let codes = relation.entities.map(\.code)
      assignment.expression = """
        CASE WHEN \(entity) IN (\(codes.list)) THEN \(assignment.expression) \
        ELSE \(unknownEntity(copying, entity)) END
        """
    }
    return assignment
  }

  private func unknownEntity(_ reading: Reading, _ entity: String) -> String {
    "no_entity(\(relation.root.sqlText), \(reading.key), \(entity))"
  }

  /// Returns the assignment of the concrete entity: the source's code converted to the destination's.
  ///
  /// An unknown code stops the copy, as the nature of such an object is unknown.
  func entity() throws(DecantError) -> CopyStep.Assignment? {
    guard let column = destination.entityColumn else { return nil }
    let known = try codes(relation.entities)
    func choosing(_ reading: Reading, _ result: (Int64) -> String) -> String {
      guard let entity = reading.entity else { return known.first.map { result($0.to) } ?? "NULL" }
      let unknown = unknownEntity(reading, entity)
      return known.choosing(by: entity, otherwise: unknown, result)
    }
    var assignment = assignment(
      column,
      { SQLExpression(choosing($0) { "\($0)" }) },
      actual: destination.entityCode() ?? "NULL",
      property: "its entity"
    )
    if destination.namesEntities {
      let names = destination.entities
      let name = choosing(copying) { code in
        names.first { $0.code == code }?.name.sqlText ?? "NULL"
      }
      assignment.expression = SQLExpression(name)
    }
    return assignment
  }

  /// Returns the assignment of `column`, or `nil` if the source has no value for it.
  func assignment(for column: RelationColumn, model: Model) throws(DecantError) -> CopyStep.Assignment? {
    var assignment = try unreported(column, model)
    assignment?.columnRole = column.columnRole
    return assignment
  }

  private func unreported(_ column: RelationColumn, _ model: Model) throws(DecantError) -> CopyStep.Assignment? {
    guard !column.isGenerated else { return nil }
    guard let from = relation.column(column.columnRole) else {
      if let assignment = try lookedUp(column) { return assignment }
      return defaultValue(of: column, model: model)
    }
    let actual = destination.value(of: column)
    switch column.columnRole {
    case .attribute(let property):
      let conversion = ValueConversion(from: from, to: column, property: property.name, isComparison: isComparison)
      return CopyStep.Assignment(
        column: column.name,
        expression: SQLExpression(conversion.written(copying.value(from))),
        proof: CopyStep.Proof(
          expected: conversion.expected(proving.value(from)),
          actual: conversion.actual(actual),
          property: property.name,
          isNumeric: column.type?.isNumeric ?? false
        ),
        // The values of a column that may be a link are small.
        stream: column.isConditional ? nil : conversion.stream(relation, destination)
      )
    case .unnamed(let name):
      return assignment(column.name, { SQLExpression($0.value(from)) }, actual: actual, property: name)
    case .target(let property), .owner(let property):
      let keeps = from.keepsUnresolvedKeys && column.keepsUnresolvedKeys
      return assignment(
        column.name,
        { reading in
          SQLExpression(
            LinkExpression(
              function: keeps ? .link : .id,
              root: from.targetRoot ?? relation.root,
              key: reading.value(from),
              prefix: reading.counts ? column.keyPrefix : nil,
              counting: reading.counts ? property.description : nil
            )
          )
        },
        actual: actual,
        property: property.name
      )
    case .targetEntity(let property):
      let (known, there) = (try codes(from.targetEntities), column.targetEntities.map(\.code))
      return companion(
        of: .target(property),
        column,
        { known.choosing(by: $0.value(from), otherwise: "NULL") },
        // A number that is not an entity's code is not content.
        actual: there.map { ($0, $0) }.choosing(by: actual, otherwise: "NULL"),
        property: "the entity of \(property.name)"
      )
    case .position(let property):
      return companion(
        of: .target(property),
        column,
        { $0.value(from) },
        actual: actual,
        property: "the place in the list of \(property.name)"
      )
    case .ownerPosition(let property):
      return companion(
        of: .owner(property),
        column,
        { $0.value(from) },
        actual: actual,
        property: "the place in \(property)"
      )
    // The key has an assignment of its own.
    case .key: return nil
    case .revision:
      return CopyStep.Assignment(column: column.name, expression: SQLExpression(copying.value(from)), proof: nil)
    }
  }

  /// Returns the assignment of a companion column of a link: NULL unless the link is copied.
  private func companion(
    of link: ColumnRole,
    _ column: RelationColumn,
    _ value: (Reading) -> String,
    actual: String,
    property: String
  ) -> CopyStep.Assignment? {
    guard let from = relation.column(link), let there = destination.column(link) else { return nil }
    let root = (from.targetRoot ?? relation.root).sqlText
    return assignment(
      column.name,
      { "CASE WHEN id(\(root), \($0.value(from))) IS NOT NULL THEN \(value($0)) END" },
      actual: "CASE WHEN \(destination.value(of: there)) IS NOT NULL THEN \(actual) END",
      property: property
    )
  }

  /// Returns the default value of an attribute that only the destination has.
  private func defaultValue(of column: RelationColumn, model: Model) -> CopyStep.Assignment? {
    if column.columnRole == .revision {
      return CopyStep.Assignment(column: column.name, expression: "1", proof: nil)
    }
    guard case .attribute(let property) = column.columnRole,
      let attribute = model[property.entity]?.attributes.first(where: { $0.name == property.name }),
      let literal = attribute.defaultValue?.sqlLiteral
    else { return nil }
    var expression = literal
    if let codes = column.onlyIn {
      let names = destination.entities.filter { codes.contains($0.code) }.map(\.name)
      let sourceCodes = names.compactMap { relation.code(of: $0) }
      if let entity = copying.entity {
        expression = "CASE WHEN \(entity) IN (\(sourceCodes.list)) THEN \(literal) END"
      } else if sourceCodes.isEmpty {
        expression = "NULL"
      }
    }
    return CopyStep.Assignment(column: column.name, expression: SQLExpression(expression), proof: nil)
  }

  func assignment(
    _ column: String,
    _ expression: (Reading) -> SQLExpression,
    actual: String,
    property: String,
    isNumeric: Bool = false
  ) -> CopyStep.Assignment {
    CopyStep.Assignment(
      column: column,
      expression: expression(copying),
      proof: CopyStep.Proof(
        expected: expression(proving).description,
        actual: actual,
        property: property,
        isNumeric: isNumeric
      )
    )
  }

  func codes(_ entities: [Relation.EntityCode]) throws(DecantError) -> CodePairs {
    var pairs = CodePairs()
    for entity in entities {
      guard let code = targetCodes[entity.name] ?? destination.code(of: entity.name) else {
        throw DecantError(.modelsDiffer, "the destination has no \(destination.terms.entity) \(entity.name)")
      }
      pairs.append((entity.code, code))
    }
    return pairs
  }

  /// The destination's codes of the entities that its links lead to.
  private var targetCodes: [String: Int64] {
    var codes: [String: Int64] = [:]
    for column in destination.columns {
      for entity in column.targetEntities { codes[entity.name] = entity.code }
    }
    return codes
  }
}

/// Entity codes of the source with those of the destination.
typealias CodePairs = [(from: Int64, to: Int64)]

extension CodePairs {
  /// Returns SQL that converts `value`, a code of the source, to the `result` for the code of the destination.
  func choosing(by value: String, otherwise other: String, _ result: (Int64) -> String = { "\($0)" }) -> String {
    guard !isEmpty else { return other }
    let cases = map { "WHEN \($0.from) THEN \(result($0.to)) " }.joined()
    return "CASE \(value) \(cases)ELSE \(other) END"
  }
}
