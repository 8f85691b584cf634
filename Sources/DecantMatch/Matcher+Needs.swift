internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The order of matching.
extension Matcher {
  /// Removes undeclared identities that need each other, so that objects are matched by content.
  static func breakCycles(among roots: [MatchRoot], _ model: Model, _ rules: MergeRules) -> [MatchRoot] {
    var roots = roots
    while true {
      let needs = Dictionary(
        roots.map { root in
          let links = root.identities.values.flatMap(\.links).map(\.root)
          // Level by level, if there is a single link to objects of the same entity.
          let loops = root.relations.source.columns.count {
            $0.targetRoot == root.name && !$0.columnRole.isKey
          }
          return (root.name, Set(links).subtracting(loops == 1 ? [root.name] : []))
        },
        uniquingKeysWith: { first, _ in first }
      )
      guard let cycle = MatchOrder.cycle(roots.map(\.name), needs: needs) else { return roots }
      let names = Set(rules.identities.keys.flatMap { name in model.root(of: name).map { [$0.name] } ?? [] })
      guard
        let index = roots.firstIndex(where: { cycle.contains($0.name) && !names.contains($0.name) })
      else { return roots }
      roots[index] = roots[index].withoutIdentities
    }
  }

  func identityCycle(_ cycle: [String]) -> DecantError {
    let message = "circular identities: \(cycle.joined(separator: " → "))"
    let why = "the target of an identity's link has to be matched first"
    if let place = cycle.lazy.compactMap(linkPlace).first {
      return DecantError(
        .conflictingOptions,
        "\(message); \(why)",
        place: place,
        remedy: "remove the link from one of these identities"
      )
    }
    return DecantError(
      .conflictingOptions,
      "\(message)",
      place: "\(why)",
      remedy:
        "set an identity without the link for one of them: \(say: .identity) '\(cycle[0]): …'"
    )
  }

  /// Returns the place in a mapping file of a link in the identity of objects of the root entity `name`.
  private func linkPlace(_ name: String) -> String? {
    let entities = hashes.root(name)?.relations.destination.entities.map(\.name) ?? []
    for entity in entities {
      let links = Set(hashes.model.relationships(of: entity).map(\.name))
      let names = rules.identities[entity] ?? []
      for name in names where links.contains(name) {
        if let place = rules.places.identities[entity]?[name] { return place }
      }
    }
    return nil
  }

  /// Returns the root entities of a cycle whose identities contain links to others of the cycle that are matched by
  /// content: those must be matched first.
  func lateRoots(of group: [String]) -> Set<String> {
    var late: Set<String> = []
    var isSettled = false
    while !isSettled {
      isSettled = true
      for name in group where !late.contains(name) {
        // Any entity with an identity may have objects that lack a part of it, and these are matched by content.
        guard hashes.identityNeeds[name]?.contains(where: group.contains) == true else { continue }
        late.insert(name)
        isSettled = false
      }
    }
    return late
  }
}
