internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore

/// A link whose row is rejected together with its target.
struct RejectingLink {
  let step: CopyStep
  /// The root entity of the row, and that of the target.
  let root: String
  let targetRoot: String
  /// The relationship, or the key that is the link.
  let property: Property
  /// The target, on the row `r`: its key in the destination, or the text of a key that is no integer.
  let end: String

  /// A link in a column.
  init(_ link: LinkColumn) {
    (step, root, property) = (link.step, link.root, link.property)
    targetRoot = link.column.targetRoot ?? link.root
    end = link.assignment.expression.uncounted.description
  }

  /// A key that is a link.
  init?(_ column: RelationColumn, of step: CopyStep) {
    guard column.columnRole.isKey, let target = column.targetRoot, let root = step.objectRoot else { return nil }
    (self.step, self.root, targetRoot) = (step, root, target)
    property = Property(root, column.name)
    end = "id(\(target.sqlText), r._id)"
  }

  /// A link by values.
  init(_ link: ValueLink) {
    (step, root, property) = (link.step, link.written.root, link.written.relationship)
    targetRoot = link.targets.target.root
    end = link.targets.value(link.targets.target.rejectKey("p"), for: "r")
  }

  /// Returns a SELECT of the links as ``Reach`` stores them, with the row's key in the source as the note.
  func select(_ number: Int, where conditions: [String] = []) -> SelectStatement {
    let (root, key) = (root.sqlText, step.rejectKey)
    return SelectStatement(
      columns: [targetRoot.sqlText, end, root, step.hasNumbers ? "id(\(root), r._id)" : key, "\(number)", key],
      source: "\(step.source) AS r",
      conditions: conditions + ["\(end) IS NOT NULL"] + step.choice
    )
  }
}

/// A link by values whose rows the copy writes.
struct ValueLink {
  let step: CopyStep
  /// The link in the destination, with the holder and the target there.
  let written: NonIntegerKey
  let holder: Relation
  let target: Relation
  /// The columns to empty if the target is missing; none if the row needs it.
  let emptied: [String]
  /// The link in the source, and the same with its names in `r`.
  let link: NonIntegerKey
  let targets: NonIntegerKeyTargets

  /// Whether the row's key would be destroyed without the link.
  var isKey: Bool { emptied.isEmpty && written.columns.contains { holder.keyColumns.contains($0) } }

  /// The table of the target in the destination.
  var targetTable: String { "\(CopyStep.written).\(target.table.sqlName)" }

  /// The condition on `r` that the destination has a row with the values.
  var leads: String {
    let values = written.columns.map { name in
      step.assignments.first { $0.column == name }?.expression.uncounted.description ?? "NULL"
    }
    return written.leads(values, to: targetTable)
  }

  /// Returns the condition on `r` that the target was rejected, and the destination has no other row with its values.
  func isLost(_ rejects: Rejects) -> String {
    "(\(targets.exists(for: "r", [rejects.include(targets.target, as: "p")])) AND NOT \(leads))"
  }
}

extension CopyPlan {
  /// Returns the links by values that a copy between these layouts fills.
  func valueLinks(from source: Layout, to destination: Layout) -> [ValueLink] {
    let found = source.nonIntegerKeys + source.partialLinks
    return (destination.nonIntegerKeys + destination.partialLinks).compactMap { written in
      guard let link = found.first(where: { $0.relationship == written.relationship }),
        let step = steps.first(where: { $0.objectRoot == written.root }), let relation = step.relation,
        let holder = destination.relation(of: written.root),
        let target = destination.relation(of: written.targetRoot),
        let targets = NonIntegerKeyTargets(link.read(from: relation), in: source, schema: CopySession.source)
      else { return nil }
      return ValueLink(
        step: step,
        written: written,
        holder: holder,
        target: target,
        emptied: destination.emptiedColumns(of: written, in: holder),
        link: link,
        targets: targets
      )
    }
  }

  /// Returns the links that are part of their row's key: the row is rejected with the target whatever the rules say.
  func keyLinks(from source: Layout, to destination: Layout) -> [RejectingLink] {
    let columns = linkColumns(of: destination).filter(\.isKey).map(RejectingLink.init)
    let keys = steps.compactMap { step in
      step.objectRoot.flatMap { destination.relation(of: $0) }?.columns
        .lazy.compactMap { RejectingLink($0, of: step) }.first
    }
    return columns + keys + valueLinks(from: source, to: destination).filter(\.isKey).map(RejectingLink.init)
  }
}

extension LinkColumn {
  /// Whether the row's key would be destroyed without the link.
  var isKey: Bool { relation.keyColumns.contains(column.name) }
}

extension CopyStep {
  /// Whether objects of the step have integer keys.
  var hasNumbers: Bool { if case .objects = kind { true } else { false } }

  /// The expression over `r` that identifies an object of the step among the rejected ones.
  var rejectKey: String {
    guard case .values(let count) = batching else { return "r._id" }
    return RejectedObjects.keyText((0..<count).map { "r._k\($0)" })
  }
}

extension Relation {
  /// Returns the expression over `row` that identifies an object of the source among the reached ones.
  fileprivate func rejectKey(_ row: String) -> String {
    switch key {
    case .integer: "id(\(root.sqlText), \(row).\(keyName))"
    case .values(let names): RejectedObjects.keyText(names.map { "\(row).\($0.sqlName)" })
    case .none: "NULL"
    }
  }
}
