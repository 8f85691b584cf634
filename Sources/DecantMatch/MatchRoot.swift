package import DecantBase
package import DecantPlan
package import DecantStore
internal import DecantSQLite

/// A root entity in both stores: where its objects are, what they hold, and what tells them apart.
package struct MatchRoot {
  /// By it functions and temporary tables know the root.
  package let number: Int
  package let name: String
  package let relations: Sided<Relation>
  /// The step that would copy its objects, in which every value is written for both sides.
  package let step: CopyStep
  /// What tells objects of an entity apart, by the entity's code in the destination.
  package private(set) var identities: [Int64: EntityIdentity]
  /// What else the model promises to be unique, by the entity's code; the first of each entity, then the second, and
  /// so on: it pairs objects that the identity does not.
  private(set) var furtherIdentities: [[Int64: EntityIdentity]] = []
  /// The names under which the stores are attached.
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
  }

  /// The root entities whose objects `plan` would copy, numbered from 0.
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

  /// The table as SQL names it.
  package func table(_ side: MatchSide) -> String {
    relations[side].sqlTable(in: schemas[side])
  }

  /// The object's key.
  package func key(_ side: MatchSide) -> String { relations[side].keyName }

  /// The code of the object's entity, in the destination's numbers.
  package func entity(_ side: MatchSide) -> String {
    let column = relations.destination.entityColumn
    let proof = step.assignments.first { column != nil && $0.column == column }?.proof
    guard let proof else { return "\(relations.destination.entities.first?.code ?? 0)" }
    return side == .source ? proof.expected : proof.actual
  }

  /// The hash of the object's own values: those of attributes, and its entity.
  func ownHash(_ side: MatchSide) -> String { MixFunction.sql(ownValues(side)) }

  /// The object's entity and own values, but for those in `columns` of the destination.
  ///
  /// - Parameters:
  ///   - side: The store.
  ///   - columns: Those left away.
  ///   - hidden: Those that are NULL here for objects of some entities, with these entities' codes.
  /// - Returns: Expressions over the store's own table.
  func ownValues(
    _ side: MatchSide,
    without columns: Set<String> = [],
    hiding hidden: [String: [Int64]] = [:]
  ) -> [String] {
    [entity(side)] + ownProperties(side, without: columns, hiding: hidden).map(\.value)
  }

  /// The same values without the entity, each with what its column stands for.
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

  /// The hash of an object's identity, NULL where it has none; `nil` where no entity has one that
  /// `isWanted`.
  ///
  /// With `byEntity` objects of different entities never have the same; with `others` it is taken of those instead.
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

  /// The values by which it is seen whether two objects resemble each other: those of attributes that
  /// are no bytes of any length.
  func tellingValues(_ side: MatchSide, without columns: Set<String> = []) -> [String] {
    var telling = ownStep
    telling.assignments.removeAll {
      $0.stream != nil || $0.column == relations.destination.entityColumn || columns.contains($0.column.sqlName)
    }
    return values(of: telling, side)
  }

  /// Whether it has objects without identity.
  package var isKnownByContent: Bool {
    relations.destination.entities.contains { identities[$0.code] == nil }
  }

  /// Whether its objects have an identity that no two stores give to different ones, such as a UUID.
  func isToldByKey(_ model: Model) -> Bool {
    identities.values.contains { identity in
      identity.attributes.contains { property in
        model[property.entity]?.attributes.first { $0.name == property.name }
          .map { $0.type == .uuid || $0.mayBeKey } ?? false
      }
    }
  }

  /// The root entity, its objects known by what they hold alone.
  var withoutIdentities: MatchRoot {
    var root = self
    (root.identities, root.furtherIdentities) = ([:], [])
    return root
  }

  /// The root entity with another step.
  package func replacing(_ change: (inout CopyStep) -> Void) -> MatchRoot {
    var changed = step
    change(&changed)
    return remake(changed)
  }

  private func values(of step: CopyStep, _ side: MatchSide) -> [String] {
    side == .source ? step.expectedValues : step.actualValues(in: schemas[side])
  }

  /// The step with nothing but the values that belong to the object alone.
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
