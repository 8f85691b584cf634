internal import DecantBase
package import DecantPlan
package import DecantStore

/// The root entities for which a mapping creates empty objects, and the values that these keep.
package struct StubRules: Sendable, Hashable {
  /// The root entities of the destination that are targets of links with `missing: stub`.
  private(set) var roots: Set<String> = []
  /// The requested identity of each entity: attributes and relationships.
  private var identities: [String: [String]] = [:]

  /// Creates rules without empty objects.
  init() {}

  /// Creates the rules from those requested; `layout` is the destination's.
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

  /// Returns in which directions links of a link table create empty objects.
  package static func ends(of links: LinkRelation, _ rules: MissingRules) -> (leadsToTarget: Bool, leadsToOwner: Bool) {
    let back = links.isReflexive ? links.relationship : links.inverse
    return (rules.rule(ofTable: links.relationship) == .stub, back.map { rules.rule(ofTable: $0) == .stub } ?? false)
  }

  /// Returns the requested identity of `entity` or its nearest ancestor that has one.
  func identity(of entity: String, in model: Model) -> [String]? {
    model.lineage(of: entity).lazy.compactMap { identities[$0.name] }.first
  }
}
