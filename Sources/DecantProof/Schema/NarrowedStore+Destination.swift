internal import DecantBase
package import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A plain database with tables and columns that its destination lacks, which is acceptable if they are empty.
extension NarrowedStore {
  /// Limits `source` to what `destination` can hold; `nil` if it can hold everything, or if the models differ in more
  /// than tables and columns that only the source has.
  package init?(_ source: any SourceStore, for destination: any DestinationStore) {
    guard !destination.isNew, source.identity.terms == .rows, source.model.isFromTables,
      destination.model.isFromTables, source.mapped == nil,
      !ModelMisfits(from: source.model, to: destination.model).all.isEmpty,
      let shared = SharedModel(Sided(source.model, destination.model), Sided(source.layout, destination.layout))
    else { return nil }
    self = shared.narrowed(source, .source)
    guard let leftOut = leftOut(facing: destination.layout),
      ModelMisfits(from: model, to: destination.model).all.isEmpty
    else { return nil }
    self.leftOut = leftOut
    // A table that would be copied row by row is not supported.
    guard layout.plainTables == source.layout.plainTables else { return nil }
  }

  /// Returns what is left out of the source; `nil` if `other` has something different of the same name.
  private func leftOut(facing other: Layout) -> [UnmatchedColumn]? {
    var found: [UnmatchedColumn] = []
    let tables = Set((other.relations.map(\.table) + other.linkRelations.map(\.table)).map(\.foldedName))
    func leave(_ table: String) -> Bool {
      found.append(
        UnmatchedColumn(table: "\(CopySession.source).\(table.sqlName)", name: table, column: nil, isModelled: true)
      )
      return !tables.contains(table.foldedName)
    }
    for relation in base.layout.relations {
      guard let seen = layout.relation(of: relation.root) else {
        guard leave(relation.table) else { return nil }
        continue
      }
      let there = Set((other.relation(of: relation.root)?.columns ?? []).map(\.name.foldedName))
      for column in relation.columns where !seen.columns.contains(column) {
        guard !there.contains(column.name.foldedName) else { return nil }
        found.append(
          UnmatchedColumn(
            table: relation.sqlTable(in: CopySession.source),
            name: "\(relation.table).\(column.name)",
            column: column.name,
            isModelled: true
          )
        )
      }
    }
    for links in base.layout.linkRelations where !layout.linkRelations.contains(links) {
      guard leave(links.table) else { return nil }
    }
    // A foreign key over common columns is a rule that the destination does not have.
    let lost = base.layout.nonIntegerKeys.filter { link in
      !layout.nonIntegerKeys.contains(link)
        && link.columns.allSatisfy { name in
          layout.relation(of: link.root)?.columns.contains { $0.name == name } ?? false
        } && layout.relation(of: link.targetRoot) != nil
    }
    return lost.isEmpty ? found : nil
  }
}
