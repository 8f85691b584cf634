internal import SQLite

/// Takes away the parts that only the destination has of an object that is replaced.
///
/// Parts are objects without identity that belong to another one, such as the ingredients of a recipe. Only those to
/// which nothing else leads are removed: a part that has parts or is linked from elsewhere stays.
struct ReplacedParts {
  let connection: Connection
  let planning: Planning
  let layouts: Sided<Layout>
  let model: Model
  let schemas: Sided<String>
  /// The select of the keys, in the destination, of the objects of a root entity that are replaced.
  let replaced: (String) -> String?

  /// Removes them, unless it is a dry run.
  ///
  /// - Parameter isDryRun: Whether they are only counted.
  /// - Returns: How many there were.
  /// - Throws: `DecantError` where a store cannot be read or written.
  func run(isDryRun: Bool) throws(DecantError) -> Int64 {
    let roots = MatchRoot.all(
      of: planning.plan,
      model,
      layouts,
      schemas: schemas,
      declared: planning.plan.mergeRules?.identities ?? [:]
    )
    let hashes = MatchHashes(roots: roots, model: model, layouts: layouts, schemas: schemas)
    var count: Int64 = 0
    for root in roots where root.identities.isEmpty && planning.ids.map(of: root.name) != nil {
      let owners = hashes.links(of: root).filter(\.isOwner)
      guard owners.count == 1, let owner = replaced(owners[0].target),
        isLeaf(root, besides: owners[0])
      else { continue }
      count += try explaining("cannot replace the parts \(root.name)") { () throws(SQLiteError) in
        try remove(root, owners[0], of: owner, isDryRun)
      }
    }
    return count
  }

  /// Whether nothing leads to objects of `root` but the objects that they belong to, and no file holds their values.
  private func isLeaf(_ root: MatchRoot, besides owner: MatchHashes.Link) -> Bool {
    let there = layouts.destination
    let own = owner.columns.destination.name
    return !root.relations.destination.columns.contains(where: \.isExternal)
      && !there.relations.contains { relation in
        relation.columns.contains {
          $0.targetRoot == root.name && !(relation.root == root.name && $0.name == own)
        }
      }
      && !there.linkRelations.contains { [$0.ownerRoot, $0.targetRoot].contains(root.name) }
      && !(there.valueLinks + there.partialLinks).contains {
        [$0.root, $0.targetRoot].contains(root.name)
      }
  }

  private func remove(
    _ root: MatchRoot,
    _ link: MatchHashes.Link,
    of owner: String,
    _ isDryRun: Bool
  ) throws(SQLiteError) -> Int64 {
    let (here, there) = (root.relations.source, root.relations.destination)
    let image = "id(\(root.name.sqlText), \(here.keyName))"
    let rows = """
      FROM \(schemas.destination.sqlName).\(there.table.sqlName)
      WHERE \(there.value(of: link.columns.destination)) IN (\(owner))
        AND \(there.keyName) NOT IN (SELECT \(image) FROM \(here.sqlTable(in: schemas.source))
          WHERE \(image) IS NOT NULL)
      """
    guard !isDryRun else { return try connection.integer("SELECT count(*) \(rows)") ?? 0 }
    try connection.run("DELETE \(rows)")
    return connection.changeCount
  }
}
