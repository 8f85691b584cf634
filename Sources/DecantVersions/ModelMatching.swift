package import DecantBase

/// The correspondence between the entities and properties of two models.
///
/// Parts are matched by renaming identifier and name, as in `Renaming`. Properties are matched for each pair of
/// entities including inherited ones, so that a property that moved up or down the hierarchy is found at its new place.
package struct ModelMatching {
  let source: Model
  package let destination: Model
  private var sources: [String: String] = [:]
  private var destinations: [String: String] = [:]

  package init(from source: Model, to destination: Model) {
    self.source = source
    self.destination = destination
    for (there, here) in Renaming.pairs(source.entities, destination.entities) {
      let (there, here) = (destination.entities[there].name, source.entities[here].name)
      sources[there] = here
      destinations[here] = there
    }
  }

  /// Returns the source entity that became `entity` of the destination.
  package func source(of entity: String) -> String? { sources[entity] }

  /// Returns the destination entity that `entity` of the source becomes.
  func destination(of entity: String) -> String? { destinations[entity] }

  /// Whether the models have an entity in common, or the source has no entities to lose.
  package var hasPairs: Bool { !sources.isEmpty || source.entities.isEmpty }

  /// The pairs of entities, in the destination's order.
  package var pairs: [(source: Entity, destination: Entity)] {
    destination.entities.compactMap { entity in
      sources[entity.name].flatMap { source[$0] }.map { ($0, entity) }
    }
  }

  /// Returns the source entities that become `entity` or one of its sub-entities.
  func sources(ofFamily entity: String) -> [String] {
    destination.family(of: entity).compactMap { sources[$0.name] }
  }

  /// A property with the entity that declares it.
  package struct Declared<Part: Renamable> {
    let entity: String
    package let part: Part

    var property: Property { Property(entity, part.name) }
  }

  /// The properties of a pair of entities: common, lost and gained ones.
  package struct Parts<Part: Renamable> {
    package var common: [(source: Declared<Part>, destination: Declared<Part>)] = []
    var lost: [Declared<Part>] = []
    var gained: [Declared<Part>] = []

    init(_ source: [Declared<Part>], _ destination: [Declared<Part>]) {
      let pairs = Renaming.pairs(source.map(\.part), destination.map(\.part))
      for (position, there) in destination.enumerated() {
        if let found = pairs[position] {
          common.append((source[found], there))
        } else {
          gained.append(there)
        }
      }
      let taken = Set(pairs.values)
      lost = source.enumerated().filter { !taken.contains($0.offset) }.map(\.element)
    }
  }

  /// Matches the attributes of `here`, an entity of the source, with those of `there`, an entity of the destination.
  package func attributes(_ here: String, _ there: String) -> Parts<Attribute> {
    Parts(
      ModelMatching.declared(source.lineage(of: here), \.attributes),
      ModelMatching.declared(destination.lineage(of: there), \.attributes)
    )
  }

  /// Matches the relationships of `here`, an entity of the source, with those of `there`, an entity of the destination.
  package func relationships(_ here: String, _ there: String) -> Parts<Relationship> {
    Parts(
      ModelMatching.declared(source.lineage(of: here), \.relationships),
      ModelMatching.declared(destination.lineage(of: there), \.relationships)
    )
  }

  private static func declared<Part: Renamable>(
    _ lineage: [Entity],
    _ parts: KeyPath<Entity, [Part]>
  ) -> [Declared<Part>] {
    lineage.reversed().flatMap { entity in
      entity[keyPath: parts].map { Declared(entity: entity.name, part: $0) }
    }
  }
}
