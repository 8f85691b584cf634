internal import DecantMapping
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

extension CopyPlan {
  /// Leaves out link-table rows that lead to an empty object without a rule, and those of the object itself.
  ///
  /// - Parameter roots: The root entities for which empty objects may be created.
  mutating func leaveOutStubLinks(_ roots: Set<String>) {
    for index in steps.indices {
      guard case .links(let links) = steps[index].kind,
        roots.contains(links.ownerRoot) || roots.contains(links.targetRoot)
      else { continue }
      steps[index].leaveOutStubLinks(links, StubRules.ends(of: links, missing))
    }
  }
}

extension CopyStep {
  fileprivate mutating func leaveOutStubLinks(
    _ links: LinkRelation,
    _ ends: (leadsToTarget: Bool, leadsToOwner: Bool)
  ) {
    func condition(_ owner: String, _ target: String) -> String {
      "CASE is_stub(\(links.ownerRoot.sqlText), \(owner)) + 2 * is_stub(\(links.targetRoot.sqlText), \(target)) "
        + "WHEN 0 THEN 1 WHEN 1 THEN \(ends.leadsToOwner ? 1 : 0) "
        + "WHEN 2 THEN \(ends.leadsToTarget ? 1 : 0) ELSE 0 END"
    }
    if endConditions.isEmpty {
      endConditions = [("_owner", links.ownerRoot), ("_target", links.targetRoot)].map {
        "id(\($1.sqlText), r.\($0)) IS NOT NULL"
      }
    }
    let isMeant = condition("r._owner", "r._target")
    stubCondition = isMeant
    endConditions.append(isMeant)
    proofConditions.append(condition(links.ownerColumn.sqlName, links.targetColumn.sqlName))
  }
}
