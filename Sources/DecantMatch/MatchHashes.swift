package import DecantBase
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// The SQL for hashes that are equal for the same object in either store.
///
/// An object is hashed by its identity if it has one; otherwise by its content: its entity and values, the targets of
/// its to-one links, and its parts. Derived values and positions in lists are not content.
package struct MatchHashes {
  package let roots: [MatchRoot]
  package let model: Model
  package let layouts: Sided<Layout>
  package let schemas: Sided<String>
  /// The temporary tables of the sums of parts, by the link's name: `owner` and `hash`.
  var ownedTables: [String: Sided<TemporaryTable>] = [:]
  /// The root entities of parts to which only their own parts link.
  var closedParts: Set<String> = []

  /// The root entities that continue others in a cycle, with the root entities that links to them count for instead.
  var redirections: [String: String] = [:] { didSet { findLinks() } }
  /// The root entities of the links in identities, by root entity.
  let identityNeeds: [String: Set<String>]
  /// The places in `roots`, by name.
  private let places: [String: Int]
  /// The links of the objects of each root entity.
  private var links: [String: [Link]] = [:]
  /// The parts of the objects of each root entity, each with the link to the owner.
  private(set) var parts: [String: [(child: MatchRoot, link: Link)]] = [:]

  /// Whether a link by values is ignored if its target was removed in the destination in conflict with the source.
  var leavesOutContested = false

  package init(
    roots: [MatchRoot],
    model: Model,
    layouts: Sided<Layout>,
    schemas: Sided<String>,
    ownedTables: [String: Sided<TemporaryTable>] = [:],
    closedParts: Set<String> = [],
    leavesOutContested: Bool = false
  ) {
    (self.roots, self.model, self.layouts) = (roots, model, layouts)
    (self.schemas, self.ownedTables, self.closedParts) = (schemas, ownedTables, closedParts)
    self.leavesOutContested = leavesOutContested
    places = Dictionary(roots.indices.map { (roots[$0].name, $0) }) { first, _ in first }
    let needs = roots.map { ($0.name, Set($0.identities.values.flatMap(\.links).map(\.root))) }
    identityNeeds = Dictionary(needs) { first, _ in first }
    findLinks()
  }

  /// A link that is stored with its object.
  package struct Link {
    package let property: Property
    package let target: String
    package let columns: Sided<RelationColumn>
    /// Whether the target owns the object, which is deleted along with it.
    package let isOwner: Bool
    /// Whether the object is deleted along with the target, or cannot exist without it.
    let isBound: Bool
  }

  /// Returns whether the link is to-one in both directions.
  func isSingle(_ link: Link) -> Bool {
    guard let relationship = model.relationship(link.property), !relationship.isToMany,
      let inverse = model.inverse(of: relationship)
    else { return false }
    return !inverse.isToMany
  }

  package func root(_ name: String) -> MatchRoot? { places[name].map { roots[$0] } }

  /// Returns the root entity that `root` extends in a table of its own, under the same keys.
  package func continued(by root: MatchRoot) -> MatchRoot? {
    root.continuedRoots.lazy.compactMap(self.root).first
  }

  /// Returns the same root entity if the rows of `root` contain only links: each row is then a link of the object that
  /// it extends, and is kept or changed with it.
  package func linked(by root: MatchRoot) -> MatchRoot? {
    let others = root.relations.source.columns.filter { !$0.columnRole.isKey }
    guard !others.isEmpty, others.allSatisfy({ $0.targetRoot != nil }) else { return nil }
    return continued(by: root)
  }

  /// Returns the links of the objects of `root`.
  package func links(of root: MatchRoot) -> [Link] { links[root.name] ?? [] }

  /// Finds the links and parts of all root entities.
  private mutating func findLinks() {
    (links, parts) = ([:], [:])
    for root in roots {
      let found = foundLinks(of: root)
      links[root.name] = found
      for link in found where link.isOwner && link.target != root.name {
        parts[link.target, default: []].append((root, link))
      }
    }
  }

  private func foundLinks(of root: MatchRoot) -> [Link] {
    root.relations.source.columns.compactMap { column -> Link? in
      guard let named = column.targetRoot, places[named] != nil,
        let there = root.relations.destination.column(column.columnRole)
      else { return nil }
      let target = redirections[named] ?? named
      switch column.columnRole {
      case .target(let property):
        return Link(
          property: property,
          target: target,
          columns: Sided(column, there),
          // A row is deleted with its target, even if its column may be null.
          isOwner: isOwned(property) || column.isOwned && target != root.name,
          isBound: column.isOwned || model.relationship(property).map(model.leadsToOwner) ?? false
        )
      case .owner(let property):
        return Link(
          property: property,
          target: target,
          columns: Sided(column, there),
          isOwner: model.relationship(property)?.deleteRule == .cascade,
          isBound: model.relationship(property)?.deleteRule == .cascade
        )
      case .attribute, .key, .targetEntity, .position, .ownerPosition, .unnamed, .revision:
        return nil
      }
    }
  }

  /// Returns whether the other end owns the object.
  private func isOwned(_ property: Property) -> Bool {
    guard let relationship = model.relationship(property), !relationship.isToMany,
      let inverse = model.inverse(of: relationship)
    else { return false }
    return inverse.isToMany && inverse.deleteRule == .cascade
  }

  /// A link that is stored with the objects that have it.
  package struct HeldLink {
    package let target: String
    /// A SELECT of both keys: the holder's, and the target's.
    package let select: String
    /// The labels of its columns' properties, each of which changes it.
    package let labels: [String]
    /// Whether the holder requires the target.
    let isBound: Bool
  }

  /// Returns the links from objects of `name` to objects that they require.
  package func owners(of name: String, _ side: MatchSide = .source) -> [HeldLink] {
    guard let root = root(name) else { return [] }
    let owners = targets(of: root, side).filter(\.isBound)
    // A row with the key of another row cannot exist without it.
    guard let other = continued(by: root) else { return owners }
    let select = "SELECT \(root.key(side)), \(root.key(side)) FROM \(root.table(side))"
    return owners + [HeldLink(target: other.name, select: select, labels: [], isBound: true)]
  }

  /// Returns the links of the objects of `root`.
  package func targets(of root: MatchRoot, _ side: MatchSide) -> [HeldLink] {
    let relation = root.relations[side]
    var targets = links(of: root).map { link in
      let target = relation.value(of: link.columns[side])
      return HeldLink(
        target: link.target,
        select: "SELECT \(root.key(side)), \(target) FROM \(root.table(side)) WHERE \(target) IS NOT NULL",
        labels: [link.columns.destination.columnRole.label],
        isBound: link.isBound
      )
    }
    for link in layouts[side].nonIntegerKeys where link.root == root.name {
      guard let ends = ends(of: link, root, side) else { continue }
      let labels = relation.columns.filter { link.columns.contains($0.name) }.map(\.columnRole.label)
      targets.append(HeldLink(target: ends.target, select: ends.select, labels: labels, isBound: link.isBound))
    }
    return targets
  }

  /// Returns the target of a link by values, and a SELECT of both keys.
  private func ends(of link: NonIntegerKey, _ root: MatchRoot, _ side: MatchSide) -> (target: String, select: String)? {
    guard let target = self.root(link.targetRoot) else { return nil }
    let isSame = link.conditions(holder: "h", target: "t").joined(separator: " AND ")
    return (
      target.name,
      "SELECT h.\(root.key(side)), t.\(target.key(side)) "
        + "FROM \(root.table(side)) AS h JOIN \(target.table(side)) AS t ON \(isSame)"
    )
  }

  /// Returns the columns of the destination with values that the store derives.
  func derivedColumns(of root: MatchRoot) -> Set<String> {
    Set(
      root.relations.destination.columns.filter { column in
        guard case .attribute(let property) = column.columnRole else { return false }
        return model[property.entity]?.attributes.first { $0.name == property.name }?.isDerived
          ?? false
      }.map(\.name)
    )
  }

  /// Returns SQL for the hash of an object's identity, NULL if it has none; `nil` if no entity of `root` has one.
  ///
  /// Objects of different entities have different hashes unless `byEntity` is false. With `others` those identities are
  /// used instead.
  package func identity(
    of root: MatchRoot,
    _ side: MatchSide,
    byEntity: Bool = true,
    _ others: [Int64: EntityIdentity]? = nil
  ) -> String? {
    root.identityHash(side, byEntity: byEntity, of: others) { link in
      let key = link.key[side]
      // A target that only one side has is part of an identity, too: of one that the other side does not have.
      let own = side == .source ? "merge_representative(\(self.root(link.root)?.number ?? -1), \(key))" : key
      return "CASE WHEN \(key) IN \(link.targets[side]) "
        + "THEN ifnull(\(token(link.root, key, side)), 'only \(side.rawValue) ' || \(own)) END"
    } where: { _ in
      true
    }
  }

  /// Returns SQL that is NULL if an object has no identity at all; `nil` if no entity of `root` has one.
  func anyIdentity(of root: MatchRoot, _ side: MatchSide) -> String? {
    guard let first = identity(of: root, side) else { return nil }
    let others = root.furtherIdentities.compactMap { identity(of: root, side, $0) }
    return others.isEmpty ? first : "coalesce(\(([first] + others).joined(separator: ", ")))"
  }

  /// Returns SQL for the hash of an object's content, NULL if it links to an object that only its own store has.
  ///
  /// - Parameters:
  ///   - root: The object's root entity.
  ///   - side: The store.
  ///   - isLoose: Whether a kept copy counts as its original in links other than those of its parts.
  ///   - isAlone: Whether the object's parts are ignored.
  ///   - isLeftOut: Whether a link is ignored.
  /// - Returns: The SQL, on the store's own table.
  func content(
    of root: MatchRoot,
    _ side: MatchSide,
    isLoose: Bool = false,
    isAlone: Bool = false,
    without isLeftOut: (Link) -> Bool
  ) -> String {
    let tokens = linkTokens(of: root, side, isLoose: isLoose, without: isLeftOut)
    let owned = isAlone ? [] : ownedSums(of: root, side)
    return MixLinkedFunction.sql(tokens, ownValues(of: root, side) + owned)
  }

  /// Returns the tokens of the targets of an object's links.
  func linkTokens(
    of root: MatchRoot,
    _ side: MatchSide,
    isLoose: Bool = false,
    without isLeftOut: (Link) -> Bool = { _ in false }
  ) -> [String] {
    links(of: root).filter { !isLeftOut($0) }.map { link in
      let key = root.relations[side].value(of: link.columns[side])
      return targetToken(link, key, side, isLoose: isLoose && !link.isOwner)
    }
  }

  package func ownValues(of root: MatchRoot, _ side: MatchSide) -> [String] {
    let derived = derivedColumns(of: root)
    guard side == .source, leavesOutContested else { return root.ownValues(side, without: derived) }
    let leads = RemovedTargets.conditions(of: root, in: layouts.source) { target in
      self.root(target.root).map { isContested($0, target.keyName) }
    }
    return [root.entity(side)]
      + root.ownProperties(side, without: derived).map { columnRole, value in
        leads[columnRole.label].map { "CASE WHEN NOT \($0) THEN \(value) END" } ?? value
      }
  }

  /// Returns the values in which an object may differ from its matched object, without kept ones.
  package func comparedValues(of root: MatchRoot, _ side: MatchSide) -> [String] {
    [root.entity(side)] + comparedProperties(of: root, side).map(\.value)
  }

  /// Returns the same values without the entity, each with the role of its column.
  package func comparedProperties(of root: MatchRoot, _ side: MatchSide) -> [(columnRole: ColumnRole, value: String)] {
    let kept = root.step.kept.keys.filter {
      root.step.keepsAlways($0, root.relations.destination)
    }
    return root.ownProperties(side, without: derivedColumns(of: root).union(kept), hiding: root.step.kept)
  }

  /// Returns the names of the attributes of `root` that are part of a uniqueness constraint, also of one that applies to
  /// some objects only.
  func uniqueNames(of root: MatchRoot) -> Set<String> {
    let entities = root.relations.destination.entities.compactMap { model[$0.name] }
    return Set(
      entities.flatMap { $0.uniquenessConstraints.joined() }
        + root.relations.destination.partialKeys.flatMap(\.columns))
  }

  /// Returns the hash by which objects of one identity are compared: values, and targets of links.
  ///
  /// Links to objects of `others` are ignored. If `copy` returns SQL for a link, its value, if not NULL, stands for
  /// the link's target.
  package func comparison(
    of root: MatchRoot,
    _ side: MatchSide,
    without others: Set<String> = [],
    copy: (Link) -> String? = { _ in nil }
  ) -> String {
    let tokens = links(of: root).filter { !others.contains($0.target) }.map { link in
      let key = root.relations[side].value(of: link.columns[side])
      let token = "ifnull(\(targetToken(link, key, side, isLoose: true)), 'only \(side.rawValue)')"
      return copy(link).map { "ifnull(\($0), \(token))" } ?? token
    }
    return MixFunction.sql(ownValues(of: root, side) + ownedSums(of: root, side, valuesOnly: true) + tokens)
  }

  /// Returns the link's value if its target exists.
  package func resolved(_ link: Link, of root: MatchRoot, _ side: MatchSide) -> String {
    let key = root.relations[side].value(of: link.columns[side])
    return "CASE WHEN \(key) IN \(targets(link.target, side)) THEN \(key) END"
  }

  /// Returns, for each link to an owner, whether an object of the source is part of a kept copy.
  package func keptCopyOwners(_ root: MatchRoot) -> [String] {
    links(of: root).filter(\.isOwner).map { link in
      let key = root.relations.source.value(of: link.columns.source)
      return "merge_kept_copy(\(self.root(link.target)?.number ?? -1), \(key))"
    }
  }

  /// Returns the token of each owner of an object, NULL if the other store does not have it.
  package func ownerTokens(_ root: MatchRoot, _ side: MatchSide) -> [String] {
    links(of: root).filter(\.isOwner).map { link in
      token(link.target, root.relations[side].value(of: link.columns[side]), side)
    }
  }

  /// Returns the token of the object with `key`: 0 if there is none, NULL if only one store has it.
  package func targetToken(
    _ link: Link,
    _ key: String,
    _ side: MatchSide,
    else other: String = "NULL",
    isLoose: Bool = false
  ) -> String {
    "CASE WHEN \(key) IS NULL THEN 0 "
      + "ELSE coalesce(\(token(link.target, key, side, isLoose: isLoose)), \(other), "
      + "CASE WHEN \(isTarget(link, key, side)) THEN NULL ELSE 0 END) END"
  }

  /// Returns whether `key` leads to an existing object; in the source, to a merged one.
  private func isTarget(_ link: Link, _ key: String, _ side: MatchSide) -> String {
    side == .source ? isMerged(link.target, key) : "\(key) IN \(targets(link.target, side))"
  }

  /// Returns whether the object `key` of the source is merged.
  func isMerged(_ root: String, _ key: String) -> String {
    "merge_kept(\(self.root(root)?.number ?? -1), \(key))"
  }

  /// Returns whether the destination removed the object `key` in conflict with the source.
  func isContested(_ root: MatchRoot, _ key: String) -> String {
    "merge_contested(\(root.number), \(key))"
  }

  /// Returns whether the target of a link of the source was removed in the destination in conflict with the source.
  package func isContested(_ link: Link, of root: MatchRoot) -> String {
    guard let target = self.root(link.target) else { return "0" }
    return isContested(target, root.relations.source.value(of: link.columns.source))
  }

  /// Returns whether a link of the source has no target after the merge, so that it changes nothing.
  package func leadsNowhere(_ link: Link, of root: MatchRoot) -> String {
    let key = root.relations.source.value(of: link.columns.source)
    return
      "(\(key) IS NOT NULL AND NOT \(isMerged(link.target, key)) "
      + "AND \(token(link.target, key, .source, isLoose: true)) IS NULL)"
  }

  func token(_ root: String, _ key: String, _ side: MatchSide, isLoose: Bool = false) -> String {
    "merge_token_\(side.rawValue)(\(self.root(root)?.number ?? -1), \(key)\(isLoose ? ", 1" : ""))"
  }

  private func targets(_ name: String, _ side: MatchSide) -> String {
    guard let root = root(name) else { return "(SELECT NULL WHERE 0)" }
    return "(SELECT \(root.key(side)) FROM \(root.table(side)))"
  }
}
