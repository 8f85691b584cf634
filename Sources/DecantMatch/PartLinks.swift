package import DecantBase
internal import DecantPlan
internal import DecantStore

/// The root entities whose objects are parts of others, such as the ingredients of a recipe.
///
/// A part has no identity of its own and one link to its owner, with which it is deleted. An object that only contains
/// its owner's name elsewhere is a part, although it has an identity.
package struct PartLinks {
  /// The link to the owner, by the root entity of the parts.
  package let owners: [String: MatchHashes.Link]
  /// The root entities of parts, each after that of its owner.
  let names: [String]
  /// The root entities of parts that are link targets only of their own parts and of parts of the same owner.
  package let closed: [String]

  /// Finds them among `hashes.roots`; `marks` are root entities whose objects are parts although they have an identity.
  package init(_ hashes: MatchHashes, marks: Set<String> = []) {
    var owners: [String: MatchHashes.Link] = [:]
    for root in hashes.roots
    where (root.identities.isEmpty || marks.contains(root.name))
      && hashes.continued(by: root) == nil
    {
      let links = hashes.links(of: root).filter(\.isOwner)
      if links.count == 1, links[0].target != root.name { owners[root.name] = links[0] }
    }
    self.owners = owners
    names = MatchOrder(owners.keys.sorted(), needs: owners.mapValues { [$0.target] }).groups
      .joined().filter { owners[$0] != nil }
    var closed = Set(names)
    var count = -1
    while closed.count != count {
      count = closed.count
      closed = closed.filter { name in
        MatchSide.allCases.allSatisfy { side in
          PartLinks.holders(of: name, in: hashes.layouts[side], side, owners).isSubset(of: closed)
        }
      }
    }
    self.closed = names.filter(closed.contains)
  }

  /// Returns the root entities with links to objects of `name`; an empty name represents those that are not parts of
  /// the same owner.
  private static func holders(
    of name: String,
    in layout: Layout,
    _ side: MatchSide,
    _ owners: [String: MatchHashes.Link]
  ) -> Set<String> {
    var holders: Set<String> = []
    for relation in layout.relations {
      for column in relation.columns where column.targetRoot == name {
        // A part of this part is removed with it, and so is another part of its owner; any other link keeps it.
        let link = owners[relation.root]
        let isPart = link?.columns[side].name == column.name
        let isSibling = link != nil && link?.target == owners[name]?.target
        holders.insert(isPart || isSibling ? relation.root : "")
      }
    }
    let tables =
      layout.linkRelations.flatMap { [$0.ownerRoot, $0.targetRoot] }
      + (layout.nonIntegerKeys + layout.partialLinks).flatMap { [$0.root, $0.targetRoot] }
    if tables.contains(name) { holders.insert("") }
    return holders
  }
}

extension MergeRules {
  /// Applies the rule of their owners to parts, unless they have their own.
  package mutating func followOwners(_ parts: PartLinks, _ roots: [MatchRoot], _ model: Model) {
    for name in parts.names {
      guard let link = parts.owners[name], let root = roots.first(where: { $0.name == name }) else {
        continue
      }
      let isHolder = model.root(of: link.property.entity)?.name == name
      let owner =
        isHolder ? model.relationship(link.property)?.destination : link.property.entity
      guard let owner else { continue }
      let rule = rule(of: owner, in: model)
      // If the owner has no modification time, the part itself may have one.
      if rule.policy == .newest, time(of: owner, in: model) == nil { continue }
      let entities = root.relations.destination.entities.map(\.name)
      for entity in entities
      where !model.lineage(of: entity).contains(where: { rules[$0.name] != nil }) {
        var own = Rule(rule.policy)
        own.followsOwner = true
        rules[entity] = own
      }
    }
  }
}
