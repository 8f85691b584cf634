internal import DecantBase
package import DecantPlan
package import DecantStore
internal import DecantSQLite

/// The comparison of links independent of what a copy would do with them.
extension CopyPlan {
  /// Returns the plan for a two-way comparison.
  ///
  /// A link to a missing object counts as no link, on either side; if such values are kept and the root entity is among
  /// `kept`, it counts as a plain value. A link to an object that only one store has differs from no link. The data
  /// that goes with a link, such as its position in a list, is compared only if both links lead to the same object.
  func lookingBothWays(_ source: Layout, _ destination: Layout, kept: Set<String>) -> CopyPlan {
    changingLinks(source, destination) { step, link in
      let keeps = link.keepsUnresolvedKeys && kept.contains(link.root) ? ", 1" : ""
      let root = link.root.sqlText
      let (here, there) = ("partner(\(root), \(link.here)\(keeps))", "there(\(root), \(link.there)\(keeps))")
      step.assignments[link.position].proof?.expected = link.text(link.here, else: here)
      step.assignments[link.position].proof?.actual = link.text(link.there, else: there)
      for companion in link.companions {
        guard let actual = step.assignments[companion].proof?.actual else { continue }
        step.assignments[companion].proof?.actual =
          "CASE WHEN origin(\(root), \(link.there)) IS NOT NULL THEN (\(actual)) END"
      }
    } rows: { step, links in
      step.lookBothWays(
        links,
        keeps: links.keepsUnresolvedKeys && kept.isSuperset(of: [links.ownerRoot, links.targetRoot])
      )
    }
  }

  /// Returns the plan for a proof in which only the keys of `kept` root entities are unchanged.
  ///
  /// Whether the copy kept a number that refers to no object depended on the destination's contents at that time: here
  /// it counts as no value, on either side. Text is never a row's key, and is always kept.
  func forgettingUnresolvedKeys(_ source: Layout, _ destination: Layout, kept: Set<String>) -> CopyPlan {
    changingLinks(source, destination) { step, link in
      guard link.keepsUnresolvedKeys, !kept.contains(link.root) else { return }
      let root = link.root.sqlText
      let (here, there) = ("id(\(root), \(link.here))", "there(\(root), \(link.there))")
      step.assignments[link.position].proof?.expected = link.text(link.here, else: here)
      step.assignments[link.position].proof?.actual = link.text(link.there, else: there)
    } rows: { step, links in
      guard links.keepsUnresolvedKeys, !kept.isSuperset(of: [links.ownerRoot, links.targetRoot]) else {
        return
      }
      step.isAnonymous = false
      step.proofConditions = [
        (links.ownerColumn, links.ownerRoot), (links.targetColumn, links.targetRoot),
      ].map { "id(\($1.sqlText), \($0.sqlName)) IS NOT NULL" }
    }
  }

  /// Returns the plan for a proof after rows were written.
  ///
  /// Columns that hold a link in some rows only are proven as a whole: rows that determine types may be new, and the
  /// destination's conditions do not know them yet.
  package func provingWholeColumns(_ destination: Layout) -> CopyPlan {
    var plan = self
    for index in steps.indices {
      guard let root = steps[index].objectRoot, let there = destination.relation(of: root) else {
        continue
      }
      plan.steps[index].proveWholeColumns(there)
    }
    return plan
  }

  private func changingLinks(
    _ source: Layout,
    _ destination: Layout,
    columns: (inout CopyStep, CopyStep.LinkProof) -> Void,
    rows: (inout CopyStep, LinkRelation) -> Void
  ) -> CopyPlan {
    var plan = self
    for (index, step) in steps.enumerated() {
      switch step.kind {
      case .objects(let root), .unkeyed(let root, _):
        guard let here = source.relation(of: root), let there = destination.relation(of: root)
        else {
          continue
        }
        for link in step.linkProofs(here, there) { columns(&plan.steps[index], link) }
      case .links(let links): rows(&plan.steps[index], links)
      case .rows: continue
      }
    }
    return plan
  }

  /// Adds the proof that a key that is also a link refers to the right object.
  ///
  /// A copy gives both tables keys from one range; matching objects treats each table separately.
  mutating func proveKeyLinks(_ source: Layout, _ destination: Layout) {
    for (index, step) in steps.enumerated() {
      guard case .objects(let root) = step.kind, let here = source.relation(of: root),
        let there = destination.relation(of: root)
      else { continue }
      for column in there.columns {
        guard case .key(let property) = column.columnRole,
          let target = here.column(column.columnRole)?.targetRoot
        else { continue }
        let proof = CopyStep.Proof(
          expected: "link(\(target.sqlText), \(here.keyName))",
          actual: there.keyName,
          property: property.name,
          isNumeric: false
        )
        steps[index].assignments.append(
          CopyStep.Assignment(column: column.name, expression: "NULL", proof: proof, role: .keyLink)
        )
      }
    }
  }
}

extension CopyStep {
  /// The position at which a step proves a link, and the values on either side.
  fileprivate struct LinkProof {
    let position: Int
    let root: String
    let here: String
    let there: String
    let keepsUnresolvedKeys: Bool
    /// The data that goes with the link: its position in a list, the entity of its target.
    let companions: [Int]

    /// Returns the proven expression; if such values are kept, text, which is never a key, is compared directly.
    func text(_ value: String, else key: String) -> String {
      keepsUnresolvedKeys ? "CASE typeof(\(value)) WHEN 'text' THEN \(value) ELSE \(key) END" : key
    }
  }

  fileprivate func linkProofs(_ here: Relation, _ there: Relation) -> [LinkProof] {
    assignments.indices.compactMap { position in
      let assignment = assignments[position]
      guard let column = there.column(of: assignment),
        column.columnRole.isLink(assignment.role == .keyLink),
        let from = here.column(column.columnRole), let root = from.targetRoot,
        assignment.proof != nil
      else { return nil }
      let companions = there.columns.filter { $0.columnRole.goes(with: column.columnRole) }.map(\.name)
      return LinkProof(
        position: position,
        root: root,
        here: here.value(of: from),
        there: there.value(of: column),
        keepsUnresolvedKeys: from.keepsUnresolvedKeys && column.keepsUnresolvedKeys
          || assignment.role == .keyLink,
        companions: assignments.indices.filter { companions.contains(assignments[$0].column) }
      )
    }
  }

  /// Limits the rows of links to those whose two ends are included: objects that both stores have and, if such values
  /// are kept, values that are no object's key.
  fileprivate mutating func lookBothWays(_ links: LinkRelation, keeps: Bool) {
    isAnonymous = false
    proofConditions = []
    var conditions: [String] = []
    for (position, end) in [
      (links.ownerColumn, links.ownerRoot), (links.targetColumn, links.targetRoot),
    ].enumerated() {
      let (column, root) = (end.0.sqlName, end.1.sqlText)
      let there = assignments[position].column.sqlName
      proofConditions.append("id(\(root), \(column)) IS NOT NULL\(keeps ? " OR NOT known(\(root), \(column))" : "")")
      conditions.append("(origin(\(root), \(there)) IS NOT NULL\(keeps ? " OR there(\(root), \(there)) IS NULL" : ""))")
      let flag = keeps ? ", 1" : ""
      assignments[position].proof?.expected = "partner(\(root), \(column)\(flag))"
      assignments[position].proof?.actual = "there(\(root), \(there)\(flag))"
    }
    actualConditions = conditions
  }
}

extension ColumnRole {
  /// Returns whether the column holds a link; a key counts if `isKeyLink` is set.
  fileprivate func isLink(_ isKeyLink: Bool) -> Bool {
    switch self {
    case .target, .owner: true
    case .key: isKeyLink
    case .attribute, .targetEntity, .position, .ownerPosition, .unnamed, .revision: false
    }
  }

  /// Returns whether the column has a meaning only together with that of `link`.
  fileprivate func goes(with link: ColumnRole) -> Bool {
    switch self {
    case .targetEntity(let property), .position(let property): link == .target(property)
    case .ownerPosition(let property): link == .owner(property)
    case .attribute, .key, .target, .owner, .unnamed, .revision: false
    }
  }
}
