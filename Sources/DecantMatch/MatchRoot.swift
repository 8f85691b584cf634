package import DecantBase
package import DecantPlan
package import DecantStore
internal import DecantSQLite

/// A root entity in both stores: its relations, its values and its identities.
package struct MatchRoot {
  /// The number of the root in functions and temporary tables.
  package let number: Int
  package let name: String
  package let relations: Sided<Relation>
  /// The step that would copy its objects, which contains every value for both sides.
  package let step: CopyStep
  /// The identities of its entities, by the entity's code in the destination.
  package private(set) var identities: [Int64: EntityIdentity]
  /// Further uniqueness constraints of the model, by the entity's code: the second of each entity, then the third, and
  /// so on; they pair objects that the identity does not.
  private(set) var furtherIdentities: [[Int64: EntityIdentity]] = []
  /// The identities by unique indexes with a condition, for objects that nothing else has paired.
  private(set) var lateIdentities: [[Int64: EntityIdentity]] = []
  /// The schemas of the attached stores.
  package let schemas: Sided<String>
  private let remake: (CopyStep) -> MatchRoot

  init(
    _ number: Int,
    _ step: CopyStep,
    _ relations: Sided<Relation>,
    _ model: Model,
    _ layouts: Sided<Layout>,
    schemas: Sided<String> = Sided { $0.schema },
    declared: [String: [String]] = [:]
  ) {
    self.number = number
    self.schemas = schemas
    remake = {
      MatchRoot(number, $0, relations, model, layouts, schemas: schemas, declared: declared)
    }
    self.step = step
    self.relations = relations
    name = relations.source.root
    var ranks: [[Int64: EntityIdentity]] = []
    for entity in relations.destination.entities {
      let all = EntityIdentity.all(
        of: entity.name,
        in: model,
        step,
        relations,
        layouts,
        schemas: schemas,
        declared: declared
      )
      for (rank, identity) in all.enumerated() {
        if rank == ranks.count { ranks.append([:]) }
        ranks[rank][entity.code] = identity
      }
    }
    identities = ranks.first ?? [:]
    furtherIdentities = Array(ranks.dropFirst())
    if let entity = relations.destination.entities.first, declared[entity.name] == nil {
      lateIdentities = EntityIdentity.partial(entity.name, in: model, step, relations, layouts, schemas: schemas)
        .map { [entity.code: $0] }
    }
  }

  /// Returns the root entities whose objects `plan` would copy, numbered from 0.
  package static func all(
    of plan: CopyPlan,
    _ model: Model,
    _ layouts: Sided<Layout>,
    schemas: Sided<String> = Sided { $0.schema },
    declared: [String: [String]] = [:]
  ) -> [MatchRoot] {
    var roots: [MatchRoot] = []
    for step in plan.steps {
      guard case .objects(let name) = step.kind, let here = layouts.source.relation(of: name),
        let there = layouts.destination.relation(of: name)
      else { continue }
      roots.append(
        MatchRoot(roots.count, step, Sided(here, there), model, layouts, schemas: schemas, declared: declared)
      )
    }
    return roots
  }

  /// Returns the table's SQL name.
  package func table(_ side: MatchSide) -> String {
    relations[side].sqlTable(in: schemas[side])
  }

  /// Returns the object's key as SQL.
  package func key(_ side: MatchSide) -> String { relations[side].keyName }

  /// Returns the code of the object's entity in the destination, as SQL.
  package func entity(_ side: MatchSide) -> String {
    let column = relations.destination.entityColumn
    let proof = step.assignments.first { column != nil && $0.column == column }?.proof
    guard let proof else { return "\(relations.destination.entities.first?.code ?? 0)" }
    return side == .source ? proof.expected : proof.actual
  }

  /// Returns the hash of the object's own values: its attributes and its entity.
  func ownHash(_ side: MatchSide) -> String { MixFunction.sql(ownValues(side)) }

  /// Returns the object's entity and own values, without those in `columns` of the destination.
  ///
  /// - Parameters:
  ///   - side: The store.
  ///   - columns: The omitted columns.
  ///   - hidden: The columns that are NULL for objects of some entities, with these entities' codes.
  /// - Returns: Expressions on the store's own table.
  func ownValues(
    _ side: MatchSide,
    without columns: Set<String> = [],
    hiding hidden: [String: [Int64]] = [:]
  ) -> [String] {
    [entity(side)] + ownProperties(side, without: columns, hiding: hidden).map(\.value)
  }

  /// Returns the same values without the entity, each with the role of its column.
  func ownProperties(
    _ side: MatchSide,
    without columns: Set<String> = [],
    hiding hidden: [String: [Int64]] = [:]
  ) -> [(columnRole: ColumnRole, value: String)] {
    var own = ownStep
    own.assignments.removeAll { columns.contains($0.column) || $0.proof == nil }
    let entity = entity(side)
    return zip(own.assignments, values(of: own, side)).compactMap { assignment, value in
      guard let column = relations.destination.column(of: assignment) else { return nil }
      let shown =
        hidden[assignment.column].map { codes in
          "CASE WHEN \(entity) IN (\(codes.list)) THEN NULL ELSE \(value) END"
        } ?? value
      return (column.columnRole, shown)
    }
  }

  /// Returns the hash of an object's identity, NULL if it has none; `nil` if no entity has one that `isWanted`.
  ///
  /// With `byEntity` objects of different entities have different hashes; with `others` those identities are used
  /// instead.
  package func identityHash(
    _ side: MatchSide,
    byEntity: Bool = false,
    of others: [Int64: EntityIdentity]? = nil,
    token: (EntityIdentity.Link) -> String = { _ in "NULL" },
    where isWanted: (EntityIdentity) -> Bool
  ) -> String? {
    let cases = (others ?? identities).filter { isWanted($0.value) }.sorted { $0.key < $1.key }
      .map { "WHEN \($0.key) THEN \($0.value.hash(side, byEntity: byEntity, token))" }
    return cases.isEmpty ? nil : "CASE \(entity(side)) \(cases.joined(separator: " ")) END"
  }

  /// Returns the values for comparing the similarity of objects: attributes that are not bytes of any length.
  func informativeValues(_ side: MatchSide, without columns: Set<String> = []) -> [String] {
    var informative = ownStep
    informative.assignments.removeAll {
      $0.stream != nil || $0.column == relations.destination.entityColumn || columns.contains($0.column.sqlName)
    }
    return values(of: informative, side)
  }

  /// The other root entities whose objects have the same keys as its own, which continue them in another table.
  package var continuedRoots: [String] {
    relations.source.columns.filter { $0.columnRole.isKey }.compactMap(\.targetRoot).filter { $0 != name }
  }

  /// Whether it has objects without identity.
  package var isKnownByContent: Bool {
    relations.destination.entities.contains { identities[$0.code] == nil }
  }

  /// Returns whether its objects have an identity that is unique across stores, such as a UUID.
  func isToldByKey(_ model: Model) -> Bool {
    identities.values.contains { identity in
      identity.attributes.contains { property in
        model[property.entity]?.attributes.first { $0.name == property.name }
          .map { $0.type == .uuid || $0.mayBeKey } ?? false
      }
    }
  }

  /// The root entity without identities, so that its objects are matched by content only.
  var withoutIdentities: MatchRoot {
    var root = self
    (root.identities, root.furtherIdentities) = ([:], [])
    return root
  }

  /// Returns the root entity with another step.
  package func replacing(_ change: (inout CopyStep) -> Void) -> MatchRoot {
    var changed = step
    change(&changed)
    return remake(changed)
  }

  private func values(of step: CopyStep, _ side: MatchSide) -> [String] {
    side == .source ? step.expectedValues : step.actualValues(in: schemas[side])
  }

  /// The step with only the values of the object itself.
  private var ownStep: CopyStep {
    var own = step
    own.assignments.removeAll { assignment in
      let column = relations.destination.column(of: assignment)
      return switch column?.columnRole {
      case .attribute, .unnamed: false
      case .key, .target, .targetEntity, .position, .owner, .ownerPosition, .revision, nil: true
      }
    }
    return own
  }
}
