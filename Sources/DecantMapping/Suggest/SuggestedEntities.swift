internal import DecantBase
internal import DecantStore
internal import DecantVersions

/// Guesses which entities of two models are the same.
struct SuggestedEntities {
  let source: MappingResolver.ModelSide
  let destination: MappingResolver.ModelSide

  /// Returns pairs of entities in the destination's order; each entity is in at most one pair.
  func rules() -> [SuggestedRule] {
    var rules = destination.concreteEntities.filter(source.concreteEntities.contains)
      .map { SuggestedRule(entity: $0, source: $0) }
    add(&rules) { entity, other in
      entity.continues(other) ? (1, "the model gives this as its previous name") : nil
    }
    let names: (Entity, Entity) -> (NameLikeness, String)? = { entity, other in
      NameLikeness(entity.name, other.name).map { ($0, $0.reason) }
    }
    add(&rules, names)
    add(&rules, shape)
    let order = Dictionary(
      destination.concreteEntities.enumerated().map { ($1, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    return rules.sorted { order[$0.entity, default: 0] < order[$1.entity, default: 0] }
  }

  /// Adds the best pairs of the remaining entities.
  private func add<Likeness: Comparable>(
    _ rules: inout [SuggestedRule],
    _ likeness: (Entity, Entity) -> (Likeness, String)?
  ) {
    let left = destination.concreteEntities.filter { name in
      !rules.contains { $0.entity == name }
    }.compactMap { destination.model[$0] }
    let others = source.concreteEntities.filter { name in
      !rules.contains { $0.source == name }
    }.compactMap { source.model[$0] }
    var guesses: [Guess<Likeness>] = []
    for (index, entity) in left.enumerated() {
      for (otherIndex, other) in others.enumerated() where isFree(other) {
        guard let (likeness, _) = likeness(entity, other) else { continue }
        guesses.append(Guess(destination: index, source: otherIndex, likeness: likeness))
      }
    }
    for guess in Guess.best(of: guesses) {
      let (entity, other) = (left[guess.destination], others[guess.source])
      var rule = SuggestedRule(entity: entity.name, source: other.name)
      rule.comment = likeness(entity, other).map { "guess: \($0.1)" }
      rules.append(rule)
    }
  }

  /// Returns whether the entity's objects can be converted: those without an integer key can only be copied unchanged.
  private func isFree(_ entity: Entity) -> Bool {
    source.relation(of: entity.name)?.keyColumn != nil
  }

  /// Compares the names of their attributes: at least two, and half of all, must be equal.
  private func shape(_ entity: Entity, _ other: Entity) -> (Double, String)? {
    let mine = Set(destination.attributeNames(of: entity.name).map(NameLikeness.words))
    let theirs = Set(source.attributeNames(of: other.name).map(NameLikeness.words))
    let common = mine.intersection(theirs).count
    let share = Double(common) / Double(max(1, mine.union(theirs).count))
    guard common > 1, share >= 0.5 else { return nil }
    return (share, "\(common) of its attributes have the same names")
  }
}
