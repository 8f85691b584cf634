internal import DecantBase
package import DecantPlan
package import DecantStore
internal import DecantSQLite

/// How links are compared where it is not asked what a copy would make of them.
extension CopyPlan {
  /// The plan as a comparison reads it that looks both ways.
  ///
  /// A link that leads nowhere is none, on either side, or where such values are kept and keys of `kept` root
  /// entities are meant a value like any other; one to an object that only one store has differs from none.
  /// To what goes with a link, as its place in a list, is looked only where both lead to the same object.
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

  /// The plan as it is proven where keys other than those of `kept` root entities were renumbered.
  ///
  /// Whether a number that leads nowhere was kept depended on what the destination held then: here it counts as
  /// nothing, on either side. A text is no row's key, and stays whatever that held.
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

  /// The plan as it is proven after rows were written: columns that hold a link in some rows only are proven as a
  /// whole, as rows that tell types may be new and the destination's conditions do not know them yet.
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

  /// Adds to the proof that a key which is a link as well leads to the object that it should.
  ///
  /// A copy gives both tables keys from one range; where objects were matched each table was for itself.
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
  /// Where a step proves a link, and what stands there on either side.
  fileprivate struct LinkProof {
    let position: Int
    let root: String
    let here: String
    let there: String
    let keepsUnresolvedKeys: Bool
    /// What goes with the link: its place in a list, the entity of its target.
    let companions: [Int]

    /// Returns what tells of a value: a text, which no key is, tells of itself where such values are kept.
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

  /// Rows of links count where both ends do: objects that both stores have, and where such values are
  /// kept what is no object's key.
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
  /// Whether the column holds a link; a key does where it is looked at as one.
  fileprivate func isLink(_ isKeyLink: Bool) -> Bool {
    switch self {
    case .target, .owner: true
    case .key: isKeyLink
    case .attribute, .targetEntity, .position, .ownerPosition, .unnamed, .revision: false
    }
  }

  /// Whether the column means something only beside that of `link`.
  fileprivate func goes(with link: ColumnRole) -> Bool {
    switch self {
    case .targetEntity(let property), .position(let property): link == .target(property)
    case .ownerPosition(let property): link == .owner(property)
    case .attribute, .key, .target, .owner, .unnamed, .revision: false
    }
  }
}
