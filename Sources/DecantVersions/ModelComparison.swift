package import DecantBase

/// Finds the changes that lead from one version of a model to another.
///
/// It compares only the models; what depends on a store's objects is left as a question. Apple's rules of what Core
/// Data infers are the standard (“Migrating your data model automatically”).
package struct ModelComparison {
  let matching: ModelMatching
  var changes: [ModelChange] = []

  private init(_ matching: ModelMatching) { self.matching = matching }

  /// Returns the changes from `source` to `destination`, in the order of the destination's entities; removals come
  /// last.
  package static func changes(from source: Model, to destination: Model) -> [ModelChange] {
    var comparison = ModelComparison(ModelMatching(from: source, to: destination))
    comparison.compare()
    return comparison.changes
  }

  var source: Model { matching.source }
  var destination: Model { matching.destination }

  mutating func add(_ kind: ModelChange.Kind, _ subject: String, _ text: String, _ demand: ModelChange.Demand) {
    changes.append(ModelChange(kind, subject, text, demand))
  }

  mutating func add(_ kind: ModelChange.Kind, _ subject: String, _ text: String, _ question: DataQuestion) {
    changes.append(ModelChange(kind, subject, text, question))
  }

  private mutating func compare() {
    compareEntities()
    compareHierarchies()
    let attributes = PropertyFlow(matching) { $0.attributes($1, $2) }
    let relationships = PropertyFlow(matching) { $0.relationships($1, $2) }
    for entity in destination.entities {
      for edge in attributes.edges(into: entity.name) { compareAttributes(edge) }
      for (attribute, entities) in attributes.gained(by: entity.name) {
        addAttribute(attribute, to: entities)
      }
      for edge in relationships.edges(into: entity.name) { compareRelationships(edge) }
      for (relationship, entities) in relationships.gained(by: entity.name) {
        addRelationship(relationship, to: entities)
      }
      compareUniqueness(of: entity)
    }
    for entity in source.entities {
      for (attribute, entities) in attributes.lost(by: entity.name) {
        removeAttribute(attribute, from: entities)
      }
      for (relationship, entities) in relationships.lost(by: entity.name) {
        removeRelationship(relationship, from: entities)
      }
      removeUniqueness(of: entity)
    }
  }

  /// Says that `new`, an entity of the destination, replaces `old`, an entity of the source.
  ///
  /// Two different entities may have the same name: the text then tells them apart by what the new one was before and
  /// what the old one is now.
  func exchange(_ old: String, for new: String) -> String {
    guard old == new else { return "\(new) instead of \(old)" }
    let origin = matching.source(of: new).map { "was \($0)" } ?? "is new"
    return "\(new), which \(origin), instead of \(former(old, besides: new))"
  }

  /// Returns the name of a source entity, with its present name added if `new` is another entity of the same name.
  func former(_ old: String, besides new: String) -> String {
    guard old == new, matching.destination(of: old) != new else { return old }
    return
      "the former \(old), which is \(matching.destination(of: old).map { "\($0) now" } ?? "gone")"
  }

  /// Names the entities that a change affects, unless they are all that have the property.
  func scope(_ entities: [String], of property: Property) -> String {
    guard destination[property.entity] != nil,
      Set(entities) != Set(matching.sources(ofFamily: property.entity))
    else { return "" }
    let names = entities.map { matching.destination(of: $0) ?? $0 }
    return " for \(names.joined(separator: ", "))"
  }
}

/// How the properties of one kind map from one model to the other, collected over all pairs of entities.
struct PropertyFlow<Part: Renamable> {
  /// A property that both models have, and the entities of the source whose objects have it.
  struct Edge {
    let source: ModelMatching.Declared<Part>
    let destination: ModelMatching.Declared<Part>
    var entities: [String]
  }

  private var edges: [Edge] = []
  private var edgePositions: [[Property]: Int] = [:]
  private var gained: [Property: (part: ModelMatching.Declared<Part>, entities: [String])] = [:]
  private var lost: [Property: (part: ModelMatching.Declared<Part>, entities: [String])] = [:]

  init(_ matching: ModelMatching, _ parts: (ModelMatching, String, String) -> ModelMatching.Parts<Part>) {
    for (here, there) in matching.pairs {
      let parts = parts(matching, here.name, there.name)
      for (source, destination) in parts.common {
        let key = [source.property, destination.property]
        if let position = edgePositions[key] {
          edges[position].entities.append(here.name)
        } else {
          edgePositions[key] = edges.count
          edges.append(Edge(source: source, destination: destination, entities: [here.name]))
        }
      }
      for part in parts.gained {
        gained[part.property, default: (part, [])].entities.append(here.name)
      }
      for part in parts.lost { lost[part.property, default: (part, [])].entities.append(here.name) }
    }
  }

  /// Returns the common properties that `entity`, of the destination, declares itself.
  func edges(into entity: String) -> [Edge] {
    edges.filter { $0.destination.entity == entity }
  }

  /// Returns the properties that `entity` declares itself and that source entities did not have.
  func gained(by entity: String) -> [(ModelMatching.Declared<Part>, [String])] {
    PropertyFlow.declared(gained, by: entity)
  }

  /// Returns the properties that `entity` declared itself and that source entities no longer have.
  func lost(by entity: String) -> [(ModelMatching.Declared<Part>, [String])] {
    PropertyFlow.declared(lost, by: entity)
  }

  private static func declared(
    _ all: [Property: (part: ModelMatching.Declared<Part>, entities: [String])],
    by entity: String
  ) -> [(ModelMatching.Declared<Part>, [String])] {
    all.values.filter { $0.part.entity == entity }
      .sorted { $0.part.part.name < $1.part.part.name }
      .map { ($0.part, $0.entities) }
  }
}

extension Model {
  /// Returns whether a store of this model needs no migration to `other`, as far as both can be compared.
  package func isSame(as other: Model) -> Bool {
    ModelComparison.changes(from: self, to: other).demand == .nothing
  }

  /// The version hash of each entity; `nil` unless all entities have one.
  package var versionHashes: [String: [UInt8]]? {
    var hashes: [String: [UInt8]] = [:]
    for entity in entities {
      guard let hash = entity.versionHash else { return nil }
      hashes[entity.name] = hash
    }
    return hashes.isEmpty ? nil : hashes
  }
}
