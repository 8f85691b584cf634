package import DecantBase
package import DecantStore
internal import DecantSQLite

/// The scope of a copy with `--root`, resolved before a row is read: the roots, and the rule for every direction of
/// links.
package struct ClosurePlan: Sendable, Hashable {
  /// The conditions of the requested objects.
  package var roots: [CopyPlan.EntityFilter]
  /// Every direction of every relationship, each with its rule.
  package var paths: [LinkPath]

  package init(roots: [CopyPlan.EntityFilter], paths: [LinkPath]) {
    (self.roots, self.paths) = (roots, paths)
  }

  /// The text of the closure in the plan: equal closures have equal texts.
  var canonicalText: String {
    let roots = roots.map { "root \($0.entity): \($0.expression)" }.sorted()
    let rules = Set(paths.map { "\($0.name) \($0.ruleText)" }).sorted()
    return (roots + rules).joined(separator: "\n")
  }

  /// The relationships, by direction, with a maximum number of links on the way from a root.
  package var bounded: [LinkDirection] {
    var names: [LinkDirection] = []
    for path in paths where path.rule == .follow && path.depth != nil {
      if !names.contains(path.name) { names.append(path.name) }
    }
    return names
  }

  /// Whether objects are selected only because parts of them require it: these do not bring their other parts.
  package var selectsOwners: Bool {
    paths.contains { $0.rule == .follow && $0.isToOwner } && paths.contains { $0.rule == .follow && $0.isToParts }
  }

  /// Returns the rule for a relationship, seen from the end with this name; `nil` if there are no such links.
  func rule(of name: LinkDirection) -> ClosureRule? {
    paths.first { $0.name == name || $0.aliases.contains(name) }?.rule
  }

  /// The relationships, by the names of their own ends, whose targets are references.
  package var references: Set<Property> {
    Set(
      paths.flatMap { path in
        path.rule == .reference
          ? ([path.name] + path.aliases).filter { !$0.isInverse }.map(\.property) : []
      }
    )
  }

  /// Returns the condition under which an object of `relation` is included.
  static func condition(on relation: Relation) -> String {
    switch relation.key {
    case .integer: "in_closure(\(relation.root.sqlText), \(EntityView.key))"
    case .values(let columns):
      "in_closure(\(relation.root.sqlText), \(columns.map(\.sqlName).joined(separator: ", ")))"
    // These rows have no key, and no link can lead to one of them.
    case .none: "0"
    }
  }

  /// Returns the closure as conditions, one for each root entity, for the rest of the plan.
  package func filters(of layout: Layout) -> [CopyPlan.EntityFilter] {
    layout.relations.map { relation in
      CopyPlan.EntityFilter(
        entity: relation.root,
        root: relation.root,
        entities: relation.entities.map(\.name),
        expression: ClosurePlan.condition(on: relation)
      )
    }
  }
}
