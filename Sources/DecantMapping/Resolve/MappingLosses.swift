internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// Looks for what a mapping would lose: entities that become nothing, attributes and links nothing is made of.
struct MappingLosses {
  let resolver: MappingResolver
  let roots: [MappedRoot]
  let links: [MappedLinks]

  private var source: MappingResolver.ModelSide { resolver.source }
  private var mapping: Mapping { resolver.mapping }

  /// Throws for the first of what is lost without being named, where the contract freezes.
  func check() throws(DecantError) {
    if mapping.contract.entities == .freeze, let entity = entities.first {
      throw mapping.mistake(
        "\(entity) of “\(source.place)” is not mapped\(others(entities))",
        at: .start,
        remedy: "map it (entities: { NAME: { from: \(entity) } }), or discard it: "
          + "contract: { entities: discard }"
      )
    }
    let lost = lost.filter { !isLetGo($0.property) }
    if mapping.contract.attributes == .freeze, let first = lost.first {
      let (property, part) = (first.property, first.part)
      // Something else under its name hides that it is lost.
      let hiding = part.rule?.maker(of: property.name)
      throw mapping.mistake(
        "\(property) of “\(source.place)” is not mapped\(hiding == nil ? "" : ": its name gets another value")"
          + others(lost.map(\.property).withoutRepeats.map(\.description)),
        at: hiding?.mark ?? part.rule?.name.mark ?? .start,
        remedy: "map it under set:, or discard it: "
          + "\(part.entity): { drop: [\(property.name)] }"
      )
    }
  }

  /// Names what is lost beside the first, ten at the most.
  private func others(_ names: [String]) -> String {
    let others = names.dropFirst()
    let hidden = others.count - 10
    let told = others.prefix(10).joined(separator: ", ")
    guard !others.isEmpty else { return "" }
    return "; nor \(others.count == 1 ? "is" : "are") \(told)"
      + (hidden > 0 ? ", and \(hidden) more" : "")
  }

  /// The concrete entities of the source of which nothing is made.
  var entities: [String] {
    let used = Set(roots.flatMap(\.parts).map(\.source))
    return source.concreteEntities.filter { !used.contains($0) }
  }

  /// What objects hold and nothing is made of, without what the file drops by name.
  var properties: [Property] { lost.map(\.property).withoutRepeats }

  /// What objects of an entity of the source hold and nothing is made of.
  struct Loss {
    let property: Property
    /// What is made of the objects and does not speak of the property; never empty.
    let silent: [MappedPart]

    /// Where it is to be told: best where its name gets something else.
    var part: MappedPart { silent.first { $0.rule?.maker(of: property.name) != nil } ?? silent[0] }
  }

  /// What is lost, by entity of the source.
  var lost: [Loss] {
    let parts = roots.flatMap(\.parts)
    var linked = Set(links.flatMap(\.sources).flatMap { [$0.relationship, $0.inverse].compactMap(\.self) })
    for value in parts.flatMap(\.values.values) {
      // Of which end they are read makes no difference.
      if case .link(.paired(let property, _), _, _, _) = value { linked.insert(property) }
    }
    // A link to many may be kept with what it leads to, and made use of there.
    let used = parts.reduce(into: linked) { $0.formUnion($1.used) }
    return source.concreteEntities.flatMap { entity -> [Loss] in
      let own = parts.filter { $0.source == entity }
      return stored(of: entity).compactMap { property in
        if linked.contains(property) { return nil }
        if isToMany(property), used.contains(property) { return nil }
        let silent = own.filter { !speaks($0, of: property, used) }
        guard !silent.isEmpty, !isSpokenOf(by: own, silent) else { return nil }
        return Loss(property: property, silent: silent)
      }
    }
  }

  /// Whether a part makes something of a property, or lets it go by name.
  private func speaks(_ part: MappedPart, of property: Property, _ used: Set<Property>) -> Bool {
    part.used.contains(property) || part.letGo.contains(property.name)
      || isKeptFromTheOtherEnd(property, used, isDisplaced: part.displaced.contains(property.name))
  }

  /// Whether every object of an entity is in a part that speaks of a property.
  ///
  /// - Parameters:
  ///   - own: The parts that are made of the entity's objects.
  ///   - silent: Those of them that do not.
  /// - Returns: Whether one part takes all objects and speaks of it, or all parts of one entity do.
  private func isSpokenOf(by own: [MappedPart], _ silent: [MappedPart]) -> Bool {
    // What is made of some of the objects alone is no home for what the others hold.
    own.contains { part in
      !silent.contains(part)
        && (part.condition == nil || !silent.contains { $0.entity == part.entity })
    }
  }

  private func isToMany(_ property: Property) -> Bool {
    source.relationship(property.name, of: property.entity)?.1.isToMany ?? false
  }

  /// The attributes and relationships of which the store holds something, of `entity`.
  private func stored(of entity: String) -> [Property] {
    let lineage = source.lineage(of: entity)
    let attributes = (source.relation(of: entity)?.columns ?? []).compactMap {
      column -> Property? in
      guard case .attribute(let property) = column.columnRole, lineage.contains(property.entity) else {
        return nil
      }
      return property
    }
    let relationships = source.relationshipNames(of: entity).compactMap {
      source.relationship($0, of: entity)
    }
    // A link by values is held by attributes.
    let byValues = Set(source.layout.nonIntegerKeys.map(\.relationship))
    let stored = relationships.filter { declared, found in
      !byValues.contains(declared)
        && !(source.inverse(of: found).map { byValues.contains($0.declared) } ?? false)
    }
    return attributes + stored.map(\.declared)
  }

  /// Whether links are taken along where the other direction is.
  ///
  /// - Parameters:
  ///   - property: The relationship of the source.
  ///   - used: What something is made of.
  ///   - isDisplaced: Whether its own name gets something else, so that the other direction cannot stand for it.
  /// - Returns: Whether nothing is to be said of it.
  private func isKeptFromTheOtherEnd(_ property: Property, _ used: Set<Property>, isDisplaced: Bool) -> Bool {
    guard let (_, relationship) = source.relationship(property.name, of: property.entity),
      let (inverse, _) = source.inverse(of: relationship)
    else { return false }
    if used.contains(inverse) { return true }
    // Dropped or said anew in one direction, links are in both.
    return roots.flatMap(\.parts).contains { part in
      guard let rule = part.rule, source.lineage(of: part.source).contains(inverse.entity) else {
        return false
      }
      return rule.dropped.contains { $0.text == inverse.name }
        || !isDisplaced && rule.settings.contains { $0.property.text == inverse.name }
    }
  }

  /// Whether it is a link to objects that the file lets become nothing; then it is reported, and no mistake.
  private func isLetGo(_ property: Property) -> Bool {
    guard mapping.contract.entities == .discard,
      let (_, relationship) = source.relationship(property.name, of: property.entity)
    else { return false }
    let targets = source.model.family(of: relationship.destination).map(\.name)
    let lost = Set(entities)
    return !targets.contains { source.concreteEntities.contains($0) && !lost.contains($0) }
  }
}

extension [Property] {
  /// Each once, in this order.
  fileprivate var withoutRepeats: [Property] {
    var seen: Set<Property> = []
    return filter { seen.insert($0).inserted }
  }
}

extension MappedPart {
  /// The names of the source's properties that the file lets go.
  fileprivate var letGo: [String] {
    guard let rule else { return [] }
    let made = (rule.settings.map(\.property) + rule.generated.map(\.attribute)).map(\.text)
    return rule.dropped.map(\.text) + made.filter { !displaced.contains($0) }
  }
}

extension Mapping.EntityRule {
  /// Where the rule says what the property of this name is made of.
  fileprivate func maker(of name: String) -> Mapping.Word? {
    settings.map(\.property).first { $0.text == name }
  }
}
