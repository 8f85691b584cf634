internal import DecantBase
package import DecantStore
internal import DecantSQLite

extension CopyStep {
  /// Makes a link by values null in rows whose target is excluded by a condition.
  mutating func empty(
    _ link: NonIntegerKey,
    of layout: Layout,
    schema: String,
    _ filters: [CopyPlan.EntityFilter]
  ) {
    guard let relation,
      let targets = NonIntegerKeyTargets(link, in: layout, schema: schema, filters: filters),
      let readTargets = NonIntegerKeyTargets(link.read(from: relation), in: layout, schema: schema, filters: filters)
    else { return }
    for index in emptiedAssignments(of: link, in: layout, relation) {
      assignments[index].empty(unless: readTargets.stays(for: "r"))
      assignments[index].proveEmpty(unless: targets.stays(for: relation.table.sqlName))
    }
  }

  /// Proves that a link by values is null in rows whose target was rejected, unless the destination has another row
  /// with these values.
  ///
  /// - Parameters:
  ///   - columns: The columns that are null then.
  ///   - link: The link in the destination.
  ///   - table: The table of its target there, as SQL.
  ///   - targets: The target's rows in the source.
  package mutating func proveEmpty(
    _ columns: [String],
    of link: NonIntegerKey,
    to table: String,
    _ targets: NonIntegerKeyTargets
  ) {
    guard let relation else { return }
    let values = link.columns.compactMap { name in
      assignments.first { $0.column == name && $0.proof != nil }?.proof?.expected
    }
    var stays = targets.stays(for: relation.table.sqlName)
    if values.count == link.columns.count { stays += " OR \(link.leads(values, to: table))" }
    for index in assignments.indices where columns.contains(assignments[index].column) {
      assignments[index].proveEmpty(unless: stays)
    }
  }

  /// Returns the assignments that are emptied; if no column may be empty, the destination refuses the row.
  private func emptiedAssignments(of link: NonIntegerKey, in layout: Layout, _ relation: Relation) -> [Int] {
    let emptied = layout.emptiedColumns(of: link, in: relation)
    let names = emptied.isEmpty ? link.columns : emptied
    let roles = relation.columns.filter { names.contains($0.name) }.map(\.columnRole)
    return assignments.indices.filter { index in
      assignments[index].columnRole.map(roles.contains) == true
    }
  }
}

extension CopyStep.Assignment {
  /// Writes null unless a condition on the read row holds.
  package mutating func empty(unless stays: String) {
    expression = "CASE WHEN \(stays) THEN \(expression) END"
    stream = nil
  }

  /// Expects null in the proof unless a condition holds.
  package mutating func proveEmpty(unless stays: String) {
    guard let expected = proof?.expected else { return }
    proof?.expected = "CASE WHEN \(stays) THEN \(expected) END"
  }
}

extension NonIntegerKey {
  /// Returns the same link with the names that the columns of `relation` have when it is read as `r`.
  package func read(from relation: Relation) -> NonIntegerKey {
    let source = SourceRelation(relation: relation, schema: "")
    var link = self
    link.columns = columns.map { name in
      relation.columns.first { $0.name == name }.map { source.name(of: $0) } ?? name
    }
    return link
  }

  /// Returns the condition that a row of `table` is the target of `values`, SQL expressions.
  package func leads(_ values: [String], to table: String) -> String {
    // The names differ from all that the values use.
    let names = targetColumns.enumerated().map { "\($1.sqlName) AS \"decant \($0)\"" }
    let isSame = values.enumerated().map { "\"decant \($0)\" = (\($1))" }.joined(separator: " AND ")
    return "EXISTS (SELECT 1 FROM (SELECT \(names.joined(separator: ", ")) FROM \(table)) WHERE \(isSame))"
  }
}
