package import DecantBase
package import DecantStore
internal import DecantSQLite

/// What a copy with `--root` takes, resolved before a row is read: where it begins, and the rule for every
/// direction in which links lead.
package struct ClosurePlan: Sendable, Hashable {
  /// The conditions of the objects that were asked for.
  package var roots: [CopyPlan.EntityFilter]
  /// Every direction of every relationship, each with its rule.
  package var paths: [LinkPath]

  package init(roots: [CopyPlan.EntityFilter], paths: [LinkPath]) {
    (self.roots, self.paths) = (roots, paths)
  }

  /// What the plan of the copy says of it: equal closures have equal texts.
  var canonicalText: String {
    let roots = roots.map { "root \($0.entity): \($0.expression)" }.sorted()
    let rules = Set(paths.map { "\($0.name) \($0.ruleText)" }).sorted()
    return (roots + rules).joined(separator: "\n")
  }

  /// The relationships, by direction, of which only so many links are followed on the way from a root.
  package var bounded: [LinkDirection] {
    var names: [LinkDirection] = []
    for path in paths where path.rule == .follow && path.depth != nil {
      if !names.contains(path.name) { names.append(path.name) }
    }
    return names
  }

  /// The rule for the links of a relationship, seen from the end that has this name for it; `nil` where there are
  /// no such links.
  func rule(of name: LinkDirection) -> ClosureRule? {
    paths.first { $0.name == name || $0.aliases.contains(name) }?.rule
  }

  /// The relationships, by the names of their own ends, whose objects are referred to.
  package var references: Set<Property> {
    Set(
      paths.flatMap { path in
        path.rule == .reference
          ? ([path.name] + path.aliases).filter { !$0.isInverse }.map(\.property) : []
      }
    )
  }

  /// The condition under which an object of `relation` is taken.
  static func condition(on relation: Relation) -> String {
    switch relation.key {
    case .integer: "in_closure(\(relation.root.sqlText), \(EntityView.key))"
    case .values(let columns):
      "in_closure(\(relation.root.sqlText), \(columns.map(\.sqlName).joined(separator: ", ")))"
    // Nothing tells these rows from one another, and no link can lead to one of them.
    case .none: "0"
    }
  }

  /// The closure as conditions, one for each root entity: in this form the rest of the plan knows it.
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
