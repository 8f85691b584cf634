internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// Determines which source link tables become which destination links.
struct MappingLinks {
  let resolver: MappingResolver
  let roots: [MappedRoot]

  private var source: MappingResolver.ModelSide { resolver.source }
  private var destination: MappingResolver.ModelSide { resolver.destination }

  /// Returns the links of every relationship for which the source has tables.
  func links() -> [MappedLinks] {
    var all: [MappedLinks] = []
    for (relationship, inverse) in relationships {
      guard let ownerRoot = destination.model.root(of: relationship.entity)?.name,
        let (_, found) = destination.relationship(relationship.name, of: relationship.entity),
        let targetRoot = destination.model.root(of: found.destination)?.name
      else { continue }
      let sources = tables(of: relationship, inverse, found)
      guard !sources.isEmpty else { continue }
      let isAnySaid = isSaid(relationship) || isSaid(inverse)
      all.append(
        MappedLinks(
          relationship: relationship,
          inverse: inverse,
          ownerRoot: ownerRoot,
          targetRoot: targetRoot,
          isReflexive: inverse == relationship,
          owners: isAnySaid ? nil : keeping(relationship, in: ownerRoot),
          targets: isAnySaid ? nil : inverse.flatMap { keeping($0, in: targetRoot) },
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
      if case .owner(let property) = column.columnRole { property } else { nil }
    }
    return own + Set(owners).sorted { "\($0)" < "\($1)" }.map { ($0, inverse: nil) }
  }

  /// Returns the source's tables for the links of `relationship`, each in its direction.
  private func tables(of relationship: Property, _ inverse: Property?, _ found: Relationship) -> [LinkRelation] {
    var tables: [LinkRelation] = []
    func add(_ name: String, of entity: String, isReversed: Bool) {
      guard let (declared, own) = source.relationship(name, of: entity) else { return }
      if let table = columnLinks(declared, own, isReversed: isReversed, hasOneWayEnds: inverse != nil),
        !tables.contains(where: { $0.relationship == table.relationship })
      {
        tables.append(table)
      }
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
        // A setting for one direction applies to both.
        let other = isReversed ? relationship : inverse
        guard setting != nil || !isSaid(other) else { continue }
        if setting == nil, isDropped(property, part) { continue }
        let name = setting?.value.text.plainName ?? property.name
        add(name, of: part.source, isReversed: isReversed)
      }
    }
    return tables
  }

  /// Returns the links of a source relationship that are stored with the objects at one end, as a table; `nil` if they
  /// have a link table.
  ///
  /// The direction is that of the relationship, or with `isReversed` of its inverse. With `hasOneWayEnds`, one-to-many
  /// relationships without inverse are included, whose links are stored with their targets.
  private func columnLinks(
    _ declared: Property,
    _ own: Relationship,
    isReversed: Bool,
    hasOneWayEnds: Bool
  ) -> LinkRelation? {
    if hasOneWayEnds, own.isToMany, own.inverse == nil,
      let relation = source.relation(of: own.destination),
      let column = relation.column(.owner(declared))
    {
      return relation.links(
        in: column,
        as: declared,
        inverse: nil,
        isOwner: !isReversed,
        position: relation.column(.ownerPosition(declared))?.name
      )
    }
    let back = source.inverse(of: own)?.declared
    func links(_ holder: Property, _ other: Property?, isForward: Bool) -> LinkRelation? {
      guard let relation = source.relation(of: holder.entity),
        let column = relation.column(.target(holder))
      else { return nil }
      return relation.links(
        in: column,
        as: isForward ? holder : other ?? holder,
        inverse: isForward ? other : holder,
        isOwner: !isForward,
        position: relation.column(.position(holder))?.name
      )
    }
    // Either end may hold the links; in a one-to-one relationship both do, and one is enough.
    let held = links(declared, back, isForward: !isReversed)
    return held ?? back.flatMap { links($0, declared, isForward: isReversed) }
  }

  /// Returns whether the file defines the links of `property`.
  private func isSaid(_ property: Property?) -> Bool {
    guard let property else { return false }
    return resolver.mapping.entities.contains { rule in
      destination.lineage(of: rule.name.text).contains(property.entity)
        && rule.settings.contains { $0.property.text == property.name }
    }
  }

  /// Returns the entities of `root` that do not drop `property`; `nil` if none drops it.
  private func keeping(_ property: Property, in root: String) -> [String]? {
    let parts = roots.first { $0.root == root }?.parts ?? []
    let kept = parts.filter { part in
      !(part.rule?.dropped.contains { $0.text == property.name } ?? false)
    }
    return kept.count == parts.count ? nil : kept.map(\.entity)
  }

  /// Returns whether the file drops the links that would become those of `property` by name.
  private func isDropped(_ property: Property, _ part: MappedPart) -> Bool {
    guard let found = source.relationship(property.name, of: part.source),
      let (_, relationship) = destination.relationship(property.name, of: part.entity)
    else { return false }
    return MappingProperties(resolver: resolver, roots: roots).isDropped(found, relationship, part)
  }
}
