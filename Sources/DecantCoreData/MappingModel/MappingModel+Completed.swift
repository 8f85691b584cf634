package import DecantBase

extension MappingModel {
  /// Returns the mapping model with the parts completed that Xcode leaves to its compiler; a compiled one unchanged.
  ///
  /// An attribute without an expression takes the value of the source's attribute of the same name. A relationship
  /// takes the results of the source relationship's targets: through their entity mapping if there is one, else through
  /// the relationship. Properties that the source does not have keep the default of the destination's model.
  ///
  /// - Source: a compiled mapping model beside the one that it was compiled from.
  package func completed(from source: Model, to destination: Model) -> MappingModel {
    var model = self
    for index in model.entityMappings.indices {
      complete(&model.entityMappings[index], source)
    }
    return model
  }

  private func complete(_ mapping: inout EntityMapping, _ source: Model) {
    if mapping.kind == .undefined { mapping.kind = kind(of: mapping) }
    let entity = mapping.sourceName
    let attributes = Set(entity.map { source.attributes(of: $0).map(\.name) } ?? [])
    for index in mapping.attributes.indices where mapping.attributes[index].value == .automatic {
      let name = mapping.attributes[index].name
      mapping.attributes[index].value =
        attributes.contains(name) ? .expression(.keyPath(of: .source, [name])) : .nothing
    }
    for index in mapping.relationships.indices {
      let property = mapping.relationships[index]
      switch property.value {
      case .automatic:
        let path = MappingExpression.keyPath(of: .source, [property.name])
        mapping.relationships[index].value = links(path, nil, entity, source)
      case .links(let path, let name):
        let own = MappingExpression.keyPath(of: .source, [property.name])
        mapping.relationships[index].value = links(path ?? own, name, entity, source)
      case .nothing, .expression: break
      }
    }
  }

  private func kind(of mapping: EntityMapping) -> Kind {
    if mapping.policy != nil, mapping.sourceName != nil { return .custom }
    if mapping.sourceName == nil { return .add }
    return mapping.destinationName == nil ? .remove : .copy
  }

  /// Returns the results of the objects at `path`: of the mapping `name`, or of any mapping.
  private func links(_ path: MappingExpression, _ name: String?, _ entity: String?, _ source: Model) -> Filling {
    if let name {
      let arguments = [MappingExpression.constant(.text(name)), path]
      return .expression(.function(on: .manager, MappingExpression.Selector.throughMapping, arguments))
    }
    // The entity at the end of the path cannot be determined.
    guard let entity, let names = path.sourcePath, let last = names.last,
      let target = source.target(of: names, from: entity)
    else { return .nothing }
    let family = Set(source.family(of: target).map(\.name))
    let mappings = entityMappings.filter { mapping in
      mapping.destinationName != nil && mapping.sourceName.map(family.contains) == true
    }
    guard let first = mappings.first else { return .nothing }
    guard mappings.count > 1 else { return links(path, first.name, entity, source) }
    let arguments = [MappingExpression.constant(.text(last)), path]
    return .expression(.function(on: .manager, MappingExpression.Selector.throughRelationship, arguments))
  }
}
