internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Identifiers made from content, which must be unique.
struct MadeIdentifiers {
  private var tables: MappedTables
  private let schema: String

  /// The identifiers that `tables` makes for a source attached as `schema`.
  init(_ tables: MappedTables, in schema: String) {
    self.schema = schema
    self.tables = tables
    // An object without identifier is rejected or left out when it is copied.
    self.tables.missesIdentifiers = false
  }

  /// Throws if two copied objects would get the same identifier.
  func check(on connection: Connection) throws(DecantError) {
    for root in tables.roots {
      for part in root.parts {
        for made in part.rule?.generated ?? [] {
          guard case .content = made.generator else { continue }
          try check(made, root, part, on: connection)
        }
      }
    }
  }

  private func check(
    _ made: Mapping.Generated,
    _ root: MappedRoot,
    _ part: MappedPart,
    on connection: Connection
  ) throws(DecantError) {
    let relation = try MappedRelation(mapped: root, store: tables).relation(in: schema)
    guard let objects = relation.view else { return }
    let name = made.attribute.text.quotedName
    let codes = tables.destination.layout.relation(of: root.root)?.entities ?? []
    var conditions = ["\(name) IS NOT NULL"]
    if codes.count > 1, let code = codes.first(where: { $0.name == part.entity })?.code {
      conditions.append("\(EntityView.entityName) = \(code)")
    }
    if root.parts.contains(where: { $0.entity == part.entity && $0.condition != nil }) {
      let choice = "temp.\("chosen \(part.entity)".quotedName)"
      conditions.append("\(EntityView.key) IN (SELECT \(EntityView.key) FROM \(choice))")
    }
    let keys = try explaining("cannot generate identifiers for \(part.entity)") {
      () throws(SQLiteError) -> (Int64, Int64)? in
      let statement = try connection.prepare(
        """
        SELECT min(\(EntityView.key)), max(\(EntityView.key)) FROM (\(objects))
        WHERE \(conditions.joined(separator: " AND ")) GROUP BY \(name) HAVING count(*) > 1 LIMIT 1
        """
      )
      guard try statement.step() else { return nil }
      return (statement.integer(at: 0), statement.integer(at: 1))
    }
    guard let keys else { return }
    throw tables.mapping.mistake(
      "two objects of \(part.entity) would get the same \(made.attribute.text): p\(keys.0) and p\(keys.1)",
      at: made.attribute.mark,
      remedy: "add more identifying attributes, or use uuid5 alone to include the key"
    )
  }
}
