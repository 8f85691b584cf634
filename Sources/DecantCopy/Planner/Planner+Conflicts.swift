internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantJSON
internal import DecantSQLite

/// The conflicts of a merge: objects that both stores have changed.
extension Planner {
  /// Returns the first few objects that were changed on both sides and are kept as additional copies.
  func conflicts(
    _ ids: IDTable,
    _ plan: CopyPlan,
    on connection: Connection,
    _ schema: String
  ) throws(DecantError) -> [CopyReport.Conflict] {
    guard let log = ids.conflicts else { return [] }
    let rows = ids.numberedRows
    let layouts = rows?.layouts(schema) ?? Sided(source.layout, destination.layout)
    let schemas = Sided(CopySession.source, schema)
    let roots = MatchRoot.all(of: rows?.numbered(plan) ?? plan, source.model, layouts, schemas: schemas)
    let hashes = MatchHashes(roots: roots, model: source.model, layouts: layouts, schemas: schemas)
    let values = ConflictValues(hashes, on: connection)
    func key(_ key: Int64, _ root: String, _ side: MatchSide) throws(SQLiteError) -> String? {
      guard layouts[side].relation(of: root)?.ownKey.isEmpty == false else { return nil }
      return try values.key(key, root, side).text
    }
    func title(_ key: Int64, _ name: String, _ side: MatchSide) throws(SQLiteError) -> String? {
      guard let likeness = source.likeness, likeness.entity == name, let title = likeness.title,
        let root = hashes.root(name), let column = root.relations[side].column(.attribute(Property(name, title)))
      else { return nil }
      return try connection.text(
        "SELECT \(column.encoding.decoding(column.name.sqlName)) FROM \(root.table(side)) WHERE \(root.key(side)) = ?1",
        .integer(key)
      )
    }
    let isListed = options.merge?.listsConflicts == true
    var conflicts: [CopyReport.Conflict] = []
    try explaining("cannot list what both sides changed") { () throws(SQLiteError) in
      try log.forEach { conflict throws(SQLiteError) in
        let pair = conflict.pair
        guard conflicts.count < CopyReport.Conflict.limit,
          let relation = source.layout.relation(of: pair.root)
        else { return }
        let image = try ids.map(of: pair.root)?.destination(of: pair.source)
        // If only lists are in conflict, there is no copy.
        let copy = isListed || image == pair.destination ? nil : image
        var found = CopyReport.Conflict(
          entity: try relation.entityName(of: pair.source, on: connection) ?? pair.root,
          source: pair.source,
          destination: pair.destination,
          key: try key(pair.destination, pair.root, .destination),
          copy: copy,
          isChanged: try base?.has(pair.source, of: pair.root),
          properties: conflict.columnRoles.map(\.name)
        )
        found.title = try title(pair.destination, pair.root, .destination)
        conflicts.append(found)
      }
      try log.forEachDeletion { root, side, number throws(SQLiteError) in
        guard conflicts.count < CopyReport.Conflict.limit,
          let relation = (side == .source ? source.layout : destination.layout).relation(of: root)
        else { return }
        let isHere = side == .source
        var found = CopyReport.Conflict(
          entity: try relation.entityName(
            of: number,
            in: isHere ? CopySession.source : schema,
            on: connection
          ) ?? root,
          source: isHere ? number : nil,
          destination: isHere ? nil : number,
          key: try key(number, root, side),
          copy: isHere && !isListed
            ? try ids.map(of: root)?.destination(of: number) : nil,
          isChanged: true,
          properties: []
        )
        found.title = try title(number, root, side)
        conflicts.append(found)
      }
    }
    return conflicts
  }
}
