package import DecantPlan
internal import DecantStore
package import DecantSQLite

/// The root entities whose objects kept their keys: both stores go back to one.
package struct Lineage {
  package let connection: Connection
  package var rule = MergeRules.LineageRule.found
  /// Whether one of the stores is said to be what the other went on from: then few objects that differ were changed.
  package var isAncestor = false

  package init(
    connection: Connection,
    rule: MergeRules.LineageRule = MergeRules.LineageRule.found,
    isAncestor: Bool = false
  ) {
    (self.connection, self.rule, self.isAncestor) = (connection, rule, isAncestor)
  }

  /// Finds them by samples of each root entity, which speak for those that say nothing.
  ///
  /// - Parameters:
  ///   - roots: All root entities.
  ///   - keys: The keys of the source's objects, by root entity.
  /// - Returns: The names of those whose equal keys are equal objects.
  /// - Throws: `SQLiteError` where a store cannot be read.
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
    // Rows that have the keys of others are the same as those are.
    let own = roots.filter { root in
      !root.relations.source.columns.contains { $0.columnRole.isKey && $0.targetRoot != nil }
    }
    for root in own {
      guard let existing = keys(root.name) else { continue }
      var evidence = try KeyEvidence(connection: connection).evidence(on: root, existing)
      if isAncestor, evidence.verdict == .renumbered, !evidence.isSure {
        evidence.verdict = .doubtful
      }
      // Rows that a database may number anew say nothing of others.
      if root.relations.source.handsOutKeys {
        verdicts[root.name] = evidence.verdict
        if existing.count > 0 { found.insert(evidence.verdict) }
      }
      guard evidence.verdict == .kept else { continue }
      likely.insert(root.name)
      if evidence.isSure { sure.insert(root.name) }
    }
    // What tells nothing goes with the others, unless something was renumbered. What tells little is taken
    // for that unless others tell that keys were kept.
    let isKept =
      found.contains(.kept) || isAncestor && found.contains(.doubtful)
      ? !found.contains(.renumbered)
      : found.isDisjoint(with: [.renumbered, .doubtful])
        && (found.contains(.unknown) || !found.contains(.unrelated))
    return isKept ? likely.union(verdicts.keys) : sure
  }
}
