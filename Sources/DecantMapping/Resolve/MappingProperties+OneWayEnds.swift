internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// Determines to-one links that the source stores only at the other end, or as one of several links.
extension MappingProperties {
  /// Fills the link from a to-many relationship of the source with at most one target.
  func fillPaired(
    _ column: RelationColumn,
    _ relationship: Relationship,
    from found: (declared: Property, Relationship),
    to root: String,
    in part: inout MappedPart
  ) {
    let (declared, own) = found
    let sources = source.model.family(of: own.destination).map(\.name)
    guard let targetRoot = source.model.root(of: own.destination)?.name,
      !made(of: sources, relationship).isEmpty
    else { return }
    part.used.insert(declared)
    part.values[column.columnRole] = .link(
      .paired(declared, isReversed: false),
      sourceRoot: targetRoot,
      root: root,
      only: only(relationship, sources)
    )
  }

  /// Fills the link as the inverse of a source relationship without inverse; returns `false` if there is none.
  ///
  /// In a to-many relationship, each target stores its owner in the source as well. A to-one relationship is stored at
  /// the other end there, which is used only in inferred mappings.
  func fillFromOneWayEnd(
    _ column: RelationColumn,
    _ relationship: Relationship,
    to root: String,
    in part: inout MappedPart
  ) -> Bool {
    guard let (there, inverse) = destination.inverse(of: relationship), inverse.isToMany,
      let relation = source.relation(of: part.source)
    else { return false }
    var ends: [MappedValue.LinkEnd] = []
    var pairs: (Property, sourceRoot: String)?
    var (owners, used): ([String], [Property]) = ([], [])
    var position: RelationColumn?
    for owner in parts(of: root) where destination.lineage(of: owner.entity).contains(there.entity) {
      let name = setting(of: inverse.name, owner)?.value.text.plainName ?? inverse.name
      guard !isDropped(name, owner),
        let (declared, own) = source.relationship(name, of: owner.source), own.inverse == nil,
        source.lineage(of: part.source).contains(own.destination)
      else { continue }
      if own.isToMany, let held = relation.column(.owner(declared)) {
        let end = MappedValue.LinkEnd(column: held, sourceRoot: owner.sourceRoot)
        if !ends.contains(end) { ends.append(end) }
        position = relation.column(.ownerPosition(declared))
      } else if !own.isToMany, mapping.isInferred {
        pairs = (declared, owner.sourceRoot)
      } else {
        continue
      }
      owners.append(owner.source)
      used.append(declared)
    }
    let key: MappedValue.LinkKey
    let sourceRoot: String
    if let first = ends.first {
      key = ends.count == 1 ? .column(first.column) : .first(ends)
      sourceRoot = first.sourceRoot
    } else if let pairs {
      key = .paired(pairs.0, isReversed: true)
      sourceRoot = pairs.sourceRoot
    } else {
      return false
    }
    part.used.formUnion(used)
    part.values[column.columnRole] = .link(key, sourceRoot: sourceRoot, root: root, only: only(relationship, owners))
    if ends.count == 1, let position, case .target(let property) = column.columnRole {
      part.values[.position(property)] = .column(position)
    }
    return true
  }
}
