/// Settles which tables of links of the source become which of the destination.
struct MappingLinks {
  let resolver: MappingResolver
  let roots: [MappedRoot]

  private var source: MappingResolver.ModelSide { resolver.source }
  private var destination: MappingResolver.ModelSide { resolver.destination }

  /// Returns the links of every relationship for which the source has tables.
  func links() throws(DecantError) -> [MappedLinks] {
    var all: [MappedLinks] = []
    for (relationship, inverse) in relationships {
      guard let ownerRoot = destination.model.root(of: relationship.entity)?.name,
        let (_, found) = destination.relationship(relationship.name, of: relationship.entity),
        let targetRoot = destination.model.root(of: found.destination)?.name
      else { continue }
      let sources = try tables(of: relationship, inverse, found)
      guard !sources.isEmpty else { continue }
      all.append(
        MappedLinks(
          relationship: relationship,
          inverse: inverse,
          ownerRoot: ownerRoot,
          targetRoot: targetRoot,
          isReflexive: inverse == relationship,
          sources: sources
        )
      )
    }
    return all
  }

  /// The relationships of the destination whose links may come from tables.
  private var relationships: [(Property, inverse: Property?)] {
    let own = destination.layout.linkRelations.map { ($0.relationship, inverse: $0.inverse) }
    let owners = destination.layout.relations.flatMap(\.columns).compactMap { column -> Property? in
      if case .owner(let property) = column.meaning { property } else { nil }
    }
    return own + Set(owners).sorted { "\($0)" < "\($1)" }.map { ($0, inverse: nil) }
  }

  /// The source's tables of the links of `relationship`, each in its direction.
  private func tables(
    of relationship: Property,
    _ inverse: Property?,
    _ found: Relationship
  ) throws(DecantError) -> [LinkRelation] {
    var tables: [LinkRelation] = []
    func add(_ name: String, of entity: String, isReversed: Bool) {
      guard let (declared, _) = source.relationship(name, of: entity) else { return }
      for links in source.layout.linkRelations {
        let forward = isReversed ? links.inverse : links.relationship
        let backward = isReversed ? links.relationship : links.inverse
        let table =
          forward == declared ? links : backward == declared ? links.reversed : nil
        if let table, !tables.contains(where: { $0.table == table.table }) { tables.append(table) }
      }
    }
    for (property, isReversed) in [(relationship, false)] + (inverse.map { [($0, true)] } ?? []) {
      for part in roots.flatMap(\.parts)
      where destination.lineage(of: part.entity).contains(property.entity) {
        let setting = part.rule?.settings.first { $0.property.text == property.name }
        if let setting {
          try check(setting, part, property)
        }
        // Said of one direction, it holds for both.
        let other = isReversed ? relationship : inverse
        guard setting != nil || !isSaid(other) else { continue }
        let name = setting?.value.text.plainName ?? property.name
        add(name, of: part.source, isReversed: isReversed)
      }
    }
    return tables
  }

  /// Whether the file says which links become those of `property`.
  private func isSaid(_ property: Property?) -> Bool {
    guard let property else { return false }
    return resolver.mapping.entities.contains { rule in
      destination.lineage(of: rule.name.text).contains(property.entity)
        && rule.settings.contains { $0.property.text == property.name }
    }
  }

  /// Checks that links to many come from links to many.
  private func check(_ setting: Mapping.Setting, _ part: MappedPart, _ property: Property)
    throws(DecantError)
  {
    let names = source.relationshipNames(of: part.source)
    guard !setting.isOwnObject, let name = setting.value.text.plainName, names.contains(name) else {
      throw resolver.mapping.mistake(
        "\(part.entity).\(property.name) leads to many objects: only a relationship of \(part.source) can fill it",
        at: setting.value.mark,
        remedy: names.isEmpty
          ? "\(part.source) has no relationships"
          : "\(part.source) has \(names.joined(separator: ", "))"
      )
    }
  }
}
