internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// Finds what a mapping would lose: entities that are not mapped, and attributes and links that are not used.
struct MappingLosses {
  let resolver: MappingResolver
  let roots: [MappedRoot]
  let links: [MappedLinks]

  private var source: MappingResolver.ModelSide { resolver.source }
  private var mapping: Mapping { resolver.mapping }

  /// Throws for the first unnamed loss, if the contract is `freeze`.
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
      // Another value under the same name hides the loss.
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

  /// Names the other losses, ten at most.
  private func others(_ names: [String]) -> String {
    let others = names.dropFirst()
    let hidden = others.count - 10
    let told = others.prefix(10).joined(separator: ", ")
    guard !others.isEmpty else { return "" }
    return "; nor \(others.count == 1 ? "is" : "are") \(told)"
      + (hidden > 0 ? ", and \(hidden) more" : "")
  }

  /// The concrete source entities that are not mapped.
  var entities: [String] {
    let used = Set(roots.flatMap(\.parts).map(\.source))
    return source.concreteEntities.filter { !used.contains($0) }
  }

  /// The stored properties that are not used, except those that the file drops by name.
  var properties: [Property] { lost.map(\.property).withoutRepeats }

  /// A property of a source entity's objects that is not used.
  struct Loss {
    let property: Property
    /// The parts made from these objects that do not cover the property; never empty.
    let silent: [MappedPart]

    /// The part to report, preferably one in which the property's name gets another value.
    var part: MappedPart { silent.first { $0.rule?.maker(of: property.name) != nil } ?? silent[0] }
  }

  /// The losses, by source entity.
  var lost: [Loss] {
    let parts = roots.flatMap(\.parts)
    var linked = Set(links.flatMap(\.sources).flatMap { [$0.relationship, $0.inverse].compactMap(\.self) })
    for value in parts.flatMap(\.values.values) {
      // The end from which they are read makes no difference.
      if case .link(.paired(let property, _), _, _, _) = value { linked.insert(property) }
    }
    // A to-many link may be stored with its targets, and used there.
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

  /// Returns whether a part uses a property or drops it by name.
  private func speaks(_ part: MappedPart, of property: Property, _ used: Set<Property>) -> Bool {
    part.used.contains(property) || part.letGo.contains(property.name)
      || isKeptFromTheOtherEnd(property, used, isDisplaced: part.displaced.contains(property.name))
  }

  /// Returns whether every object of an entity is in a part that covers a property.
  ///
  /// - Parameters:
  ///   - own: The parts made from the entity's objects.
  ///   - silent: The parts among them that do not cover it.
  /// - Returns: Whether a part covers it and takes all objects, or all parts of one entity cover it.
  private func isSpokenOf(by own: [MappedPart], _ silent: [MappedPart]) -> Bool {
    // A part that takes only some of the objects does not preserve the values of the others.
    own.contains { part in
      !silent.contains(part)
        && (part.condition == nil || !silent.contains { $0.entity == part.entity })
    }
  }

  private func isToMany(_ property: Property) -> Bool {
    source.relationship(property.name, of: property.entity)?.1.isToMany ?? false
  }

  /// Returns the attributes and relationships of `entity` that the store holds.
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
    // A link by values is stored in attributes.
    let byValues = Set(source.layout.nonIntegerKeys.map(\.relationship))
    let stored = relationships.filter { declared, found in
      !byValues.contains(declared)
        && !(source.inverse(of: found).map { byValues.contains($0.declared) } ?? false)
    }
    return attributes + stored.map(\.declared)
  }

  /// Returns whether links are preserved because their inverse is.
  ///
  /// - Parameters:
  ///   - property: The relationship of the source.
  ///   - used: The properties that are used.
  ///   - isDisplaced: Whether its name gets another value, so that the inverse cannot cover it.
  /// - Returns: Whether the links are preserved.
  private func isKeptFromTheOtherEnd(_ property: Property, _ used: Set<Property>, isDisplaced: Bool) -> Bool {
    guard let (_, relationship) = source.relationship(property.name, of: property.entity),
      let (inverse, _) = source.inverse(of: relationship)
    else { return false }
    if used.contains(inverse) { return true }
    // Links that are dropped or redefined in one direction are so in both.
    return roots.flatMap(\.parts).contains { part in
      guard let rule = part.rule, source.lineage(of: part.source).contains(inverse.entity) else {
        return false
      }
      return rule.dropped.contains { $0.text == inverse.name }
        || !isDisplaced && rule.settings.contains { $0.property.text == inverse.name }
    }
  }

  /// Returns whether it is a link to objects that the file discards; it is then reported instead of being an error.
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
  /// The properties without duplicates, in this order.
  fileprivate var withoutRepeats: [Property] {
    var seen: Set<Property> = []
    return filter { seen.insert($0).inserted }
  }
}

extension MappedPart {
  /// The names of the source's properties that the file drops or overrides.
  fileprivate var letGo: [String] {
    guard let rule else { return [] }
    let made = (rule.settings.map(\.property) + rule.generated.map(\.attribute)).map(\.text)
    return rule.dropped.map(\.text) + made.filter { !displaced.contains($0) }
  }
}

extension Mapping.EntityRule {
  /// Returns the setting of the property of this name.
  fileprivate func maker(of name: String) -> Mapping.Word? {
    settings.map(\.property).first { $0.text == name }
  }
}
