package import DecantPlan
internal import DecantStore
package import DecantSQLite

/// A search for root entities whose objects kept their keys, as both stores have a common ancestor.
package struct Lineage {
  package let connection: Connection
  package var rule = MergeRules.LineageRule.found
  /// Whether one of the stores is the ancestor of the other: then a few different objects count as changed.
  package var isAncestor = false

  package init(
    connection: Connection,
    rule: MergeRules.LineageRule = MergeRules.LineageRule.found,
    isAncestor: Bool = false
  ) {
    (self.connection, self.rule, self.isAncestor) = (connection, rule, isAncestor)
  }

  /// Finds them by samples of each root entity, which also decide for entities without evidence.
  ///
  /// - Parameters:
  ///   - roots: All root entities.
  ///   - keys: The keys of the source's objects, by root entity.
  /// - Returns: The names of those whose equal keys mean equal objects.
  /// - Throws: `SQLiteError` if a store cannot be read.
  package func roots(_ roots: [MatchRoot], keys: (String) -> KeySet?) throws(SQLiteError) -> Set<
    String
  > {
    let roots = roots.filter { !$0.relations.source.isNumbered }
    switch rule {
    case .found: break
    case .same: return Set(roots.map(\.name))
    case .none: return []
    }
    var verdicts: [String: KeyEvidence.Verdict] = [:]
    var found: Set<KeyEvidence.Verdict> = []
    var (sure, likely): (Set<String>, Set<String>) = ([], [])
    // Rows that have the keys of other rows are handled like those.
    let own = roots.filter { root in
      !root.relations.source.columns.contains { $0.columnRole.isKey && $0.targetRoot != nil }
    }
    for root in own {
      guard let existing = keys(root.name) else { continue }
      var evidence = try KeyEvidence(connection: connection).evidence(on: root, existing)
      if isAncestor, evidence.verdict == .renumbered, !evidence.isSure {
        evidence.verdict = .doubtful
      }
      // Rows that a database may renumber are no evidence for others.
      if root.relations.source.handsOutKeys {
        verdicts[root.name] = evidence.verdict
        if existing.count > 0 { found.insert(evidence.verdict) }
      }
      guard evidence.verdict == .kept else { continue }
      likely.insert(root.name)
      if evidence.isSure { sure.insert(root.name) }
    }
    // Entities without evidence follow the others, unless one was renumbered. Little evidence counts as renumbered
    // unless others kept their keys.
    let isKept =
      found.contains(.kept) || isAncestor && found.contains(.doubtful)
      ? !found.contains(.renumbered)
      : found.isDisjoint(with: [.renumbered, .doubtful])
        && (found.contains(.unknown) || !found.contains(.unrelated))
    return isKept ? likely.union(verdicts.keys) : sure
  }
}
