internal import DecantBase
internal import DecantMapping
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The check that empty objects have all required values and links.
struct StubCheck {
  let stubs: MappedStubs
  let destination: any DestinationStore
  let connection: Connection

  /// Throws for the first missing attribute or link that an object's entity requires.
  ///
  /// - Parameter plan: The plan by which the objects are written; the ID table already contains them.
  /// - Throws: `DecantError` of the family `.failed`.
  func run(_ plan: CopyPlan) throws(DecantError) {
    guard let step = plan.steps.first(where: { $0.objectRoot == stubs.root }),
      let relation = destination.layout.relation(of: stubs.root)
    else { return }
    for entity in step.sourceEntities.isEmpty ? relation.entities : step.sourceEntities {
      let lineage = destination.model.lineage(of: entity.name)
      for column in relation.columns where !column.isGenerated {
        guard let property = required(column, lineage) else { continue }
        let values = step.assignments.filter { $0.column == column.name }.map(\.expression.uncounted.description)
        guard !values.isEmpty else { continue }
        try check(property, of: entity, step, "coalesce(\(values.joined(separator: ", ")), NULL)")
      }
    }
  }

  /// Returns the property in `column`, if an object with this lineage requires it.
  private func required(_ column: RelationColumn, _ lineage: [Entity]) -> Property? {
    switch column.columnRole {
    case .attribute(let property):
      let declaring = lineage.first { $0.name == property.entity }
      let attribute = declaring?.attributes.first { $0.name == property.name }
      guard let attribute, !attribute.isOptional, !attribute.isDerived else { return nil }
      return property
    case .target(let property):
      let declaring = lineage.first { $0.name == property.entity }
      let relationship = declaring?.relationships.first { $0.name == property.name }
      guard let relationship, !relationship.isOptional || column.isRequired else { return nil }
      return property
    case .key, .targetEntity, .position, .owner, .ownerPosition, .unnamed, .revision: return nil
    }
  }

  private func check(
    _ property: Property,
    of entity: Relation.EntityCode,
    _ step: CopyStep,
    _ value: String
  ) throws(DecantError) {
    let (count, first) = try explaining("cannot read empty objects of \(entity.name)") {
      () throws(SQLiteError) -> (Int64, Int64) in
      let rows = try connection.prepare(
        """
        SELECT count(*), min(r._id) FROM \(step.source) AS r
        WHERE r._id IN (SELECT \(MappedStubs.key) FROM \(stubs.table)
          WHERE \(MappedStubs.entity) = \(entity.code)) AND (\(value)) IS NULL
        """
      )
      return try rows.step() ? (rows.integer(at: 0), rows.integer(at: 1)) : (0, 0)
    }
    guard count > 0 else { return }
    let name = "\(entity.name).\(property.name)"
    throw DecantError(
      .linkBroken,
      "\(count.counted("empty object")) of \(entity.name) would be created as link targets, but \(name) requires "
        + "a value (missing: stub)",
      place: "\(entity.name) p\(first)\(count == 1 ? "" : " is the first")",
      remedy:
        "use null or reject for these links, or add \(property.name) to the identity of \(entity.name); an object that "
        + "the source does not have at all cannot be identified"
    )
  }
}
