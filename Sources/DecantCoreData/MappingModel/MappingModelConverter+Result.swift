internal import DecantBase
internal import DecantPlan

/// Assembling the mapping, or the error.
extension MappingModelConverter {
  var result: MappingModelConversion {
    let lostEntities = self.lostEntities
    var mapping = file ?? Mapping(place: model.place)
    mapping.entities += parts.map(\.rule) + unmade
    if file == nil {
      mapping.contract.attributes = .discard
    } else {
      // The file covers what it maps; the losses of the mapping model are dropped by name.
      for index in mapping.entities.indices where index >= file?.entities.count ?? 0 {
        mapping.entities[index].dropLost(lostProperties, in: source)
      }
    }
    if file == nil || !lostEntities.isEmpty { mapping.contract.entities = .discard }
    return MappingModelConversion(mapping: mapping, lostEntities: lostEntities, lostProperties: lostProperties)
  }

  /// Rules for unmapped destination entities whose objects would otherwise be mapped by name.
  private var unmade: [Mapping.EntityRule] {
    let made = Set(parts.map(\.destination)).union(file?.entities.map(\.name.text) ?? [])
    return destination.entities.compactMap { entity in
      let name = entity.name
      guard !entity.isAbstract, !made.contains(name), source[name]?.isAbstract == false else {
        return nil
      }
      var rule = Mapping.EntityRule(Self.word(name))
      rule.sources = [Self.word(name)]
      rule.condition = Self.word("0")
      // Required attributes are set although no object is made.
      let attributes = destination.attributes(of: name).filter { attribute in
        !attribute.isOptional && !attribute.isTransient && !attribute.isDerived
          && attribute.defaultValue == nil && source.attribute(attribute.name, of: name) == nil
      }
      let relationships = destination.relationships(of: name).filter {
        !$0.isOptional && !$0.isToMany && source.relationship($0.name, of: name) == nil
      }
      for property in attributes.map(\.name) + relationships.map(\.name) {
        rule.settings.append(Mapping.Setting(Self.word(property), Self.word("NULL")))
      }
      rule.dropped = names(of: name, in: source).subtracting(names(of: name, in: destination))
        .sorted().map { Self.word($0) }
      return rule
    }
  }

  /// Returns the stored names of an entity's properties.
  private func names(of entity: String, in model: Model) -> Set<String> {
    let relationships = model.relationships(of: entity).filter { !$0.isTransient }
    return Set(model.attributes(of: entity).flatMap(\.storedNames) + relationships.map(\.name))
  }

  private var lostEntities: [String] {
    let made = Set(parts.map(\.source))
    let inFile = Set(file?.entities.flatMap { $0.sources.isEmpty ? [$0.name.text] : $0.sources.map(\.text) } ?? [])
    return source.entities.filter { !$0.isAbstract }.map(\.name).filter {
      !made.contains($0) && !inFile.contains($0)
    }.sorted()
  }

  private var lostProperties: [Property] {
    var lost: Set<Property> = []
    for entity in Set(parts.map(\.source)) {
      for declaring in source.lineage(of: entity) {
        let names =
          declaring.attributes.flatMap(\.storedNames)
          + declaring.relationships.filter { !$0.isTransient }.map(\.name)
        lost.formUnion(names.map { Property(declaring.name, $0) })
      }
    }
    return lost.subtracting(reads).sorted { "\($0)" < "\($1)" }
  }

  /// The error that lists everything that decant cannot perform.
  var refusal: DecantError {
    let told = refusals.prefix(100)
    let rest = refusals.count - told.count
    return DecantError(
      .mappingMisfit,
      "“\(model.fileName)” has mappings that decant does not support: \(told.joined(separator: "; "))"
        + (rest > 0 ? "; and \(rest) more" : ""),
      place: "\(model.place)",
      remedy:
        "write a mapping file for these entities, and pass it for this step with "
        + "\(say: .mapping); \(command: "copy \(option: .dryRun) \(option: .suggestMapping)", app: "the mapping suggestion of a copy") drafts one"
    )
  }
}

extension Mapping.EntityRule {
  /// Drops the lost properties of the rule's source.
  fileprivate mutating func dropLost(_ lost: [Property], in model: Model) {
    let there = Set(sources.flatMap { model.lineage(of: $0.text) }.map(\.name))
    let dropped = Set(self.dropped.map(\.text))
    for property in lost where there.contains(property.entity) && !dropped.contains(property.name) {
      self.dropped.append(MappingModelConverter.word(property.name))
    }
  }
}
