internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Removes the parts of a replaced object that only the destination has.
///
/// A part is removed only if nothing but its own parts links to it. Rows that continue an object under the same key are
/// removed as well.
struct ReplacedParts {
  let connection: Connection
  let planning: Planning
  let layouts: Sided<Layout>
  let model: Model
  let schemas: Sided<String>
  /// Returns the SELECT of the keys, in the destination, of the objects of a root entity that take values under a
  /// policy.
  let replaced: (String, MergePolicy) -> String?

  /// Removes the parts, or only counts them in a dry run.
  ///
  /// - Parameter isDryRun: Whether to count only.
  /// - Returns: The number of parts.
  /// - Throws: `DecantError` if a store cannot be read or written.
  func run(isDryRun: Bool) throws(DecantError) -> Int64 {
    let roots = MatchRoot.all(
      of: planning.plan,
      model,
      layouts,
      schemas: schemas,
      declared: planning.plan.mergeRules?.identities ?? [:]
    )
    let hashes = MatchHashes(roots: roots, model: model, layouts: layouts, schemas: schemas)
    let parts = PartLinks(hashes)
    var left: [(root: MatchRoot, table: TemporaryTable)] = []
    defer { withExtendedLifetime(left) {} }
    for name in parts.closed where planning.ids.map(of: name) != nil {
      guard let root = hashes.root(name), let link = parts.owners[name],
        !root.relations.destination.columns.contains(where: \.isExternal)
      else { continue }
      // The parts of a removed part are included.
      let owners = [
        replaced(link.target, .replace),
        left.first { $0.root.name == link.target }.map { "SELECT key FROM \($0.table)" },
      ].compactMap(\.self)
      guard !owners.isEmpty else { continue }
      let table = try explaining("cannot replace the parts \(name)") { () throws(SQLiteError) in
        let owner = root.relations.destination.value(of: link.columns.destination)
        return try leftOver(root, owner, of: owners.joined(separator: " UNION ALL "))
      }
      left.append((root, table))
    }
    try keepLinked(left, parts)
    for root in roots where root.identities.isEmpty && planning.ids.map(of: root.name) != nil {
      guard let other = hashes.linked(by: root),
        let owner = replaced(other.name, .replace) ?? replaced(other.name, .update),
        !layouts.destination.hasLinks(to: root.name)
      else { continue }
      // A missing link of the source is an empty value, which an update takes as well.
      let table = try explaining("cannot replace the rows of \(root.name)") {
        () throws(SQLiteError) in
        try leftOver(root, root.relations.destination.keyName, of: owner)
      }
      left.append((root, table))
    }
    var count: Int64 = 0
    // Parts are removed before their owners.
    for (root, table) in left.reversed() {
      count += try explaining("cannot replace the parts \(root.name)") { () throws(SQLiteError) in
        guard !isDryRun else { return try connection.integer("SELECT count(*) FROM \(table)") ?? 0 }
        let there = root.relations.destination
        try connection.run(
          "DELETE FROM \(schemas.destination.sqlName).\(there.table.sqlName) "
            + "WHERE \(there.keyName) IN (SELECT key FROM \(table))"
        )
        return connection.changeCount
      }
    }
    return count
  }

  /// Keeps a part that another kept part of its owner links to, such as a step with a picture.
  private func keepLinked(_ left: [(root: MatchRoot, table: TemporaryTable)], _ parts: PartLinks) throws(DecantError) {
    try explaining("cannot replace parts") { () throws(SQLiteError) in
      var isSettled = false
      while !isSettled {
        isSettled = true
        for (root, table) in left {
          for (other, otherTable) in left where other.name != root.name {
            for column in other.relations.destination.columns
            where column.targetRoot == root.name
              && parts.owners[other.name]?.columns.destination.name != column.name
            {
              let there = other.relations.destination
              try connection.run(
                "DELETE FROM \(table) WHERE key IN (SELECT \(there.value(of: column)) FROM "
                  + "\(there.sqlTable(in: schemas.destination)) "
                  + "WHERE \(there.keyName) NOT IN (SELECT key FROM \(otherTable)))"
              )
              if connection.changeCount > 0 { isSettled = false }
            }
          }
        }
      }
    }
  }

  /// Returns a table of the keys of parts that belong to `owners` and that the source lacks.
  private func leftOver(_ root: MatchRoot, _ owner: String, of owners: String) throws(SQLiteError) -> TemporaryTable {
    let (here, there) = (root.relations.source, root.relations.destination)
    let image = "id(\(root.name.sqlText), \(here.keyName))"
    let table = try TemporaryTable("(key INTEGER PRIMARY KEY)", on: connection)
    try connection.run(
      """
      INSERT INTO \(table) SELECT \(there.keyName)
      FROM \(schemas.destination.sqlName).\(there.table.sqlName)
      WHERE \(owner) IN (\(owners))
        AND \(there.keyName) NOT IN (SELECT \(image) FROM \(here.sqlTable(in: schemas.source))
          WHERE \(image) IS NOT NULL)
      """
    )
    return table
  }
}
