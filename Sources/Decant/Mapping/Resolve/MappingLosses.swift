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
        "\(entity) of “\(source.place)” becomes nothing\(others(entities))",
        at: .start,
        remedy: "say what becomes of it (entities: { NAME: { from: \(entity) } }), or let it go: "
          + "contract: { entities: discard }"
      )
    }
    let properties = properties.filter { !isLetGo($0) }
    if mapping.contract.attributes == .freeze, let property = properties.first {
      let parts = roots.flatMap(\.parts).filter {
        source.lineage(of: $0.source).contains(property.entity)
      }
      // Something else under its name hides that it is lost.
      let hiding = parts.lazy.compactMap { $0.rule?.maker(of: property.name) }.first
      let part = parts.first
      throw mapping.mistake(
        "\(property) of “\(source.place)” becomes nothing\(hiding == nil ? "" : ": its name gets another value")"
          + others(properties.map(\.description)),
        at: hiding?.mark ?? part?.rule?.name.mark ?? .start,
        remedy: "say what becomes of it under set:, or let it go: "
          + "\(part?.entity ?? property.entity): { drop: [\(property.name)] }"
      )
    }
  }

  /// Names what is lost beside the first, ten at the most.
  private func others(_ names: [String]) -> String {
    let others = names.dropFirst()
    let hidden = others.count - 10
    let told = others.prefix(10).joined(separator: ", ")
    guard !others.isEmpty else { return "" }
    return "; so \(others.count == 1 ? "does" : "do") \(told)"
      + (hidden > 0 ? ", and \(hidden) more" : "")
  }

  /// The concrete entities of the source of which nothing is made.
  var entities: [String] {
    let used = Set(roots.flatMap(\.parts).map(\.source))
    return source.concreteEntities.filter { !used.contains($0) }
  }

  /// What objects hold and nothing is made of, without what the file drops by name.
  var properties: [Property] {
    let parts = roots.flatMap(\.parts)
    let used = parts.reduce(into: Set<Property>()) { $0.formUnion($1.used) }
    let linked = Set(
      links.flatMap(\.sources).flatMap { [$0.relationship, $0.inverse].compactMap(\.self) }
    )
    var lost: [Property] = []
    for entity in source.concreteEntities {
      let own = parts.filter { $0.source == entity }
      guard !own.isEmpty else { continue }
      // What is dropped by name, and what is set to a constant or generated anew.
      let dropped = Set(own.flatMap(\.letGo))
      for property in stored(of: entity) where !lost.contains(property) {
        guard !used.contains(property), !linked.contains(property),
          !dropped.contains(property.name),
          !isKeptFromTheOtherEnd(property, used.union(linked))
        else { continue }
        lost.append(property)
      }
    }
    return lost
  }

  /// The attributes and relationships of which the store holds something, of `entity`.
  private func stored(of entity: String) -> [Property] {
    let lineage = source.lineage(of: entity)
    let attributes = (source.relation(of: entity)?.columns ?? []).compactMap {
      column -> Property? in
      guard case .attribute(let property) = column.meaning, lineage.contains(property.entity) else {
        return nil
      }
      return property
    }
    let relationships = source.relationshipNames(of: entity).compactMap {
      source.relationship($0, of: entity)
    }
    // A link by values is held by attributes.
    let byValues = Set(source.layout.valueLinks.map(\.relationship))
    let stored = relationships.filter { declared, found in
      !byValues.contains(declared)
        && !(source.inverse(of: found).map { byValues.contains($0.declared) } ?? false)
    }
    return attributes + stored.map(\.declared)
  }

  /// Whether links are taken along where the other direction is.
  private func isKeptFromTheOtherEnd(_ property: Property, _ used: Set<Property>) -> Bool {
    guard let (_, relationship) = source.relationship(property.name, of: property.entity) else {
      return false
    }
    if let inverse = source.inverse(of: relationship) {
      // Dropped or said anew in one direction, links are in both.
      let isSaid = roots.flatMap(\.parts).contains { part in
        guard let rule = part.rule,
          source.lineage(of: part.source).contains(inverse.declared.entity)
        else { return false }
        return (rule.dropped + rule.settings.map(\.property)).contains {
          $0.text == inverse.declared.name
        }
      }
      if isSaid || used.contains(inverse.declared) { return true }
    }
    return false
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
