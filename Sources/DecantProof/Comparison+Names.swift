internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The names of rows of plain tables that differ.
extension Comparison {
  /// Returns the key of `difference` in words; `nil` for an object identified by its number.
  func name(of difference: Difference) throws(SQLiteError) -> String? {
    let isAdded = difference.kind == .added
    return try name(of: difference.keys, in: difference.entity, isAdded ? .destination : .source)
  }

  /// Returns the key of `item` in words, on both sides if they differ; `nil` for an object identified by its number.
  func name(of item: DiffReport.Item) throws(SQLiteError) -> String? {
    let b = try name(of: item.keysInB, in: item.entity, .destination)
    guard let a = try name(of: item.keysInA, in: item.entity, .source) else { return b }
    guard let b, a != b else { return a }
    return "\(a) (\(b) in B)"
  }

  /// Returns the key of an object of `entity`, or the keys of a link's two ends, in words.
  private func name(of keys: [Int64], in entity: String, _ side: MatchSide) throws(SQLiteError) -> String? {
    let layout = side == .source ? source.layout : destination.layout
    let links = layout.linkRelations.first { $0.relationship.description == entity }
    let roots = links.map { [$0.ownerRoot, $0.targetRoot] } ?? [entity]
    guard !keys.isEmpty, keys.count == roots.count else { return nil }
    var names: [String] = []
    for (key, root) in zip(keys, roots) {
      guard let relation = layout.relation(of: root), relation.terms == .rows else { return nil }
      let all = RowNames(relation: relation, schema: side.schema, connection: connection)
      names.append(try all.name(of: key))
    }
    return names.joined(separator: " → ")
  }
}
