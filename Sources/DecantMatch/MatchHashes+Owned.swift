package import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The parts of an object, as part of its content.
extension MatchHashes {
  /// Returns the root entities of the parts of objects of `root`, each with the link to the owner.
  ///
  /// - Parameters:
  ///   - root: The root entity of the owners.
  ///   - valuesOnly: Whether only closed parts count.
  /// - Returns: The root entities of the parts, and their links.
  package func owned(by root: MatchRoot, valuesOnly: Bool = false) -> [(child: MatchRoot, link: Link)] {
    (parts[root.name] ?? []).filter { !valuesOnly || closedParts.contains($0.child.name) }
  }

  /// Returns the sums of an object's parts, one for each link to an owner.
  ///
  /// - Parameters:
  ///   - root: The object's root entity.
  ///   - side: The store.
  ///   - row: The name of the row; `nil` for the table's name.
  ///   - valuesOnly: Whether the links of the parts are ignored.
  /// - Returns: Expressions, which are NULL for an object without parts.
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
    "\(valuesOnly ? MatchHashes.valuesMark : "")\(child.name) \(link.property)"
  }

  /// The first letter of the names of sums without links.
  private static let valuesMark = "="

  /// Removes the sums in which the links of parts count, so that they can be computed with more of the targets paired.
  mutating func forgetOwned() {
    ownedTables = ownedTables.filter { $0.key.hasPrefix(MatchHashes.valuesMark) }
  }

  /// Returns a SELECT of the sum of each object's parts through `link`: `owner` and `hash`.
  ///
  /// A target of a part counts by its identity, or by its values if it has none and is not matched yet.
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
    // A part with an identity links to its owner, and is not part of the owner's content.
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
