internal import DecantBase
internal import DecantPlan
internal import DecantSQLite

/// Converting the mappings of relationships.
///
/// A relationship and its inverse have the same links, and either of them may define them: both directions are examined
/// before one of them becomes a rule.
extension MappingModelConverter {
  mutating func fillRelationships() {
    for index in parts.indices { readPaths(index) }
    for index in parts.indices { imply(index) }
    for index in parts.indices {
      for relationship in destination.relationships(of: parts[index].destination)
      where !relationship.isTransient {
        do throws(SourceTerms.Refusal) {
          try fill(relationship, index)
        } catch {
          let name = "\(parts[index].destination).\(relationship.name)"
          refuse(parts[index].mapping, "sets \(name) \(error.reason)")
        }
      }
    }
  }

  // MARK: Reading

  /// Reads the key paths of the relationships that a part sets.
  private mutating func readPaths(_ index: Int) {
    let part = parts[index]
    for property in part.mapping.relationships {
      guard case .expression(let expression) = property.value,
        let relationship = destination.relationship(property.name, of: part.destination),
        !relationship.isTransient
      else { continue }
      do throws(SourceTerms.Refusal) {
        parts[index].paths[property.name] = try path(expression, relationship, part)
      } catch {
        refuse(part.mapping, "sets \(part.destination).\(property.name) by “\(expression)”: \(error.reason)")
      }
    }
  }

  /// Returns the path from a source object to those whose results are the targets; `nil` if these are not mapped.
  private mutating func path(
    _ expression: MappingExpression,
    _ relationship: Relationship,
    _ part: Part
  ) throws(SourceTerms.Refusal) -> [String]? {
    guard case .function(on: .manager, let selector, let arguments) = expression,
      arguments.count == 2, let name = arguments[0].text, let path = arguments[1].sourcePath
    else { throw SourceTerms.Refusal("only the mapped objects of $source are supported") }
    // Combining the objects of several paths results in the same links.
    let names = path.filter { $0 != "@distinctUnionOfSets" && $0 != "@distinctUnionOfObjects" }
    guard let end = source.target(of: names, from: part.source) else {
      throw SourceTerms.Refusal("there is no such relationship")
    }
    let makers = makers(of: relationship.destination, from: end)
    switch selector {
    case MappingExpression.Selector.throughMapping:
      guard model.entityMappings.contains(where: { $0.name == name }) else {
        throw SourceTerms.Refusal("there is no entity mapping \(name)")
      }
      let others = makers.filter { $0.name != name }
      guard others.isEmpty else {
        throw SourceTerms.Refusal(
          "links through \(name) alone, as \(others.map(\.name).joined(separator: ", ")) "
            + "makes \(relationship.destination) of \(end) as well"
        )
      }
      guard !makers.isEmpty else {
        throw SourceTerms.Refusal("\(name) does not make \(relationship.destination) from \(end)")
      }
    case MappingExpression.Selector.throughRelationship:
      guard names == [name] else {
        throw SourceTerms.Refusal("the relationship \(name) does not point to these objects")
      }
      guard !makers.isEmpty else { return nil }
    default: throw SourceTerms.Refusal("only the mapped objects of $source are supported")
    }
    noteRelationships(names, part.source)
    return names
  }

  /// Returns the entity mappings from `entity` or its subentities to possible targets of a relationship.
  private func makers(of target: String, from entity: String) -> [MappingModel.EntityMapping] {
    let ends = Set(source.family(of: entity).map(\.name))
    let targets = Set(destination.family(of: target).map(\.name))
    return model.entityMappings.filter { mapping in
      mapping.sourceName.map(ends.contains) == true
        && mapping.destinationName.map(targets.contains) == true
    }
  }

  private mutating func noteRelationships(_ names: [String], _ entity: String) {
    var entity = entity
    for name in names {
      guard let next = source.relationship(name, of: entity) else { return }
      let terms = SourceTerms(model: source, entity: entity)
      note(Property(terms.declaring(name, entity) ?? entity, name))
      if let inverse = next.inverse {
        note(Property(terms.declaring(inverse, next.destination) ?? next.destination, inverse))
      }
      entity = next.destination
    }
  }

  /// Applies the mapping of a to-many relationship to its to-one inverse, if only a key can represent the links.
  private mutating func imply(_ index: Int) {
    let part = parts[index]
    for relationship in destination.relationships(of: part.destination) {
      guard let path = part.paths[relationship.name], relationship.isToMany,
        path.count != 1 || isOneToOne(path[0], of: part.source),
        let inverse = destination.inverse(of: relationship), !inverse.isToMany,
        let back = source.wayBack(of: path, from: part.source),
        let end = source.target(of: path, from: part.source)
      else { continue }
      for other in partners(of: relationship, from: end)
      where parts[other].paths[inverse.name] == nil {
        parts[other].paths[inverse.name] = back
      }
    }
  }

  private func isOneToOne(_ name: String, of entity: String) -> Bool {
    guard let own = source.relationship(name, of: entity), !own.isToMany else { return false }
    return source.inverse(of: own)?.isToMany == false
  }

  /// Returns the parts that make the targets of a relationship from `entity` or its subentities, or from any if `nil`.
  private func partners(of relationship: Relationship, from entity: String?) -> [Int] {
    let ends = entity.map { Set(source.family(of: $0).map(\.name)) }
    let targets = Set(destination.family(of: relationship.destination).map(\.name))
    return parts.indices.filter { index in
      targets.contains(parts[index].destination)
        && (ends?.contains(parts[index].source) ?? true)
    }
  }

  // MARK: Rules

  private mutating func fill(_ relationship: Relationship, _ index: Int) throws(SourceTerms.Refusal) {
    let part = parts[index]
    guard let path = part.paths[relationship.name] else { return try leave(relationship, index) }
    let inverse = destination.inverse(of: relationship)
    if let inverse { try checkAgree(relationship, inverse, path, part) }
    if path.isEmpty, !relationship.isToMany {
      var setting = Mapping.Setting(Self.word(relationship.name), Self.word("$self"))
      setting.isOwnObject = true
      parts[index].rule.settings.append(setting)
      return
    }
    guard path.count == 1, let own = source.relationship(path[0], of: part.source) else {
      return try fill(relationship, inverse, byKey: path, index)
    }
    guard !own.isTransient else { throw SourceTerms.Refusal("from a property that a store does not hold") }
    let back = source.inverse(of: own)
    guard own.isToMany == relationship.isToMany, back?.isToMany == inverse?.isToMany else {
      // For one-to-one links the other end defines them, in its own column.
      if relationship.isToMany, inverse?.isToMany == false, !own.isToMany, back?.isToMany == false {
        return
      }
      let name = "\(part.source).\(own.name)"
      if let reason = obstacle(relationship, inverse, own, back, name) {
        throw SourceTerms.Refusal("from \(name), \(reason)")
      }
      return setName(own.name, of: relationship, index)
    }
    let isBoth = relationship.isToMany && inverse?.isToMany != false
    guard own.name != relationship.name || back?.name != inverse?.name || isBoth else { return }
    setName(own.name, of: relationship, index)
  }

  /// Returns why the links of `own`, a source relationship called `name`, cannot become those of `relationship`.
  ///
  /// The number of targets differs in at least one direction. Returns `nil` if the links can be converted.
  private func obstacle(
    _ relationship: Relationship,
    _ inverse: Relationship?,
    _ own: Relationship,
    _ back: Relationship?,
    _ name: String
  ) -> String? {
    guard relationship.isToMany else {
      // A to-one link has its own column, whatever the inverse is.
      return own.isToMany ? "which is to-many, so the target is not defined" : nil
    }
    switch (back, inverse) {
    case (let back?, let inverse?):
      // Many-to-many: the content of a column or table of the source becomes a table.
      if inverse.isToMany { return nil }
      let there = "\(relationship.destination).\(inverse.name)"
      return back.isToMany
        ? "through which several objects may have the same target, but \(there) is to-one"
        : nil
    // A column at the to-one end.
    case (nil, let inverse?) where !own.isToMany && inverse.isToMany: return nil
    case (nil, _): return "which has no inverse, but now needs one"
    case (_, nil):
      return "which has the inverse \(own.inverse ?? "another"), but now needs none"
    }
  }

  private mutating func setName(_ name: String, of relationship: Relationship, _ index: Int) {
    parts[index].rule.settings.append(Mapping.Setting(Self.word(relationship.name), Self.word(name.quotedName)))
  }

  /// Sets a to-one link to the key of the object at the end of `path`.
  private mutating func fill(
    _ relationship: Relationship,
    _ inverse: Relationship?,
    byKey path: [String],
    _ index: Int
  ) throws(SourceTerms.Refusal) {
    let part = parts[index]
    if relationship.isToMany {
      // The inverse, a to-one relationship, defines the same links.
      guard let inverse, !inverse.isToMany, !relationship.isOrdered,
        !partners(of: relationship, from: source.target(of: path, from: part.source)).isEmpty
      else {
        throw SourceTerms.Refusal("to many objects, from more than one relationship")
      }
      return
    }
    let term = try SourceTerms(model: source, entity: part.source).term(path)
    let root = destination.root(of: relationship.destination)?.name
    let sources = Set(
      parts.filter { destination.root(of: $0.destination)?.name == root }.map {
        source.root(of: $0.source)?.name ?? $0.source
      }
    )
    guard sources.count == 1 else {
      throw SourceTerms.Refusal(
        "by a key, but it is made from more than one entity: "
          + sources.sorted().joined(separator: ", ")
      )
    }
    for property in term.reads { note(property) }
    parts[index].rule.settings.append(Mapping.Setting(Self.word(relationship.name), Self.word(term.sql)))
  }

  /// Throws if the two directions of the same links are mapped differently.
  private func checkAgree(
    _ relationship: Relationship,
    _ inverse: Relationship,
    _ path: [String],
    _ part: Part
  ) throws(SourceTerms.Refusal) {
    let back = source.wayBack(of: path, from: part.source)
    let end = source.target(of: path, from: part.source)
    for other in partners(of: relationship, from: end) {
      guard let said = parts[other].paths[inverse.name], said != back else { continue }
      throw SourceTerms.Refusal(
        "differently from how \(parts[other].mapping.name) sets \(parts[other].destination).\(inverse.name), "
          + "which holds the same links"
      )
    }
  }

  /// Omits the links of a relationship that neither direction maps.
  private mutating func leave(_ relationship: Relationship, _ index: Int) throws(SourceTerms.Refusal) {
    let part = parts[index]
    if let inverse = destination.inverse(of: relationship) {
      let family = Set(source.lineage(of: part.source).map(\.name))
      let isSaid = partners(of: relationship, from: nil).contains { other in
        guard let path = parts[other].paths[inverse.name],
          let end = source.target(of: path, from: parts[other].source)
        else { return false }
        return family.contains(end) || source.lineage(of: end).contains { $0.name == part.source }
      }
      if isSaid { return }
    }
    guard relationship.isToMany || relationship.isOptional else {
      throw SourceTerms.Refusal("to nothing, but it requires a \(relationship.destination)")
    }
    if let own = source.relationship(relationship.name, of: part.source), !own.isTransient {
      parts[index].rule.dropped.append(Self.word(relationship.name))
    }
  }
}
