package import DecantBase
package import DecantVersions

extension MappingModel {
  /// Returns why this mapping model does not fit `source` and `destination`; `nil` if it does.
  ///
  /// Entities are compared by version hashes if the mapping model and the models have them, as in Core Data; else by
  /// the names of all entities and properties that the mapping model contains.
  package func misfit(from source: Model, to destination: Model) -> String? {
    if let properties = self.source?.properties,
      let reason = difference(properties, source, "comes from")
    {
      return reason
    }
    if let properties = self.destination?.properties,
      let reason = difference(properties, destination, "leads to")
    {
      return reason
    }
    for mapping in entityMappings {
      if let reason = misfit(of: mapping, source, destination) { return reason }
    }
    return nil
  }

  /// Throws unless this mapping model fits the models.
  ///
  /// - Parameters:
  ///   - source: The required source version.
  ///   - destination: The required destination version.
  /// - Throws: `DecantError` of the family `.modelMismatch`, with the difference and a remedy.
  package func checkFits(from source: NamedModel, to destination: NamedModel) throws(DecantError) {
    guard let reason = misfit(from: source.model, to: destination.model) else { return }
    let versions = [self.source?.versionName, self.destination?.versionName].compactMap(\.self)
      .filter { !$0.isEmpty }
    let made = versions.count == 2 ? ": it was made for “\(versions[0])” to “\(versions[1])”" : ""
    throw DecantError(
      .mappingMisfit,
      "“\(fileName)” is not a mapping model from “\(source.name)” to “\(destination.name)”\(made)",
      place: "\(place): \(reason)",
      remedy: "use the mapping model of this step, recompile it if the models changed, "
        + "or write a mapping file for the step and pass it with \(say: .mapping)"
    )
  }

  /// Returns the difference between the recorded names and those of `model`.
  private func difference(_ properties: [String: Set<String>], _ model: Model, _ verb: String) -> String? {
    let (there, wanted) = (Set(model.entities.map(\.name)), Set(properties.keys))
    if let name = wanted.subtracting(there).min() {
      return "it \(verb) a model with an entity \(name), which does not exist"
    }
    if let name = there.subtracting(wanted).min() {
      return "it \(verb) a model without an entity \(name), which exists"
    }
    for entity in model.entities {
      let names = Set(entity.attributes.map(\.name) + entity.relationships.map(\.name))
      let remembered = properties[entity.name] ?? []
      if let name = names.subtracting(remembered).min() {
        return "it \(verb) a model without \(entity.name).\(name), which exists"
      }
      if let name = remembered.subtracting(names).min() {
        return "it \(verb) a model with \(entity.name).\(name), which does not exist"
      }
    }
    return nil
  }

  private func misfit(of mapping: EntityMapping, _ source: Model, _ destination: Model) -> String? {
    if let name = mapping.sourceName {
      guard let entity = source[name] else {
        return "\(mapping.name) comes from an entity \(name), which does not exist"
      }
      if let hash = entity.versionHash, let own = mapping.sourceHash, hash != own {
        return "\(mapping.name) comes from a different version of \(name)"
      }
    }
    guard let name = mapping.destinationName else { return nil }
    guard let entity = destination[name] else {
      return "\(mapping.name) leads to an entity \(name), which does not exist"
    }
    if let hash = entity.versionHash, let own = mapping.destinationHash, hash != own {
      return "\(mapping.name) leads to a different version of \(name)"
    }
    if let missing = mapping.attributes.first(where: {
      destination.attribute($0.name, of: name) == nil
    }) {
      return "\(mapping.name) sets \(name).\(missing.name), but there is no such attribute"
    }
    if let missing = mapping.relationships.first(where: {
      destination.relationship($0.name, of: name) == nil
    }) {
      return "\(mapping.name) sets \(name).\(missing.name), but there is no such relationship"
    }
    return paths(of: mapping).lazy.compactMap { self.misfit(of: $0, mapping, source) }.first
  }

  /// Returns the key paths from `$source` in the property mappings.
  private func paths(of mapping: EntityMapping) -> [[String]] {
    (mapping.attributes + mapping.relationships).flatMap { property -> [[String]] in
      switch property.value {
      case .expression(let expression): expression.sourcePaths
      case .links(let path?, _): path.sourcePaths
      case .links(nil, _), .automatic, .nothing: []
      }
    }
  }

  private func misfit(of path: [String], _ mapping: EntityMapping, _ source: Model) -> String? {
    guard let entity = mapping.sourceName, let first = path.first, !first.hasPrefix("@"),
      source.attribute(first, of: entity) == nil, source.relationship(first, of: entity) == nil
    else { return nil }
    return "\(mapping.name) reads \(entity).\(first), which does not exist"
  }
}

extension MappingExpression {
  /// The key paths from `$source` in this expression.
  var sourcePaths: [[String]] {
    switch self {
    case .keyPath(of: .source, let names): [names]
    case .keyPath(of: let operand, _): operand.sourcePaths
    case .function(on: let operand, _, let arguments):
      ([operand] + arguments).flatMap(\.sourcePaths)
    case .fetch(let request, let context, _): request.sourcePaths + context.sourcePaths
    case .list(let elements): elements.flatMap(\.sourcePaths)
    case .constant, .constantClass, .itself, .variable, .other: []
    }
  }
}
