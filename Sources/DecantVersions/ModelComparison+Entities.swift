internal import DecantBase

extension ModelComparison {
  /// Adds what changed in the entities themselves.
  mutating func compareEntities() {
    for entity in destination.entities {
      guard let name = matching.source(of: entity.name), let earlier = source[name] else {
        add(.entityAdded, entity.name, entity.isAbstract ? "abstract, and new" : "new", .inferred)
        continue
      }
      compare(earlier, entity)
    }
    for entity in source.entities where matching.destination(of: entity.name) == nil {
      guard !entity.isAbstract else {
        add(.entityRemoved, entity.name, "removed; it is abstract, so it has no objects", .inferred)
        continue
      }
      // Objects of a sub-entity that stays are not lost with it.
      add(
        .entityRemoved,
        entity.name,
        "removed",
        DataQuestion(.presence(.object), of: [entity.name], none: .inferred, some: .mapping)
      )
    }
  }

  private mutating func compare(_ earlier: Entity, _ entity: Entity) {
    let name = entity.name
    if earlier.name != name {
      add(.entityRenamed, name, "was called \(earlier.name)", .inferred)
    }
    compareParents(earlier, entity)
    if earlier.isAbstract != entity.isAbstract {
      if entity.isAbstract {
        add(
          .abstractChanged,
          name,
          "becomes abstract",
          DataQuestion(.presence(.concreteEntity), of: [earlier.name], none: .inferred, some: .mapping)
        )
      } else {
        add(.abstractChanged, name, "is no longer abstract", .inferred)
      }
    }
    if earlier.versionHashModifier != entity.versionHashModifier {
      add(.versionHashModifierChanged, name, ModelComparison.modifierText, .inferred)
    }
    if earlier.hasOtherIndexes(than: entity) {
      add(.indexChanged, name, "different indexes", .nothing)
    }
    if earlier.className != entity.className {
      add(.classChanged, name, "a different class", .nothing)
    }
    if earlier.userInfo != entity.userInfo {
      add(.userInfoChanged, name, "different user info", .nothing)
    }
  }

  static let modifierText =
    "a different version hash modifier, which requires a migration"

  private mutating func compareParents(_ earlier: Entity, _ entity: Entity) {
    let parent = earlier.superentity.flatMap { matching.destination(of: $0) }
    // The name of a removed parent may have passed to another entity.
    guard parent != entity.superentity || parent == nil && earlier.superentity != nil else {
      return
    }
    let text =
      switch (earlier.superentity, entity.superentity) {
      case (let old?, nil): "no longer inherits from \(old)"
      case (nil, let new?): "now inherits from \(new)"
      case (let old, let new): "inherits from \(exchange(old ?? "-", for: new ?? "-"))"
      }
    add(.parentChanged, entity.name, text, .inferred)
  }

  /// Adds the merges of entities that had no common ancestor.
  ///
  /// Core Data keeps a hierarchy in one table, and fails with “Cannot merge multiple root entity source tables into one
  /// destination entity root table”.
  mutating func compareHierarchies() {
    for root in destination.roots {
      var roots: [String] = []
      for entity in matching.sources(ofFamily: root.name) {
        guard let name = source.root(of: entity)?.name, !roots.contains(name) else { continue }
        roots.append(name)
      }
      guard roots.count > 1 else { continue }
      add(
        .hierarchiesMerged,
        root.name,
        "joins the hierarchies of \(roots.listed), which were separate",
        .beyondCoreData
      )
    }
  }

  // MARK: Uniqueness

  /// Adds the constraints of `entity` that did not apply to all of its objects before.
  mutating func compareUniqueness(of entity: Entity) {
    for constraint in entity.uniquenessConstraints {
      let family = destination.family(of: entity.name)
        .filter { matching.source(of: $0.name) != nil }
      guard !family.isEmpty else { continue }
      let holders = Set(family.map { holder(of: constraint, for: $0.name) })
      if holders.count == 1, holders.first != .some(nil) { continue }
      let rows = family.compactMap { uniqueValues(constraint, of: $0.name) }
      add(
        .uniquenessAdded,
        entity.name,
        "\(constraint.listed) must now be unique",
        DataQuestion(.sameValues(rows), of: rows.map(\.entity), none: .inferred, some: .mapping)
      )
      changes[changes.count - 1].constraint = constraint
    }
  }

  /// Adds the constraints that `entity`, of the source, declared and that no longer apply to any entity.
  mutating func removeUniqueness(of entity: Entity) {
    for constraint in entity.uniquenessConstraints {
      let heirs = source.family(of: entity.name).compactMap { matching.destination(of: $0.name) }
      let isKept = heirs.contains { heir in
        destination.lineage(of: heir).flatMap(\.uniquenessConstraints).contains { other in
          earlierNames(of: other, for: heir) == Set(constraint)
        }
      }
      guard !heirs.isEmpty, !isKept else { continue }
      add(
        .uniquenessRemoved,
        matching.destination(of: entity.name) ?? entity.name,
        "\(constraint.listed) need no longer be unique",
        .inferred
      )
    }
  }

  /// Returns the source entity whose declaration of `constraint` applied to the objects that become `entity`.
  private func holder(of constraint: [String], for entity: String) -> String? {
    guard let earlier = matching.source(of: entity),
      let names = earlierNames(of: constraint, for: entity)
    else { return nil }
    return source.lineage(of: earlier).first { ancestor in
      ancestor.uniquenessConstraints.contains { Set($0) == names }
    }?.name
  }

  /// Returns the former names of a constraint's properties; `nil` if one of them is new.
  private func earlierNames(of constraint: [String], for entity: String) -> Set<String>? {
    var names: Set<String> = []
    for name in constraint {
      guard let property = earlierProperty(name, of: entity) else { return nil }
      names.insert(property.name)
    }
    return names
  }

  private func earlierProperty(_ name: String, of entity: String) -> Property? {
    guard let earlier = matching.source(of: entity) else { return nil }
    let attributes = matching.attributes(earlier, entity).common
    let relationships = matching.relationships(earlier, entity).common
    return attributes.first { $0.destination.part.name == name }?.source.property
      ?? relationships.first { $0.destination.part.name == name }?.source.property
  }

  /// Returns the values to compare between the objects that become `entity`; `nil` if no two can be equal because one
  /// of the properties is new and still empty.
  private func uniqueValues(_ constraint: [String], of entity: String) -> DataQuestion.UniqueValues? {
    guard let earlier = matching.source(of: entity) else { return nil }
    let attributes = destination.attributes(of: entity)
    var properties: [Property?] = []
    for name in constraint {
      if let property = earlierProperty(name, of: entity) {
        properties.append(property)
      } else {
        let value = attributes.first { $0.name == name }?.defaultValue
        guard let value, value != .null else { return nil }
        properties.append(nil)
      }
    }
    return DataQuestion.UniqueValues(entity: earlier, properties: properties)
  }
}

extension Entity {
  /// Returns whether the declared indexes differ, regardless of their order.
  fileprivate func hasOtherIndexes(than other: Entity) -> Bool {
    Set(fetchIndexes) != Set(other.fetchIndexes)
      || Set(compoundIndexes) != Set(other.compoundIndexes)
  }
}

extension [String] {
  /// The names in one phrase: `a`, `a and b`, `a, b and c`.
  var listed: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}
