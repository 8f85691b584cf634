package import DecantBase

/// Which entities and properties of one model are which of another.
///
/// By renaming identifier and name, as `Renaming` has it. Properties are matched for each pair of entities with
/// all that they inherit, so that one that moved up or down the hierarchy is found where it went.
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

  /// Returns what the entity of the destination was in the source.
  package func source(of entity: String) -> String? { sources[entity] }

  /// Returns what the entity of the source is in the destination.
  func destination(of entity: String) -> String? { destinations[entity] }

  /// Whether the models have an entity in common, or there is none that could be lost.
  package var hasPairs: Bool { !sources.isEmpty || source.entities.isEmpty }

  /// The pairs of entities, in the destination's order.
  package var pairs: [(source: Entity, destination: Entity)] {
    destination.entities.compactMap { entity in
      sources[entity.name].flatMap { source[$0] }.map { ($0, entity) }
    }
  }

  /// Returns the entities of the source that become `entity` or one below it.
  func sources(ofFamily entity: String) -> [String] {
    destination.family(of: entity).compactMap { sources[$0.name] }
  }

  /// A property with the entity that declares it.
  package struct Declared<Part: Renamable> {
    let entity: String
    package let part: Part

    var property: Property { Property(entity, part.name) }
  }

  /// The properties of a pair of entities: those that both have, and those that one has.
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

  /// Returns the attributes of `here`, an entity of the source, beside those of `there`.
  package func attributes(_ here: String, _ there: String) -> Parts<Attribute> {
    Parts(
      ModelMatching.declared(source.lineage(of: here), \.attributes),
      ModelMatching.declared(destination.lineage(of: there), \.attributes)
    )
  }

  /// Returns the relationships of `here`, an entity of the source, beside those of `there`.
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
