package import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// What an object owns, as part of its content.
extension MatchHashes {
  /// The root entities whose objects belong to those of `root`, each with the link that leads back.
  ///
  /// - Parameters:
  ///   - root: The root entity of the owners.
  ///   - valuesOnly: Whether only closed parts count.
  /// - Returns: The root entities of the parts, and their links.
  func owned(by root: MatchRoot, valuesOnly: Bool = false) -> [(child: MatchRoot, link: Link)] {
    roots.filter { !valuesOnly || closedParts.contains($0.name) }.flatMap { child in
      links(of: child).filter { $0.isOwner && $0.target == root.name && child.name != root.name }
        .map { (child, $0) }
    }
  }

  /// The sums of what an object owns, one for each link to an owner.
  ///
  /// - Parameters:
  ///   - root: The object's root entity.
  ///   - side: The store.
  ///   - row: What the row is called; `nil` for the table's name.
  ///   - valuesOnly: Whether it does not matter what the parts lead to.
  /// - Returns: Expressions, NULL where the object owns nothing.
  package func ownedSums(
    of root: MatchRoot,
    _ side: MatchSide,
    in row: String? = nil,
    valuesOnly: Bool = false
  ) -> [String] {
    owned(by: root, valuesOnly: valuesOnly).compactMap { child, link in
      ownedTables[ownedName(child, link, valuesOnly)].map {
        "(SELECT w.hash FROM \($0[side]) AS w WHERE w.owner = "
          + "\(row ?? root.relations[side].table.sqlName).\(root.key(side)))"
      }
    }
  }

  func ownedName(_ child: MatchRoot, _ link: Link, _ valuesOnly: Bool) -> String {
    "\(child.name) \(link.property)\(valuesOnly ? " values" : "")"
  }

  /// The select that sums up, for each object, what it owns through `link`: `owner` and `hash`.
  ///
  /// What a part leads to counts by its identity, and by its values where it has none and was not matched yet.
  func ownedSelect(
    _ child: MatchRoot,
    _ link: Link,
    _ side: MatchSide,
    unmatched: Set<String>,
    valuesOnly: Bool
  ) -> String {
    let own = child.relations[side]
    let owner = own.value(of: link.columns[side])
    let counted = valuesOnly ? [] : links(of: child).filter { $0.property != link.property }
    let others = counted.map { other -> String in
      guard unmatched.contains(other.target), let target = root(other.target) else {
        let key = own.value(of: other.columns[side])
        let token = targetToken(other, key, side, isLoose: !other.isOwner)
        return "ifnull(\(token), 'only \(side.rawValue)')"
      }
      let key = own.value(of: other.columns[side], in: "o")
      let values = MixFunction.sql(ownValues(of: target, side))
      let identity = target.identityHash(side, byEntity: true) { $0.links.isEmpty }
      return "(SELECT \(identity.map { "coalesce(\($0), \(values))" } ?? values) "
        + "FROM \(target.table(side)) WHERE \(target.key(side)) = \(key))"
    }
    let sums = ownedSums(of: child, side, in: "o", valuesOnly: valuesOnly)
    let values = ownValues(of: child, side) + sums + others
    var conditions = ["\(owner) IS NOT NULL"]
    // A part that is known by itself leads to its owner, and says nothing of it.
    if let identity = child.identityHash(side, where: { $0.links.isEmpty }) {
      conditions.append("(\(identity)) IS NULL")
    }
    let sum = "mix_sum(\(ownedName(child, link, valuesOnly).sqlText), \(MixFunction.sql(values)))"
    return SelectStatement(
      columns: ["\(owner) AS owner", "\(sum) AS hash"],
      source: "\(child.table(side)) AS o",
      conditions: conditions
    ).sql + "\nGROUP BY 1"
  }
}
