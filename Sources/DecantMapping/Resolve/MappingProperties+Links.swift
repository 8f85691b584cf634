internal import DecantBase
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// Determines the targets of mapped objects' links.
extension MappingProperties {
  /// Fills the to-one link in `column`, and the columns that belong to the link.
  func fillLink(_ column: RelationColumn, _ property: Property, in part: inout MappedPart) throws(DecantError) {
    guard let (_, relationship) = destination.relationship(property.name, of: part.entity),
      let root = destination.model.root(of: relationship.destination)?.name
    else { return }
    guard let setting = setting(of: property.name, part) else {
      return try fillUnsaid(column, property, relationship, to: root, in: &part)
    }
    // A link that is always null needs no target objects.
    if setting.value.text == "NULL" { return }
    if setting.isOwnObject {
      guard !made(of: [part.source], relationship).isEmpty else {
        throw mapping.mistake(
          "no \(relationship.destination) is made from \(part.source), so $self has no target",
          at: setting.value.mark,
          remedy: "make \(relationship.destination) from \(part.source), or use one of its relationships"
        )
      }
      part.displaced.insert(property.name)
      part.values[column.columnRole] = .link(
        .ownObject,
        sourceRoot: part.sourceRoot,
        root: root,
        only: only(relationship, [part.source])
      )
      return
    }
    if let name = setting.value.text.plainName,
      let found = source.relationship(name, of: part.source)
    {
      return try fill(column, relationship, from: found, to: root, at: setting.value.mark, isSaid: true, in: &part)
    }
    if let (ends, sources) = try firstOf(setting.value, relationship, &part) {
      part.displaced.insert(property.name)
      part.values[column.columnRole] = .link(
        .first(ends),
        sourceRoot: part.sourceRoot,
        root: root,
        only: only(relationship, sources)
      )
      keepPlaces(column, of: ends.map(\.name), in: &part)
      return
    }
    let word = setting.value
    if let name = word.text.plainName, let key = nonIntegerKey(of: part, { $0.columns == [name] }) {
      return try fill(column, relationship, by: key, to: root, at: word.mark, in: &part)
    }
    let sources = Set(parts(of: root).map(\.sourceRoot))
    guard let source = sources.first, sources.count == 1 else {
      throw mapping.mistake(
        "objects of \(relationship.destination) are made from more than one entity: a key alone is ambiguous",
        at: word.mark,
        remedy: "use a relationship of \(part.source)"
      )
    }
    try fill(column, relationship, by: word, of: source, to: root, in: &part)
  }

  /// Fills the to-one link in `column` by an expression for the key of its target in `source`.
  private func fill(
    _ column: RelationColumn,
    _ relationship: Relationship,
    by word: Mapping.Word,
    of source: String,
    to root: String,
    in part: inout MappedPart
  ) throws(DecantError) {
    let subject = "the key of \(part.entity).\(relationship.name)"
    let expression = try resolver.expression(word, over: part.source, subject)
    noteUse(of: expression, in: &part)
    if !expression.reads.isEmpty { part.displaced.insert(relationship.name) }
    part.values[column.columnRole] = .link(
      .expression("(\(expression.text)\n)"),
      sourceRoot: source,
      root: root,
      only: only(relationship, parts(of: root).map(\.source))
    )
    let read = expression.reads.filter { $0.entity == part.source }.map(\.name).sorted()
    keepPlaces(column, of: read, in: &part)
  }

  /// Returns a foreign key of the part's rows to rows without integer keys.
  private func nonIntegerKey(of part: MappedPart, _ isWanted: (NonIntegerKey) -> Bool) -> NonIntegerKey? {
    source.layout.nonIntegerKeys.first { $0.root == part.sourceRoot && isWanted($0) }
  }

  /// Fills the to-one link in `column` with the row that a foreign key names by its values.
  private func fill(
    _ column: RelationColumn,
    _ relationship: Relationship,
    by key: NonIntegerKey,
    to root: String,
    at mark: Mapping.Mark,
    in part: inout MappedPart
  ) throws(DecantError) {
    let conditions = zip(key.columns, key.targetColumns).map { column, target in
      "t.\(target.quotedName) = \(part.source.quotedName).\(column.quotedName)"
    }
    let word = Mapping.Word(
      "(SELECT t._id FROM \(key.targetRoot.quotedName) AS t WHERE \(conditions.joined(separator: " AND ")))", mark)
    try fill(column, relationship, by: word, of: key.targetRoot, to: root, in: &part)
  }

  /// Returns the links in `coalesce(one, other)` if all of them are to-one relationships; `nil` for anything else.
  private func firstOf(
    _ word: Mapping.Word,
    _ relationship: Relationship,
    _ part: inout MappedPart
  ) throws(DecantError) -> (ends: [MappedValue.LinkEnd], sources: [String])? {
    guard let match = word.text.wholeMatch(of: /\s*coalesce\s*\(([^()]*)\)\s*/.ignoresCase()) else {
      return nil
    }
    var ends: [MappedValue.LinkEnd] = []
    var sources: [String] = []
    for argument in match.1.split(separator: ",", omittingEmptySubsequences: false) {
      guard let name = String(argument).plainName,
        let (declared, own) = source.relationship(name, of: part.source), !own.isToMany,
        let column = source.column(name, of: part.source, { .target($0) }),
        let targetRoot = source.model.root(of: own.destination)?.name
      else { return nil }
      try checkLeads(declared, own, relationship, at: word.mark)
      part.used.insert(declared)
      ends.append(MappedValue.LinkEnd(column: column, sourceRoot: targetRoot))
      sources += source.model.family(of: own.destination).map(\.name)
    }
    return (ends, sources)
  }

  /// Throws if no target of a source relationship becomes a valid target of the destination relationship.
  func checkLeads(
    _ declared: Property,
    _ own: Relationship,
    _ relationship: Relationship,
    at mark: Mapping.Mark
  ) throws(DecantError) {
    let sources = source.model.family(of: own.destination).map(\.name)
    guard made(of: sources, relationship).isEmpty else { return }
    throw mapping.mistake(
      "\(declared) points to \(own.destination), from which no \(relationship.destination) is made",
      at: mark,
      remedy: "remove it, or make \(relationship.destination) from \(own.destination) too"
    )
  }

  func fill(
    _ column: RelationColumn,
    _ relationship: Relationship,
    from found: (declared: Property, Relationship),
    to root: String,
    at mark: Mapping.Mark?,
    isSaid: Bool,
    in part: inout MappedPart
  ) throws(DecantError) {
    let (declared, own) = found
    guard !own.isToMany else {
      guard mapping.isInferred else {
        throw mapping.mistake(
          "\(part.entity).\(relationship.name) is to-one, but \(declared) is to-many",
          at: mark ?? .start,
          remedy: "select one by its key, with an expression over \(part.source)"
        )
      }
      // The store was checked: there is at most one.
      return fillPaired(column, relationship, from: found, to: root, in: &part)
    }
    let byValues = nonIntegerKey(of: part) { $0.relationship.name == own.name }
    if let byValues, isSaid || !made(of: [own.destination], relationship).isEmpty {
      if isSaid { try checkLeads(declared, own, relationship, at: mark ?? .start) }
      part.used.insert(declared)
      return try fill(column, relationship, by: byValues, to: root, at: mark ?? .start, in: &part)
    }
    guard let link = source.column(own.name, of: part.source, { .target($0) }),
      let targetRoot = source.model.root(of: own.destination)?.name
    else { return }
    if isSaid {
      try checkLeads(declared, own, relationship, at: mark ?? .start)
      part.displaced.insert(relationship.name)
    }
    let sources = source.model.family(of: own.destination).map(\.name)
    // Its targets become something else, or nothing; the loss is reported separately.
    guard !made(of: sources, relationship).isEmpty else { return }
    part.used.insert(declared)
    var key = MappedValue.LinkKey.column(link)
    if let (owner, back) = lonelyOwner(relationship, own, part) {
      part.used.insert(back)
      key = .first([link, owner].map { MappedValue.LinkEnd(column: $0, sourceRoot: targetRoot) })
    }
    part.values[column.columnRole] = .link(key, sourceRoot: targetRoot, root: root, only: only(relationship, sources))
    guard case .target(let property) = column.columnRole,
      let position = source.column(own.name, of: part.source, { .position($0) })
    else { return }
    part.values[.position(property)] = .column(position)
  }

  /// Returns the column in which the source stores the other end independently, if both ends become one link.
  ///
  /// In the source neither end is the inverse of the other, so that an object may be linked at one end only.
  private func lonelyOwner(_ relationship: Relationship, _ own: Relationship, _ part: MappedPart)
    -> (column: RelationColumn, back: Property)?
  {
    guard own.inverse == nil, let (_, inverse) = destination.inverse(of: relationship),
      inverse.isToMany, let (back, found) = source.relationship(inverse.name, of: own.destination),
      found.isToMany, found.inverse == nil,
      source.lineage(of: part.source).contains(found.destination),
      let column = source.relation(of: part.source)?.column(.owner(back))
    else { return nil }
    return (column, back)
  }

  /// Fills the links to the owner of this object, which both stores keep with this object.
  func fillOwner(_ property: Property, in part: inout MappedPart) {
    guard let root = destination.model.root(of: property.entity)?.name,
      let relation = source.relation(of: part.source)
    else { return }
    for owner in parts(of: root)
    where destination.lineage(of: owner.entity).contains(property.entity) {
      let name = setting(of: property.name, owner)?.value.text.plainName ?? property.name
      for declaring in source.model.lineage(of: owner.source) {
        let own = Property(declaring.name, name)
        guard let column = relation.column(.owner(own)) else { continue }
        part.values[.owner(property)] = .link(.column(column), sourceRoot: owner.sourceRoot, root: root, only: nil)
        part.used.insert(own)
        if let position = relation.column(.ownerPosition(own)) {
          part.values[.ownerPosition(property)] = .column(position)
        }
      }
    }
  }

  /// Does the same if the destination has a table for such links, which is filled from these columns.
  func fillOwners(_ part: inout MappedPart) {
    for links in destination.layout.linkRelations where links.inverse == nil {
      let lineage = destination.lineage(of: part.entity)
      guard
        let relationship = destination.relationship(links.relationship.name, of: links.relationship.entity),
        lineage.contains(relationship.1.destination)
      else { continue }
      fillOwner(links.relationship, in: &part)
    }
  }

  /// Throws if a link is required and its target is not defined.
  func checkMayLackLink(_ relationship: Relationship, _ part: MappedPart) throws(DecantError) {
    guard !relationship.isOptional else { return }
    throw mapping.mistake(
      "\(part.entity).\(relationship.name) requires a \(relationship.destination), but \(part.source) "
        + "has no relationship with that name",
      at: part.rule?.name.mark ?? .start,
      remedy: "give its target under \(part.entity): set: { \(relationship.name): … }"
    )
  }

  func parts(of root: String) -> [MappedPart] {
    roots.first { $0.root == root }?.parts ?? []
  }

  /// Returns the parts made from these source entities that are valid targets of a destination relationship.
  func made(of sources: [String], _ relationship: Relationship) -> [MappedPart] {
    let family = destination.model.family(of: relationship.destination).map(\.name)
    let root = destination.model.root(of: relationship.destination)?.name ?? ""
    return parts(of: root).filter { sources.contains($0.source) && family.contains($0.entity) }
  }

  /// Returns the valid target entities, if some objects made from `sources` are of other entities.
  func only(_ relationship: Relationship, _ sources: [String]) -> [String]? {
    let family = destination.model.family(of: relationship.destination).map(\.name)
    let root = destination.model.root(of: relationship.destination)?.name ?? ""
    let others = parts(of: root).contains {
      sources.contains($0.source) && !family.contains($0.entity)
    }
    return others ? family : nil
  }
}
