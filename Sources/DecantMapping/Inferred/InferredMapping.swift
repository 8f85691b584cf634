package import DecantBase
package import DecantPlan
internal import DecantVersions
internal import DecantSQLite

/// The mapping that follows from a chain of models: all steps of an automatic migration combined.
///
/// Entities and properties are traced back from the last model to the first, step by step, by renaming identifier and
/// name as in `ModelMatching`. A property added by a step starts with the default value of that step's model, and one
/// that becomes required gets that model's default in place of null. What one step drops is lost, even if a later model
/// has something of the same name again. Core Data has the same result when it migrates from version to version.
package struct InferredMapping {
  private let models: [Model]
  private let matchings: [ModelMatching]

  /// Follows the chain of at least two `models`, oldest first.
  package init(_ models: [Model]) {
    self.models = models
    matchings = zip(models, models.dropFirst()).map { ModelMatching(from: $0, to: $1) }
  }

  private var source: Model { models[0] }
  private var destination: Model { models[models.count - 1] }

  /// Returns the mapping, with all names written out.
  ///
  /// - Parameters:
  ///   - place: The beginning of error messages.
  ///   - losesEntities: Whether objects of removed entities may be discarded.
  /// - Returns: A mapping with the contract `freeze`, so that nothing is lost unless the mapping names it.
  package func mapping(place: String, losesEntities: Bool) -> Mapping {
    var mapping = Mapping(place: place)
    mapping.isInferred = true
    if losesEntities { mapping.contract.entities = .discard }
    let paths = destination.entities.filter { !$0.isAbstract }.compactMap { path(of: $0.name) }
      .filter { source[$0[0]]?.isAbstract == false }
    let kept = keptRelationships(paths)
    mapping.entities = paths.map { rule($0, kept) }
    return mapping
  }

  /// Whether objects of the first model are unchanged if they are read as objects of the last one.
  ///
  /// Stores of both versions then have the same tables, and it does not matter which version a store has. Bytes that
  /// may be in an external file start with a tag, which is added and removed depending on the models alone.
  package var keepsAll: Bool {
    let rules = mapping(place: "", losesEntities: false).entities
    let names = destination.entities.filter { !$0.isAbstract }.map(\.name)
    return rules.map(\.name.text) == names
      && rules.allSatisfy { rule in
        rule.sources.map(\.text) == [rule.name.text] && rule.settings.isEmpty
          && rule.dropped.isEmpty && keepsTypes(of: rule.name.text)
      }
  }

  private func keepsTypes(of entity: String) -> Bool {
    let earlier = stored(of: entity)
    return destination.attributes(of: entity).filter(\.isStored).flatMap(\.leaves).filter(\.isStored)
      .allSatisfy { attribute in
        guard let own = earlier.first(where: { $0.name == attribute.name }) else { return false }
        return own.type.storageName == attribute.type.storageName
          && own.allowsExternalStorage == attribute.allowsExternalStorage
      }
  }

  /// Returns the names of `entity`, of the last model, in all models, oldest first; `nil` if it is new.
  private func path(of entity: String) -> [String]? {
    var names = [entity]
    for matching in matchings.reversed() {
      guard let name = names.last, let earlier = matching.source(of: name) else { return nil }
      names.append(earlier)
    }
    return names.reversed()
  }

  private func rule(_ path: [String], _ kept: Set<Property>) -> Mapping.EntityRule {
    var rule = Mapping.EntityRule(word(path[path.count - 1]))
    rule.sources = [word(path[0])]
    var taken: Set<String> = []
    for attribute in destination.attributes(of: path[path.count - 1]) where attribute.isStored {
      let origin = AttributeOrigin(of: attribute, along: path, matchings)
      for leaf in attribute.leaves {
        let rest = leaf.name.dropFirst(attribute.name.count)
        let earlier = origin.name.map { "\($0)\(rest)" }
        let found = stored(of: path[0]).contains { $0.name == earlier }
        if let earlier, found { taken.insert(earlier) }
        let hasNamesake = stored(of: path[0]).contains { $0.name == leaf.name }
        let own = found || rest.isEmpty ? origin.appending(rest) : .none
        guard let value = own.setting(for: leaf, hasNamesake: hasNamesake) else { continue }
        rule.settings.append(Mapping.Setting(word(leaf.name), word(value)))
      }
    }
    for attribute in stored(of: path[0]) where !taken.contains(attribute.name) {
      rule.dropped.append(word(attribute.name))
    }
    for relationship in destination.relationships(of: path[path.count - 1])
    where !relationship.isTransient {
      guard let name = origin(of: relationship, along: path) else { continue }
      let isOnlyEnd = isTurned(name, of: path[0], into: relationship) || hasNewInverse(name, of: path[0], relationship)
      guard name != relationship.name || isOnlyEnd else { continue }
      let earlier = source.relationships(of: path[0]).first { $0.name == name }
      guard let earlier, earlier.isToMany == relationship.isToMany || tells(earlier, relationship)
      else { continue }
      rule.settings.append(Mapping.Setting(word(relationship.name), word(name.quotedName)))
    }
    for declared in source.declaredRelationships(of: path[0])
    where !kept.contains(declared.property) {
      rule.dropped.append(word(declared.property.name))
    }
    return rule
  }

  /// Returns whether the rule of a relationship that changes between to-one and to-many has to name its origin.
  ///
  /// Otherwise its inverse does: it is to-one in both models, or in the one in which this end is to-many.
  private func tells(_ earlier: Relationship, _ relationship: Relationship) -> Bool {
    guard let back = source.inverse(of: earlier),
      let inverse = destination.inverse(of: relationship)
    else { return true }
    return inverse.isToMany || !relationship.isToMany && back.isToMany
  }

  /// Returns whether the inverse of a to-one relationship changed from to-many to to-one, to be filled from this end.
  private func isTurned(_ name: String, of entity: String, into relationship: Relationship) -> Bool {
    guard let earlier = source.relationships(of: entity).first(where: { $0.name == name }),
      !earlier.isToMany, !relationship.isToMany,
      let back = source.inverse(of: earlier), let inverse = destination.inverse(of: relationship)
    else { return false }
    return back.isToMany && !inverse.isToMany
  }

  /// Returns whether the inverse, which stores the links of a to-many relationship, does not continue the inverse that
  /// stored them, so that it is filled from this end.
  private func hasNewInverse(_ name: String, of entity: String, _ relationship: Relationship) -> Bool {
    guard relationship.isToMany,
      let earlier = source.relationships(of: entity).first(where: { $0.name == name }), earlier.isToMany,
      let back = source.inverse(of: earlier), !back.isToMany,
      let inverse = destination.inverse(of: relationship), !inverse.isToMany,
      let path = path(of: relationship.destination)
    else { return false }
    return origin(of: inverse, along: path) != back.name
  }

  private func stored(of entity: String) -> [Attribute] {
    source.attributes(of: entity).filter(\.isStored).flatMap(\.leaves).filter(\.isStored)
  }

  /// Returns the relationships of the first model whose links are kept, including their inverses.
  private func keptRelationships(_ paths: [[String]]) -> Set<Property> {
    var kept: Set<Property> = []
    for path in paths {
      for relationship in destination.relationships(of: path[path.count - 1])
      where !relationship.isTransient {
        guard let name = origin(of: relationship, along: path),
          let declared = source.declaredRelationships(of: path[0]).first(where: {
            $0.property.name == name
          })
        else { continue }
        kept.insert(declared.property)
        guard let inverse = declared.relationship.inverse else { continue }
        for other in source.declaredRelationships(of: declared.relationship.destination)
        where other.property.name == inverse { kept.insert(other.property) }
      }
    }
    return kept
  }

  /// Returns the name of a last model's relationship in the first model; `nil` if it was added since.
  private func origin(of relationship: Relationship, along path: [String]) -> String? {
    var name = relationship.name
    for (step, matching) in matchings.enumerated().reversed() {
      let found = matching.relationships(path[step], path[step + 1]).common.first {
        $0.destination.part.name == name
      }
      guard let found, !found.source.part.isTransient else { return nil }
      name = found.source.part.name
    }
    return name
  }

  private func word(_ text: String) -> Mapping.Word { Mapping.Word(text, .start) }
}

extension Model {
  /// Returns the stored relationships of `entity`, each with the entity that declares it.
  fileprivate func declaredRelationships(of entity: String) -> [(property: Property, relationship: Relationship)] {
    lineage(of: entity).flatMap { declaring in
      declaring.relationships.filter { !$0.isTransient }.map {
        (Property(declaring.name, $0.name), $0)
      }
    }
  }
}

extension AttributeType {
  /// The name shared by all types whose values are stored in the same way.
  fileprivate var storageName: String {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: "integer"
    case .float, .double: "double"
    case .string, .uri: "text"
    default: name
    }
  }
}
