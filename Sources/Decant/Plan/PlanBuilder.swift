internal import SQLite

/// Makes the plan of a copy: matches the source's layout with the destination's, meaning by meaning.
struct PlanBuilder {
  let sourceModel: Model
  let sourceLayout: Layout
  let destinationModel: Model
  let destinationLayout: Layout
  /// The name under which the source is attached.
  let sourceSchema: String
  /// What to do about models that do not fit.
  var misfitRemedy = "copy into a new store, or into one of the same model version"

  /// Returns the plan, or says everything that does not fit.
  func plan(filters: [CopyPlan.EntityFilter]) throws(DecantError) -> CopyPlan {
    let misfits = ModelMisfits(from: sourceModel, to: destinationModel).all
    guard misfits.isEmpty else {
      throw DecantError(
        .modelMismatch,
        "the models do not fit: \(misfits[0])",
        place: misfits.count > 1 ? "and \(misfits.count - 1) more: \(misfits[1])" : nil,
        remedy: misfitRemedy
      )
    }
    var steps: [CopyStep] = []
    for relation in relationsInOrder {
      steps.append(try step(for: relation, filters))
    }
    for links in sourceLayout.linkRelations where !isColumn(links) {
      steps.append(try step(for: links))
    }
    for links in ownedLinks {
      steps.append(try step(for: links))
    }
    for table in sourceLayout.plainTables where destinationLayout.plainTables.contains(table) {
      steps.append(step(for: table))
    }
    let filteredRoots = Set(filters.map(\.root))
    for index in steps.indices {
      if case .objects(let root) = steps[index].kind {
        steps[index].isSelective = filteredRoots.contains(root)
      }
    }
    return CopyPlan(
      steps: steps,
      filters: filters,
      secondaryLinks: secondaryLinks,
      unmatchedColumns: unmatchedColumns,
      singleOwners: sourceLayout.linkRelations.filter(isColumn)
    )
  }

  /// Whether the destination keeps the links with the objects they lead to, as those of a to-many
  /// relationship without inverse can be.
  private func isColumn(_ links: LinkRelation) -> Bool {
    destinationLayout.relations.contains { $0.column(.owner(links.relationship)) != nil }
  }

  /// Links that the source keeps with the objects they lead to, and the destination in a table of
  /// their own.
  private var ownedLinks: [LinkRelation] {
    sourceLayout.relations.flatMap { relation in
      relation.columns.compactMap { column -> LinkRelation? in
        guard case .owner(let property) = column.meaning,
          destinationLayout.linkRelations.contains(where: { $0.relationship == property })
        else { return nil }
        var links = LinkRelation(
          relationship: property,
          inverse: nil,
          table: relation.table,
          ownerColumn: column.name,
          targetColumn: relation.keyColumn ?? "",
          ownerRoot: column.targetRoot ?? relation.root,
          targetRoot: relation.root,
          positionColumn: relation.column(.ownerPosition(property))?.name
        )
        links.condition = "\(relation.value(of: column)) IS NOT NULL"
        return links
      }
    }
  }

  /// What is copied, in the source's order; first what triggers would write to as well, as the keys
  /// they take cannot be foreseen.
  private var relationsInOrder: [Relation] {
    let wanted = sourceLayout.relations.map { relation in
      (relation, there: destinationLayout.relation(of: relation.root))
    }.filter { $0.there?.isFilledByTriggers != true }
    return wanted.filter { $0.there?.isWrittenByTriggers == true }.map(\.0)
      + wanted.filter { $0.there?.isWrittenByTriggers != true }.map(\.0)
  }

  /// The columns of no property that only the source has.
  private var unmatchedColumns: [UnmatchedColumn] {
    sourceLayout.relations.flatMap { relation in
      relation.columns.compactMap { column in
        guard case .unnamed = column.meaning,
          destinationLayout.relation(of: relation.root)?.column(column.meaning) == nil
        else { return nil }
        return UnmatchedColumn(
          table: "\(sourceSchema.sqlName).\(relation.table.sqlName)",
          name: "\(relation.table).\(column.name)",
          column: column.name
        )
      }
    }
  }

  private func step(for relation: Relation, _ filters: [CopyPlan.EntityFilter])
    throws(DecantError) -> CopyStep
  {
    guard let target = destinationLayout.relation(of: relation.root) else {
      throw DecantError(
        .corruptStore,
        "the destination has no table for \(relation.root), although its model names it"
      )
    }
    let source = SourceRelation(relation: relation, schema: sourceSchema)
    let expressions = PlanExpressions(
      source: source,
      destination: target,
      sourceLayout: sourceLayout
    )
    guard (relation.keyColumn == nil) == (target.keyColumn == nil) else {
      throw DecantError(
        .modelMismatch,
        "\(relation.root) has a key that is an integer in one of the stores only"
      )
    }
    var assignments = [expressions.key].compactMap(\.self)
    if let entity = try expressions.entity() { assignments.append(entity) }
    for column in target.columns {
      if let assignment = try expressions.assignment(for: column, model: destinationModel) {
        assignments.append(cut(assignment, from: relation, filters))
      }
    }
    var step = CopyStep(
      name: relation.root,
      kind: relation.stepKind,
      source: source.sql,
      sourceTable: source.table,
      sourceKey: relation.keyName,
      sourceEntityColumn: relation.entityCode(),
      sourceEntities: relation.entities,
      table: target.table,
      keyColumn: target.keyColumn ?? "",
      assignments: assignments
    )
    if relation.keyColumn == nil {
      step.filters = filters.filter { $0.root == relation.root }.map { "\($0.expression)\n" }
      step.isAnonymous = true
    }
    return step
  }

  /// Makes a value null where it leads to a row that a condition leaves out.
  private func cut(
    _ assignment: CopyStep.Assignment,
    from relation: Relation,
    _ filters: [CopyPlan.EntityFilter]
  ) -> CopyStep.Assignment {
    var assignment = assignment
    for link in sourceLayout.valueLinks
    where link.root == relation.root && link.columns.contains(assignment.column) {
      guard
        let targets = ValueLinkTargets(
          link,
          in: sourceLayout,
          schema: sourceSchema,
          filters: filters
        ), !targets.filters.isEmpty
      else { continue }
      let stays = { (outer: String) in
        "\(targets.isCopied(for: outer)) OR NOT \(targets.exists(for: outer))"
      }
      assignment.expression = "CASE WHEN \(stays("r")) THEN \(assignment.expression) END"
      if let expected = assignment.proof?.expected {
        let outer = relation.table.sqlName
        assignment.proof?.expected = "CASE WHEN \(stays(outer)) THEN \(expected) END"
      }
      assignment.stream = nil
    }
    return assignment
  }

  private func step(for links: LinkRelation) throws(DecantError) -> CopyStep {
    let candidates = destinationLayout.linkRelations.flatMap {
      [$0] + ($0.reversed.map { [$0] } ?? [])
    }
    guard let target = candidates.first(where: { $0.relationship == links.relationship }) else {
      throw DecantError(
        .modelMismatch,
        "the destination has no table for the links \(links.relationship)",
        remedy: "copy into a new store, or into one of the same model version"
      )
    }
    let keepsStrangers = links.keepsStrangers && target.keepsStrangers
    let function = keepsStrangers ? "link" : "id"
    func end(
      _ column: String,
      of sourceColumn: String,
      as name: String,
      root: String,
      counting: String
    ) -> CopyStep.Assignment {
      CopyStep.Assignment(
        column: column,
        expression: "\(function)(\(root.sqlText), r.\(name), \(counting.sqlText))",
        proof: CopyStep.Proof(
          expected: "\(function)(\(root.sqlText), \(sourceColumn.sqlName))",
          actual: column.sqlName,
          property: counting,
          isNumeric: false
        )
      )
    }
    let relationship = links.relationship.description
    var columns = [
      "\(links.ownerColumn.sqlName) AS _owner", "\(links.targetColumn.sqlName) AS _target",
    ]
    if let rowID = links.rowID {
      columns.insert("\(rowID) AS _id", at: 0)
    } else {
      columns += ["\(links.ownerColumn.sqlName) AS _k0", "\(links.targetColumn.sqlName) AS _k1"]
    }
    var assignments = [
      end(
        target.ownerColumn,
        of: links.ownerColumn,
        as: "_owner",
        root: links.ownerRoot,
        counting: relationship + " owner"
      ),
      end(
        target.targetColumn,
        of: links.targetColumn,
        as: "_target",
        root: links.targetRoot,
        counting: relationship
      ),
    ]
    let positions = [
      ("_position", links.positionColumn, target.positionColumn),
      ("_inversePosition", links.inversePositionColumn, target.inversePositionColumn),
    ]
    for case (let name, let from?, let to?) in positions {
      columns.append("\(from.sqlName) AS \(name)")
      assignments.append(
        CopyStep.Assignment(
          column: to,
          expression: "r.\(name)",
          proof: CopyStep.Proof(
            expected: from.sqlName,
            actual: to.sqlName,
            property: "the order of \(relationship)",
            isNumeric: false
          )
        )
      )
    }
    let table = "\(sourceSchema.sqlName).\(links.table.sqlName)"
    let conditions = links.condition.map { [$0] } ?? []
    var step = CopyStep(
      name: relationship,
      kind: .links(links),
      source: "(\(SelectStatement(columns: columns, source: table, conditions: conditions).sql))",
      sourceTable: table,
      sourceKey: links.rowID ?? "NULL",
      table: target.table,
      keyColumn: target.rowID ?? "",
      assignments: assignments
    )
    let ends = [
      (links.ownerColumn, "_owner", links.ownerRoot),
      (links.targetColumn, "_target", links.targetRoot),
    ]
    // An end that is missing in the source is a value like any other where strangers are.
    step.isAnonymous = keepsStrangers
    step.proofConditions =
      ends.map { column, _, root in
        (keepsStrangers ? "\(column.sqlName) IS NULL OR " : "")
          + "\(function)(\(root.sqlText), \(column.sqlName)) IS NOT NULL"
      } + conditions
    // Without rowids a row that lacks an end could not be found again to be taken out.
    if links.rowID == nil || target.rowID == nil || keepsStrangers {
      step.endConditions = ends.map { _, name, root in
        (keepsStrangers ? "r.\(name) IS NULL OR " : "")
          + "\(function)(\(root.sqlText), r.\(name)) IS NOT NULL"
      }
    }
    return step
  }

  private func step(for table: PlainTable) -> CopyStep {
    let qualified = "\(sourceSchema.sqlName).\(table.name.sqlName)"
    let key = table.rowID ?? "NULL"
    var select = SelectStatement(columns: ["\(key) AS _id"], source: qualified)
    // An app may rely on rowids, though a vacuum may change them: they are carried and not proven.
    var assignments = [table.rowID].compactMap(\.self).map {
      CopyStep.Assignment(column: $0, expression: "r._id")
    }
    for (position, column) in table.columns.enumerated() {
      select.columns.append("\(column.sqlName) AS _\(position)")
      assignments.append(
        CopyStep.Assignment(
          column: column,
          expression: "r._\(position)",
          proof: CopyStep.Proof(
            expected: column.sqlName,
            actual: column.sqlName,
            property: column,
            isNumeric: false
          )
        )
      )
    }
    return CopyStep(
      // An entity may have the same name.
      name: "table \(table.name)",
      kind: .rows(table),
      source: "(\(select.sql))",
      sourceTable: qualified,
      sourceKey: key,
      table: table.name,
      keyColumn: key,
      assignments: assignments
    )
  }

  /// One-to-one relationships are stored at both ends: the second of them in the model's order.
  private var secondaryLinks: Set<String> {
    var seen: Set<Property> = []
    var secondary: Set<String> = []
    for entity in sourceModel.entities {
      for relationship in entity.relationships where !relationship.isToMany {
        guard let inverse = sourceModel.inverse(of: relationship), !inverse.isToMany else {
          continue
        }
        let declaring = sourceModel.lineage(of: relationship.destination)
          .first { $0.relationships.contains { $0.name == inverse.name } }
        guard let declaring else { continue }
        let property = Property(entity.name, relationship.name)
        let other = Property(declaring.name, inverse.name)
        if seen.contains(other), other != property {
          secondary.insert(property.description)
        }
        seen.insert(property)
      }
    }
    return secondary
  }
}
