package import DecantBase
internal import DecantPlan

/// Checks of the rules of a merge before anything is read.
extension MergeRules {
  /// Throws for a rule or an identity with a name that `model`, of the store at `place`, does not have.
  package func check(_ model: Model, place: String) throws(DecantError) {
    guard !needsBase || base != nil else {
      throw DecantError(
        .missingOption,
        "no common base of the two stores is given",
        place: "\(option: .merge, "three-way")",
        remedy:
          "pass the archive that was sent, or a backup from that time: \(say: .base) SENT.decant"
      )
    }
    guard duplicates != .merge else {
      throw DecantError(
        .unsuitableOption,
        "only recipes of files can be united, in a store that decant made of recipe files",
        place: "\(option: .duplicates, "merge")",
        remedy: "for other objects use \(say: .duplicates, "first"), last or keep-both"
      )
    }
    for entity in Set(rules.keys).union(identities.keys).union(withoutIdentity).sorted()
    where model[entity] == nil {
      throw DecantError(
        .unknownName,
        "there is no \(model.terms.entity) \(entity) in “\(place)”",
        place: rules[entity] == nil
          ? "\(option: .identity) \(entity): …" : "\(option: .merge) \(entity): …",
        remedy: "\(entity.remedy(among: model.entities.map(\.name), of: model.terms.entities))",
        remedies: [.correctName(entity, among: model.entities.map(\.name))]
      )
    }
    for (entity, names) in identities.sorted(by: { $0.key < $1.key }) {
      let links = model.relationships(of: entity).filter { !$0.isToMany && !$0.isTransient }
      let properties = MergeRules.attributeNames(of: entity, in: model) + links.map(\.name)
      for name in names where !properties.contains(name) {
        throw DecantError(
          .unknownName,
          "\(entity) has no \(model.terms.single) \(name)",
          place: places.identities[entity]?[name].map { "\($0)" }
            ?? "\(option: .identity) \(entity): \(names.joined(separator: ", "))",
          remedy: "\(name.remedy(among: properties, of: model.terms.singles))",
          remedies: [.correctName(name, among: properties)]
        )
      }
    }
    for (entity, rule) in rules.sorted(by: { $0.key < $1.key }) {
      let links = model.relationships(of: entity).filter { !$0.isToMany && !$0.isTransient }
      let names = MergeRules.attributeNames(of: entity, in: model) + links.map(\.name)
      for name in rule.keeps where !names.contains(name) {
        throw DecantError(
          .unknownName,
          "\(entity) has no \(model.terms.single) \(name) to keep",
          place: places.keeps[entity]?[name],
          remedy: name.remedy(among: names, of: model.terms.singles),
          remedies: [.correctName(name, among: names)]
        )
      }
    }
    try checkTimes(model)
  }

  /// Throws if a rule needs a modification time that does not exist.
  private func checkTimes(_ model: Model) throws(DecantError) {
    for (entity, rule) in rules.sorted(by: { $0.key < $1.key }) {
      guard let attribute = rule.attribute else { continue }
      let names = MergeRules.attributeNames(of: entity, in: model)
      let place: DecantError.Text =
        places.times[entity].map { "\($0)" }
        ?? "\(option: .merge) \(entity): newest by \(attribute)"
      guard names.contains(attribute) else {
        throw DecantError(
          .unknownName,
          "\(entity) has no \(model.terms.attribute) \(attribute)",
          place: place,
          remedy: "\(attribute.remedy(among: names, of: model.terms.attributes))",
          remedies: [.correctName(attribute, among: names)]
        )
      }
      guard !MergeRules.canTellTime(attribute, of: entity, in: model) else { continue }
      throw DecantError(
        .unsuitableOption,
        "\(entity).\(attribute) is neither a date nor a number, so it cannot be compared by time",
        place: place,
        remedy: "use an attribute that holds a time"
      )
    }
    for entity in model.entities where !entity.isAbstract {
      // The general rule applies where possible; objects without time are left unchanged.
      guard let own = model.lineage(of: entity.name).lazy.compactMap({ rules[$0.name] }).first,
        own.policy == .newest, time(of: entity.name, in: model) == nil
      else { continue }
      throw DecantError(
        .missingOption,
        "no \(model.terms.attribute) is known to hold the time when \(model.terms.anObject) of \(entity.name) was last changed",
        place: "\(option: .merge) \(entity.name): newest",
        remedy:
          "choose the \(model.terms.attribute): \(say: .merge) '\(entity.name): newest by …', one of "
          + "\(MergeRules.attributeNames(of: entity.name, in: model).joined(separator: ", "))"
      )
    }
    let hasTime = model.entities.contains { !$0.isAbstract && time(of: $0.name, in: model) != nil }
    guard rule.policy == .newest, !hasTime else { return }
    throw DecantError(
      .missingOption,
      "no \(model.terms.attribute) is known to hold the time when \(model.terms.anObject) was last changed",
      place: "\(option: .merge, "newest")",
      remedy:
        "choose the \(model.terms.attribute), \(model.terms.entity) by \(model.terms.entity): \(say: .merge) 'Recipe: newest by modifiedAt'"
    )
  }

  private static func attributeNames(of entity: String, in model: Model) -> [String] {
    model.attributes(of: entity).filter { !$0.isTransient }.map(\.name)
  }
}
