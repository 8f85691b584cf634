internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// Settles links by what the file says of their other direction.
extension MappingProperties {
  /// Fills the link of which the file says nothing: by name, or as the other end of one that it says.
  func fillUnsaid(
    _ column: RelationColumn,
    _ property: Property,
    _ relationship: Relationship,
    to root: String,
    in part: inout MappedPart
  ) throws(DecantError) {
    if let other = turned(relationship) {
      part.values[column.columnRole] = .link(.backward(other), sourceRoot: part.sourceRoot, root: root, only: nil)
      return
    }
    let said = nameByInverse(of: relationship, part)
    if source.relationship(said ?? property.name, of: part.source) == nil,
      fillFromOneWayEnd(column, relationship, to: root, in: &part)
    {
      return
    }
    guard let found = source.relationship(said ?? property.name, of: part.source),
      said != nil || !isDropped(found, relationship, part)
    else { return try checkMayLackLink(relationship, part) }
    try fill(column, relationship, from: found, to: root, at: part.rule?.name.mark, isSaid: false, in: &part)
    let dropping = said == nil ? dropping(found, relationship).map(\.entity) : []
    guard !dropping.isEmpty,
      case .link(let key, let sourceRoot, _, let only) = part.values[column.columnRole]
    else { return }
    let kept = (only ?? destination.model.family(of: root).map(\.name)).filter {
      !dropping.contains($0)
    }
    part.values[column.columnRole] = .link(key, sourceRoot: sourceRoot, root: root, only: kept)
  }

  /// Whether the file drops the links, in this direction or in the other one.
  func isDropped(
    _ found: (declared: Property, Relationship),
    _ relationship: Relationship,
    _ part: MappedPart
  ) -> Bool {
    if isDropped(found.declared.name, part) { return true }
    let sources = source.model.family(of: found.1.destination).map(\.name)
    let ends = made(of: sources, relationship)
    return !ends.isEmpty && dropping(found, relationship).count == ends.count
  }

  /// What is made of objects at the other end of a link and drops it there.
  private func dropping(_ found: (declared: Property, Relationship), _ relationship: Relationship) -> [MappedPart] {
    guard let (inverse, _) = source.inverse(of: found.1) else { return [] }
    let sources = source.model.family(of: found.1.destination).map(\.name)
    return made(of: sources, relationship).filter { isDropped(inverse.name, $0) }
  }

  /// The relationship that leads back to one object, where the file says it in a way that only a table turns
  /// around.
  private func turned(_ relationship: Relationship) -> Property? {
    guard let (declared, inverse) = destination.inverse(of: relationship), !inverse.isToMany else {
      return nil
    }
    for rule in mapping.entities
    where destination.lineage(of: rule.name.text).contains(declared.entity) {
      guard let setting = rule.settings.first(where: { $0.property.text == inverse.name }) else {
        continue
      }
      for entity in rule.sources.isEmpty ? [rule.name.text] : rule.sources.map(\.text) {
        guard !setting.isOwnObject, let name = setting.value.text.plainName,
          let (_, own) = source.relationship(name, of: entity),
          let (_, back) = source.inverse(of: own), !back.isToMany
        else { return declared }
      }
    }
    return nil
  }

  /// The name of the source's relationship where the file says it of the other direction.
  private func nameByInverse(of relationship: Relationship, _ part: MappedPart) -> String? {
    guard let (_, inverse) = destination.inverse(of: relationship) else { return nil }
    for rule in mapping.entities
    where destination.lineage(of: rule.name.text).contains(relationship.destination) {
      guard let setting = rule.settings.first(where: { $0.property.text == inverse.name }),
        let name = setting.value.text.plainName
      else { continue }
      for entity in rule.sources.isEmpty ? [rule.name.text] : rule.sources.map(\.text) {
        guard let (_, own) = source.relationship(name, of: entity),
          source.lineage(of: part.source).contains(own.destination)
        else { continue }
        if let back = own.inverse { return back }
      }
    }
    return nil
  }

  /// Checks that links to many come from links that a store can keep so, of what becomes such objects.
  func checkManyLinks(_ rule: Mapping.EntityRule, _ part: MappedPart) throws(DecantError) {
    for setting in rule.settings {
      guard
        let (_, relationship) = destination.relationship(setting.property.text, of: part.entity),
        relationship.isToMany
      else { continue }
      let names = source.relationshipNames(of: part.source)
      guard !setting.isOwnObject, let name = setting.value.text.plainName,
        let (declared, own) = source.relationship(name, of: part.source)
      else {
        throw mapping.mistake(
          "\(part.entity).\(relationship.name) is to-many: only a relationship of \(part.source) can fill it",
          at: setting.value.mark,
          remedy: names.isEmpty
            ? "\(part.source) has no relationships"
            : "\(part.source) has \(names.joined(separator: ", "))"
        )
      }
      // Where both ends lead to many, links to one become some of a table.
      guard
        own.isToMany || mapping.isInferred
          || destination.inverse(of: relationship)?.1.isToMany == true
      else {
        throw mapping.mistake(
          "\(part.entity).\(relationship.name) is to-many, but \(declared) is to-one",
          at: setting.value.mark,
          remedy: "use a to-many relationship, or set the inverse instead"
        )
      }
      try checkLeads(declared, own, relationship, at: setting.value.mark)
    }
  }
}
