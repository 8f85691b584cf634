package import DecantBase
internal import DecantStore
package import DecantVersions

/// The mapping models of one migration step, without duplicates.
package struct MappingModelChoice {
  let source: NamedModel
  let destination: NamedModel
  package private(set) var taken: [MappingModel] = []

  package init(from source: NamedModel, to destination: NamedModel) {
    (self.source, self.destination) = (source, destination)
  }

  /// Adds a mapping model for the step, unless its content is already there.
  ///
  /// - Throws: `DecantError` of the family `.modelMismatch` if another one maps an entity differently.
  package mutating func take(_ model: MappingModel) throws(DecantError) {
    guard !taken.contains(where: { $0.isSource(model) || isSame($0, model) }) else { return }
    let entities = model.sourceEntities
    for other in taken {
      guard let entity = other.sourceEntities.intersection(entities).min() else { continue }
      throw DecantError(
        .mappingMisfit,
        "two mapping models apply to the step from “\(source.name)” to “\(destination.name)”: "
          + "“\(other.fileName)” and “\(model.fileName)” each map \(entity)",
        place: "\(other.place), \(model.place)",
        remedy: "choose one: \(say: .mapping) "
          + "\("\(destination.name)=\(other.place)".shellWord)"
      )
    }
    taken.append(model)
  }

  /// All of them as one mapping model; `nil` if there is none.
  package var joined: MappingModel? {
    taken.dropFirst().reduce(taken.first) { $0?.joined(with: $1) }
  }

  private func isSame(_ one: MappingModel, _ other: MappingModel) -> Bool {
    columnRole(one) == columnRole(other)
  }

  /// Returns the content of a mapping model, without the recorded models.
  private func columnRole(_ model: MappingModel) -> Set<MappingModel.EntityMapping> {
    let mappings = model.completed(from: source.model, to: destination.model).entityMappings
    return Set(
      mappings.map { mapping in
        var mapping = mapping
        (mapping.sourceHash, mapping.destinationHash, mapping.userInfo) = (nil, nil, [:])
        return mapping
      }
    )
  }
}

extension MappingModel {
  fileprivate var sourceEntities: Set<String> { Set(entityMappings.compactMap(\.sourceName)) }

  /// Returns whether `other` is the editable source of this compiled model, in the same folder.
  fileprivate func isSource(_ other: MappingModel) -> Bool {
    let (file, source) = (ModelFile(place), ModelFile(other.place))
    let names = Set(entityMappings.map(\.name))
    return file.stem == source.stem && file.name != source.name
      && other.entityMappings.allSatisfy { names.contains($0.name) }
  }
}
