package import DecantBase

/// Where in a store the objects and values of a later version come from.
///
/// A migration goes through versions that the store never had; what would stand in the way of a step is found out
/// before the first, by asking the store for what the step's entities and properties were in it.
package struct ValueTrace {
  /// What a property of a later version holds.
  private enum Origin: Hashable {
    /// What this property of the store holds.
    case stored(Property)
    /// Nothing, or with a default value the same in all objects: it was added on the way.
    case added(hasValue: Bool)
  }

  private struct Objects {
    let entity: String
    var origins: [String: Origin] = [:]
  }

  /// By the later version's name of an entity; one that is new there is none.
  private var objects: [String: Objects] = [:]

  /// The trace of the store's own version: everything is itself.
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

  /// Returns what is to be asked of the store for a question to a later version.
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
      // A default value of the model's own was made for it.
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
    // A leaf of a composite attribute is where the whole is.
    let parts = property.name.split(separator: ".", maxSplits: 1)
    let name = parts.first.map(String.init) ?? property.name
    let origin = objects[entity]?.origins[property.name] ?? objects[entity]?.origins[name]
    guard case .stored(let own)? = origin, own.name != property.name, parts.count > 1,
      objects[entity]?.origins[property.name] == nil
    else { return origin }
    return .stored(Property(own.entity, "\(own.name).\(parts[1])"))
  }

  /// One question for each property of the store from which values come.
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

  /// The objects that got the property on the way, all of which have a value then, or none.
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
      // What is missing agrees with nothing.
      case .added(false): return nil
      }
    }
    return DataQuestion.UniqueValues(entity: own.entity, properties: properties)
  }
}
