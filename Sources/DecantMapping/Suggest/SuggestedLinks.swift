internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantVersions
internal import DecantSQLite

/// Guesses for the links of one destination entity.
struct SuggestedLinks {
  let source: MappingResolver.ModelSide
  let destination: MappingResolver.ModelSide
  /// All pairs of entities.
  let rules: [SuggestedRule]
  /// The contents of the source, by entity.
  let counts: [String: EntityProfile]

  /// Relationships of the destination whose inverse already has a setting.
  private(set) var said: Set<Property> = []

  init(
    source: MappingResolver.ModelSide,
    destination: MappingResolver.ModelSide,
    rules: [SuggestedRule],
    counts: [String: EntityProfile]
  ) {
    self.source = source
    self.destination = destination
    self.rules = rules
    self.counts = counts
  }

  /// A relationship of one side.
  private struct Side {
    let declared: Property
    let relationship: Relationship

    var name: String { relationship.name }
  }

  /// Adds the necessary relationship settings to `rule`.
  mutating func fill(_ rule: inout SuggestedRule) {
    let names = [rule.entity, rule.source]
    let mine = sides(rule.entity, destination)
    let theirs = sides(rule.source, source)
    let known = Set(mine.map(\.name))
    var left = theirs.filter { !known.contains($0.name) && isStored($0, source) }
    var free: [Side] = []
    for side in mine where isStored(side, destination) && !said.contains(side.declared) {
      guard let own = theirs.first(where: { $0.name == side.name }) else {
        // The links come from the inverse, if it has the same name on both sides.
        if side.relationship.isToMany, isNamedFromTheOtherEnd(side, rule) { continue }
        free.append(side)
        continue
      }
      if !side.relationship.isToMany, own.relationship.isToMany {
        take(own, for: side, nil, in: &rule)
      }
    }
    pair(&free, &left, in: &rule) { side, own in
      side.relationship.continues(own.relationship)
        ? (1, "the model gives this as its previous name") : nil
    }
    pair(&free, &left, in: &rule) { side, own in
      NameLikeness(side.name, own.name, prefixes: names)
        .map { ($0, $0.reason) }
    }
    for side in free {
      let alike = left.indices.filter { left[$0].relationship.isLike(side.relationship) }
        .filter { leads(left[$0], side) }
      let rivals = free.filter { $0.relationship.isLike(side.relationship) }
        .filter { $0.relationship.destination == side.relationship.destination }
      guard alike.count == 1, rivals.count == 1 else {
        if !side.relationship.isOptional, !side.relationship.isToMany {
          fillNeeded(side, in: &rule)
        } else {
          rule.unfilled.append(side.name)
        }
        continue
      }
      let shape = side.relationship.isToMany ? "many objects" : "one object"
      let own = left.remove(at: alike[0])
      take(own, for: side, "the only one that points to \(shape) of this type", in: &rule)
    }
  }

  private func sides(_ entity: String, _ side: MappingResolver.ModelSide) -> [Side] {
    side.relationshipNames(of: entity).compactMap { name in
      side.relationship(name, of: entity).map { Side(declared: $0.declared, relationship: $0.1) }
    }
  }

  /// Returns whether the links are stored so that a rule for this direction can use them, not at the other end.
  private func isStored(_ side: Side, _ model: MappingResolver.ModelSide) -> Bool {
    guard side.relationship.isToMany, let (_, back) = model.inverse(of: side.relationship) else {
      return true
    }
    return back.isToMany
  }

  private func isNamedFromTheOtherEnd(_ side: Side, _ rule: SuggestedRule) -> Bool {
    guard let back = side.relationship.inverse else { return false }
    let targets = Set(destination.model.family(of: side.relationship.destination).map(\.name))
    return rules.contains { other in
      targets.contains(other.entity)
        && source.relationship(back, of: other.source).map { found in
          found.1.isToMany && source.lineage(of: rule.source).contains(found.1.destination)
        } == true
    }
  }

  /// Returns whether all targets of `own` become valid targets of `side`.
  private func leads(_ own: Side, _ side: Side) -> Bool {
    let targets = Set(source.model.family(of: own.relationship.destination).map(\.name))
    let wanted = Set(destination.model.family(of: side.relationship.destination).map(\.name))
    let made = rules.filter { targets.contains($0.source) }
    return !made.isEmpty && made.allSatisfy { wanted.contains($0.entity) }
  }

  private mutating func pair<Likeness: Comparable>(
    _ free: inout [Side],
    _ left: inout [Side],
    in rule: inout SuggestedRule,
    _ likeness: (Side, Side) -> (Likeness, String)?
  ) {
    let profiles = counts[rule.source]?.profiles
    let pairs = Guess<Likeness>.takePairs(
      &free,
      &left,
      weight: { profiles?[.target($0.declared)]?.count ?? 0 }
    ) { side, own in
      canTake(own, for: side) ? likeness(side, own) : nil
    }
    for (side, own, reason) in pairs { take(own, for: side, reason, in: &rule) }
  }

  private func canTake(_ own: Side, for side: Side) -> Bool {
    leads(own, side) && (!side.relationship.isToMany || own.relationship.isToMany)
  }

  private mutating func take(_ own: Side, for side: Side, _ reason: String?, in rule: inout SuggestedRule) {
    if let (declared, _) = destination.inverse(of: side.relationship), side.relationship.isToMany {
      said.insert(declared)
    }
    let isOne = own.relationship.isToMany && !side.relationship.isToMany
    guard isOne else {
      return rule.set(side.name, own.name.plainestName, guess: reason ?? "of the same shape")
    }
    let words = (reason.map { "\($0); " } ?? "") + "is to-many here, but to-one there"
    guard let first = first(of: own, for: side, in: rule) else {
      return rule.set(side.name, "NULL", guess: words)
    }
    rule.set(side.name, first.key, guess: "\(words): the first of them")
    guard let place = first.place, let (_, list) = destination.inverse(of: side.relationship),
      list.isOrdered
    else { return }
    rule.set("\(side.name)_position", place, guess: "its position in the list there")
  }

  // MARK: One of many

  /// Returns the SQL for the key of a to-many relationship's first target, and for its position if the list is ordered.
  private func first(of own: Side, for side: Side, in rule: SuggestedRule) -> (key: String, place: String?)? {
    guard hasOneSource(side) else { return nil }
    let key = "\(rule.source.quotedName).\"\(EntityView.key)\""
    guard let (back, inverse) = source.inverse(of: own.relationship), !inverse.isToMany else {
      let name = "\(own.declared.entity)_\(own.declared.name)"
      guard let view = source.views[name], view.entity == own.declared.entity,
        view.columns.count > 1
      else { return nil }
      let (owner, target) = (view.columns[0].name, view.columns[1].name)
      let rows = "FROM \(view.name.quotedName) AS l WHERE l.\(owner.quotedName) = \(key)"
      let inverse = own.relationship.inverse ?? "inverse"
      let order = view.columns.dropFirst(2).first { $0.name == "\(inverse)_position" }
      let place = order.map {
        "(SELECT l.\($0.name.quotedName) \(rows) ORDER BY l.\(target.quotedName) LIMIT 1)"
      }
      return ("(SELECT min(l.\(target.quotedName)) \(rows))", place)
    }
    guard let view = source.views[back.entity],
      view.columns.contains(where: { $0.name == back.name })
    else { return nil }
    let first =
      "(SELECT min(l.\"\(EntityView.key)\") FROM \(view.name.quotedName) AS l "
      + "WHERE l.\(back.name.quotedName) = \(key))"
    return (first, nil)
  }

  /// Returns whether the targets are made from objects of one table, so that a key identifies them.
  private func hasOneSource(_ side: Side) -> Bool {
    let root = destination.model.root(of: side.relationship.destination)?.name
    let made = rules.filter { destination.model.root(of: $0.entity)?.name == root }
    return Set(made.map { source.model.root(of: $0.source)?.name }).count == 1
  }

  /// Links a required relationship to the first object that exists.
  private func fillNeeded(_ side: Side, in rule: inout SuggestedRule) {
    let targets = Set(destination.model.family(of: side.relationship.destination).map(\.name))
    let made = rules.first { targets.contains($0.entity) }
    guard let made, hasOneSource(side), let view = source.views[made.source] else {
      return rule.set(side.name, "NULL", guess: "requires a \(side.relationship.destination)")
    }
    rule.set(
      side.name,
      "(SELECT min(l.\"\(EntityView.key)\") FROM \(view.name.quotedName) AS l)",
      guess: "requires a \(side.relationship.destination): the first one is used"
    )
  }
}

extension Relationship {
  /// Returns whether both are to-one, or both to-many.
  fileprivate func isLike(_ other: Relationship) -> Bool { isToMany == other.isToMany }
}
