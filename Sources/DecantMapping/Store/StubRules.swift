internal import DecantBase
package import DecantPlan
package import DecantStore

/// For which root entities a mapping makes empty objects, and what these keep.
package struct StubRules: Sendable, Hashable {
  /// The root entities of the destination that links with `missing: stub` lead to.
  private(set) var roots: Set<String> = []
  /// By entity, the attributes and relationships that were said to tell its objects apart.
  private var identities: [String: [String]] = [:]

  /// Makes none.
  init() {}

  /// Takes the rules as they were said; `layout` is the destination's.
  init(_ rules: MissingRules, identities: [String: [String]], layout: Layout) {
    self.identities = identities
    guard rules.makeStubs else { return }
    func add(_ root: String?) {
      guard let root, layout.relation(of: root)?.keyColumn != nil else { return }
      roots.insert(root)
    }
    for link in layout.links where !link.isKey {
      guard case .table(let links) = link.storage else {
        if rules.rule(of: link.relationship) == .stub { link.ends.forEach { add($0.root) } }
        continue
      }
      let ends = StubRules.ends(of: links, rules)
      if ends.leadsToTarget { add(links.targetRoot) }
      if ends.leadsToOwner { add(links.ownerRoot) }
    }
  }

  /// In which directions links that have a table of their own have empty objects made.
  package static func ends(of links: LinkRelation, _ rules: MissingRules) -> (leadsToTarget: Bool, leadsToOwner: Bool) {
    let back = links.isReflexive ? links.relationship : links.inverse
    return (rules.rule(ofTable: links.relationship) == .stub, back.map { rules.rule(ofTable: $0) == .stub } ?? false)
  }

  /// What was said to tell objects of `entity` apart, of it or of the nearest entity above it.
  func identity(of entity: String, in model: Model) -> [String]? {
    model.lineage(of: entity).lazy.compactMap { identities[$0.name] }.first
  }
}
