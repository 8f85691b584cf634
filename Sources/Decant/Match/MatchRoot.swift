internal import SQLite

/// A root entity in both stores: where its objects are, what they hold, and what tells them apart.
struct MatchRoot {
  /// By it functions and temporary tables know the root.
  let number: Int
  let name: String
  let relations: Sided<Relation>
  /// The step that would copy its objects, in which every value is written for both sides.
  let step: CopyStep
  /// What tells objects of an entity apart, by the entity's code in the destination.
  let identities: [Int64: EntityIdentity]

  init(
    _ number: Int,
    _ step: CopyStep,
    _ relations: Sided<Relation>,
    _ model: Model,
    _ layouts: Sided<Layout>
  ) {
    self.number = number
    self.step = step
    self.relations = relations
    name = relations.source.root
    var identities: [Int64: EntityIdentity] = [:]
    for entity in relations.destination.entities {
      identities[entity.code] = EntityIdentity(of: entity.name, in: model, step, relations, layouts)
    }
    self.identities = identities
  }

  /// The table as SQL names it.
  func table(_ side: MatchSide) -> String {
    "\(side.schema.sqlName).\(relations[side].table.sqlName)"
  }

  /// The object's key.
  func key(_ side: MatchSide) -> String { relations[side].keyName }

  /// The code of the object's entity, in the destination's numbers.
  func entity(_ side: MatchSide) -> String {
    let column = relations.destination.entityColumn
    let proof = step.assignments.first { column != nil && $0.column == column }?.proof
    guard let proof else { return "\(relations.destination.entities.first?.code ?? 0)" }
    return side == .source ? proof.expected : proof.actual
  }

  /// The hash of the object's own values: those of attributes, and its entity.
  func ownHash(_ side: MatchSide) -> String {
    MixFunction.sql([entity(side)] + values(of: ownStep, side))
  }

  /// The hash of an object's identity, NULL where it has none; `nil` where no entity has one that
  /// `isWanted`.
  func identityHash(
    _ side: MatchSide,
    token: (EntityIdentity.Link) -> String = { _ in "NULL" },
    where isWanted: (EntityIdentity) -> Bool
  ) -> String? {
    let cases = identities.filter { isWanted($0.value) }.sorted { $0.key < $1.key }
      .map { "WHEN \($0.key) THEN \($0.value.hash(side, token))" }
    return cases.isEmpty ? nil : "CASE \(entity(side)) \(cases.joined(separator: " ")) END"
  }

  /// The values by which it is seen whether two objects resemble each other: those of attributes that
  /// are no bytes of any length.
  func tellingValues(_ side: MatchSide) -> [String] {
    var telling = ownStep
    telling.assignments.removeAll {
      $0.stream != nil || $0.column == relations.destination.entityColumn
    }
    return values(of: telling, side)
  }

  private func values(of step: CopyStep, _ side: MatchSide) -> [String] {
    side == .source ? step.expectedValues : step.actualValues(in: side.schema)
  }

  /// The step with nothing but the values that belong to the object alone.
  private var ownStep: CopyStep {
    var own = step
    own.assignments.removeAll { assignment in
      let column = relations.destination.columns.first { $0.name == assignment.column }
      return switch column?.meaning {
      case .attribute, .unnamed: false
      case .key, .target, .targetEntity, .position, .owner, .ownerPosition, .revision, nil: true
      }
    }
    return own
  }
}
