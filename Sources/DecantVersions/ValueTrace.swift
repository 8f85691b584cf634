package import DecantBase

/// The origin of a later version's objects and values in a store.
///
/// A migration passes through versions that the store never had. To find what would block a step before the first step
/// runs, the store is asked about the entities and properties from which those of the step derive.
package struct ValueTrace {
  /// The origin of a property of a later version.
  private enum Origin: Hashable {
    /// The values of this property of the store.
    case stored(Property)
    /// Added on the way: empty, or the same default value in all objects.
    case added(hasValue: Bool)
  }

  private struct Objects {
    let entity: String
    var origins: [String: Origin] = [:]
  }

  /// The objects by entity name in the later version; a new entity has no entry.
  private var objects: [String: Objects] = [:]

  /// Creates the trace of the store's own version, in which everything maps to itself.
  package init(_ model: Model) {
    for entity in model.entities {
      var own = Objects(entity: entity.name)
      for ancestor in model.lineage(of: entity.name) {
        for name in ancestor.attributes.map(\.name) + ancestor.relationships.map(\.name) {
          own.origins[name] = .stored(Property(ancestor.name, name))
        }
      }
      objects[entity.name] = own
    }
  }

  /// Returns the trace of the version that `matching` leads to.
  package func advanced(by matching: ModelMatching) -> ValueTrace {
    var trace = self
    trace.objects = [:]
    for (here, there) in matching.pairs {
      guard let old = objects[here.name] else { continue }
      var new = Objects(entity: old.entity)
      let attributes = matching.attributes(here.name, there.name)
      for (source, destination) in attributes.common {
        new.origins[destination.part.name] = old.origins[source.part.name]
      }
      for added in attributes.gained {
        let value = added.part.defaultValue ?? .null
        new.origins[added.part.name] = .added(hasValue: value != .null)
      }
      let relationships = matching.relationships(here.name, there.name)
      for (source, destination) in relationships.common {
        new.origins[destination.part.name] = old.origins[source.part.name]
      }
      for added in relationships.gained {
        new.origins[added.part.name] = .added(hasValue: false)
      }
      trace.objects[there.name] = new
    }
    return trace
  }

  /// Returns the questions to the store that answer a question to a later version.
  func questions(_ question: DataQuestion) -> [DataQuestion] {
    switch question.matter {
    case .presence:
      return [asked(question, question.matter, question.entities)]
    case .value(let property, let isMissing):
      return parts(question, property) { .value($0, isMissing: isMissing) }
        + added(question, property, counting: { $0 != isMissing })
    case .link(let property, let isMissing):
      return parts(question, property) { .link($0, isMissing: isMissing) }
        + added(question, property, counting: { $0 != isMissing })
    case .foreignValue(let property, let type):
      return parts(question, property) { .foreignValue($0, to: type) }
        + added(question, property, counting: { $0 })
    case .unfitValue(let property, let from, let to):
      // A default value of the model already has the new type.
      return parts(question, property) { .unfitValue($0, from: from, to: to) }
    case .links(let property, let limit):
      return parts(question, property) { .links($0, moreThan: limit) }
    case .shared(let property):
      return parts(question, property) { .shared($0) }
    case .stray(let property, let entities):
      let known = entities.compactMap { objects[$0]?.entity }
      return parts(question, property) { .stray($0, outside: known) }
    case .sameValues(let rows):
      return [asked(question, .sameValues(rows.compactMap(traced)), question.entities)]
    }
  }

  private func asked(_ question: DataQuestion, _ matter: DataQuestion.Matter, _ entities: [String]) -> DataQuestion {
    var asked = question
    asked.matter = matter
    asked.entities = entities.compactMap { objects[$0]?.entity }
    return asked
  }

  private func origin(of property: Property, in entity: String) -> Origin? {
    // A leaf of a composite attribute has the same origin as the whole attribute.
    let parts = property.name.split(separator: ".", maxSplits: 1)
    let name = parts.first.map(String.init) ?? property.name
    let origin = objects[entity]?.origins[property.name] ?? objects[entity]?.origins[name]
    guard case .stored(let own)? = origin, own.name != property.name, parts.count > 1,
      objects[entity]?.origins[property.name] == nil
    else { return origin }
    return .stored(Property(own.entity, "\(own.name).\(parts[1])"))
  }

  /// Returns one question for each property of the store that supplies values.
  private func parts(
    _ question: DataQuestion,
    _ property: Property,
    _ matter: (Property) -> DataQuestion.Matter
  ) -> [DataQuestion] {
    var entities: [Property: [String]] = [:]
    for entity in question.entities {
      guard case .stored(let own)? = origin(of: property, in: entity) else { continue }
      entities[own, default: []].append(entity)
    }
    return entities.sorted { $0.key.description < $1.key.description }.map { own, entities in
      asked(question, matter(own), entities)
    }
  }

  /// Returns the question about objects that got the property on the way; all of them have a value, or none has.
  private func added(
    _ question: DataQuestion,
    _ property: Property,
    counting counts: (Bool) -> Bool
  ) -> [DataQuestion] {
    let entities = question.entities.filter { entity in
      guard case .added(let hasValue)? = origin(of: property, in: entity) else { return false }
      return counts(hasValue)
    }
    return entities.isEmpty ? [] : [asked(question, .presence(.value), entities)]
  }

  private func traced(_ row: DataQuestion.UniqueValues) -> DataQuestion.UniqueValues? {
    guard let own = objects[row.entity] else { return nil }
    var properties: [Property?] = []
    for property in row.properties {
      switch property.flatMap({ origin(of: $0, in: row.entity) }) {
      case .stored(let property): properties.append(property)
      case .added(true), nil: properties.append(nil)
      // A missing value equals no other.
      case .added(false): return nil
      }
    }
    return DataQuestion.UniqueValues(entity: own.entity, properties: properties)
  }
}
