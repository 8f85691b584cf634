internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// Determines links from what the file says about their inverse.
extension MappingProperties {
  /// Fills a link without a setting: by name, or as the inverse of one with a setting.
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

  /// Returns whether the file drops the links in either direction.
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

  /// Returns the parts made from the objects at the other end that drop the link there.
  private func dropping(_ found: (declared: Property, Relationship), _ relationship: Relationship) -> [MappedPart] {
    guard let (inverse, _) = source.inverse(of: found.1) else { return [] }
    let sources = source.model.family(of: found.1.destination).map(\.name)
    return made(of: sources, relationship).filter { isDropped(inverse.name, $0) }
  }

  /// Returns the to-one inverse, if its setting can be reversed only by a table.
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

  /// Returns the name of the source's relationship, if the file defines it for the inverse.
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

  /// Throws unless settings of to-many links use links that can be stored in this form and lead to valid targets.
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
      // If both ends are to-many, to-one links become rows of a link table.
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
