package import DecantBase
package import DecantStore
package import DecantSQLite

/// A builder of the plan of a copy, which matches the columns of source and destination by role.
package struct PlanBuilder {
  package let sourceModel: Model
  package let sourceLayout: Layout
  package let destinationModel: Model
  package let destinationLayout: Layout
  /// The schema of the attached source.
  package let sourceSchema: String
  /// The remedy for models that do not fit.
  package var misfitRemedy: DecantError.Text = "compare stores of the same model version"

  /// Whether only reached objects are copied: no tables without objects and links, and no links without ends.
  package var takesOnlyReached = false
  /// Whether two existing stores are compared, rather than a store with a copy that is being made.
  package var isComparison = false

  package init(
    sourceModel: Model,
    sourceLayout: Layout,
    destinationModel: Model,
    destinationLayout: Layout,
    sourceSchema: String,
    misfitRemedy: DecantError.Text = "compare stores of the same model version",
    takesOnlyReached: Bool = false,
    isComparison: Bool = false
  ) {
    (self.sourceModel, self.sourceLayout, self.destinationModel) = (sourceModel, sourceLayout, destinationModel)
    (self.destinationLayout, self.sourceSchema, self.misfitRemedy) = (destinationLayout, sourceSchema, misfitRemedy)
    (self.takesOnlyReached, self.isComparison) = (takesOnlyReached, isComparison)
  }

  /// Returns the plan, or throws everything that does not fit.
  package func plan(filters: [CopyPlan.EntityFilter]) throws(DecantError) -> CopyPlan {
    let misfits = ModelMisfits(from: sourceModel, to: destinationModel).all
    guard misfits.isEmpty else {
      throw DecantError(
        .modelsDiffer,
        "the models are incompatible: \(misfits[0])",
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
    for table in takesOnlyReached ? [] : sourceLayout.plainTables
    where destinationLayout.plainTables.contains(table) {
      steps.append(step(for: table))
    }
    let selective = selectiveRoots(filters)
    for index in steps.indices {
      if case .objects(let root) = steps[index].kind { steps[index].isSelective = selective.contains(root) }
    }
    return CopyPlan(
      steps: steps,
      filters: filters,
      secondEnds: sourceModel.secondEnds,
      unmatchedColumns: unmatchedColumns,
      singleOwners: sourceLayout.linkRelations.filter(isColumn)
    )
  }

  /// Returns whether the destination stores the links with their targets, as is possible for a to-many relationship
  /// without inverse.
  private func isColumn(_ links: LinkRelation) -> Bool {
    destinationLayout.relations.contains { $0.column(.owner(links.relationship)) != nil }
  }

  /// The links that the source stores with their targets, and the destination in a link table.
  private var ownedLinks: [LinkRelation] {
    sourceLayout.relations.flatMap { relation in
      relation.columns.compactMap { column -> LinkRelation? in
        guard case .owner(let property) = column.columnRole,
          destinationLayout.linkRelations.contains(where: { $0.relationship == property })
        else { return nil }
        return relation.links(
          in: column,
          as: property,
          inverse: nil,
          isOwner: true,
          position: relation.column(.ownerPosition(property))?.name
        )
      }
    }
  }

  /// The relations to copy, in the source's order; those that triggers write to come before those whose rows make them
  /// do so, as the keys that triggers use cannot be predicted.
  private var relationsInOrder: [Relation] {
    let wanted = sourceLayout.relations.map { relation in
      (relation, there: destinationLayout.relation(of: relation.root))
    }.filter { $0.there?.isFilledByTriggers != true }
    let depths = wanted.map { $0.there?.triggerDepth ?? 0 }
    return wanted.indices.sorted { (depths[$1], $0) < (depths[$0], $1) }.map { wanted[$0].0 }
  }

  /// The columns without property that only the source has.
  private var unmatchedColumns: [UnmatchedColumn] {
    sourceLayout.relations.flatMap { relation in
      relation.columns.compactMap { column in
        guard case .unnamed = column.columnRole,
          destinationLayout.relation(of: relation.root)?.column(column.columnRole) == nil
        else { return nil }
        return UnmatchedColumn(
          table: relation.sqlTable(in: sourceSchema),
          name: "\(relation.table).\(column.name)",
          column: column.name
        )
      }
    }
  }

  /// Asks servers for their spellings of the other store's values, before these are written or compared.
  ///
  /// - Parameter connection: The connection with both stores, the second one of a comparison as `destination`.
  /// - Throws: `DecantError` if a store cannot be read, or a server does not answer.
  package func learnSpellings(on connection: Connection) throws(DecantError) {
    for relation in sourceLayout.relations {
      guard let target = destinationLayout.relation(of: relation.root) else { continue }
      for column in target.columns {
        guard case .attribute = column.columnRole, let from = relation.column(column.columnRole) else { continue }
        let (own, other) = (column.spelling, from.spelling)
        if let spelling = isComparison ? own : column.encoding.unlimited.serverSpelling {
          try learn(spelling, from, of: relation, in: sourceSchema, on: connection)
        } else if isComparison, let other {
          try learn(other, column, of: target, in: CopySession.destination, on: connection)
        }
      }
    }
  }

  private func learn(
    _ spelling: ValueSpelling, _ column: RelationColumn, of relation: Relation, in schema: String,
    on connection: Connection
  ) throws(DecantError) {
    guard spelling.isAsked else { return }
    let value = column.encoding.decoding(relation.value(of: column))
    try spelling.learn(from: "SELECT \(value) FROM \(relation.sqlTable(in: schema))", on: connection)
  }

  private func step(for relation: Relation, _ filters: [CopyPlan.EntityFilter]) throws(DecantError) -> CopyStep {
    guard let target = destinationLayout.relation(of: relation.root) else {
      throw DecantError(
        .damaged, "the destination has no table for \(relation.root), although its model has this entity")
    }
    let source = SourceRelation(relation: relation, schema: sourceSchema)
    let expressions = PlanExpressions(
      source: source,
      destination: target,
      sourceLayout: sourceLayout,
      isComparison: isComparison
    )
    guard (relation.keyColumn == nil) == (target.keyColumn == nil) else {
      throw DecantError(
        .modelsDiffer,
        "the key of \(relation.root) is an integer in only one of the stores",
        remedy: misfitRemedy
      )
    }
    var assignments = [expressions.key].compactMap(\.self)
    if let entity = try expressions.entity() { assignments.append(entity) }
    for column in target.columns {
      if let assignment = try expressions.assignment(for: column, model: destinationModel) {
        assignments.append(assignment)
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
    step.relation = relation
    for link in sourceLayout.nonIntegerKeys + sourceLayout.partialLinks
    where link.root == relation.root && selectiveRoots(filters).contains(link.targetRoot) {
      step.empty(link, of: sourceLayout, schema: sourceSchema, filters)
    }
    step.leavesConflictsToTriggers = target.leavesConflictsToTriggers
    if relation.keyColumn == nil {
      step.filters = filters.filter { $0.root == relation.root }.map { "\($0.expression)\n" }
      step.isAnonymous = true
      // Its rows are identified by whole values.
      step.joinColumns(target)
    }
    return step
  }

  /// Returns the root entities of which some objects may be left out: by a condition, or because their key is a link to
  /// such an object.
  private func selectiveRoots(_ filters: [CopyPlan.EntityFilter]) -> Set<String> {
    var roots = Set(filters.map(\.root))
    var size = -1
    while size != roots.count {
      size = roots.count
      for relation in sourceLayout.relations
      where sourceLayout.keyLinks(of: relation).contains(where: { roots.contains($0.targetRoot) }) {
        roots.insert(relation.root)
      }
    }
    return roots
  }
}
