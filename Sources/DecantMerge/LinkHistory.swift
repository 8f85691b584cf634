internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantProof
internal import DecantStore
internal import DecantSQLite

/// Compares the many-to-many links of one store with those of the base and of the other store.
struct LinkHistory {
  let source: BaseComparison
  let destination: BaseComparison
  /// The objects whose links the source may remove.
  let selection: BaseSelection

  /// A row of links in one store whose two ends exist in the base and in the other store.
  private struct Row {
    let owner, target: Int64
    let isInBase: Bool
    /// Whether the other store has the row; `nil` if it lacks an end, or the merge does not select both.
    let isThere: Bool?
  }

  /// Returns the links of one side that the other has removed and that side left unchanged, with keys of that side.
  ///
  /// - Parameters:
  ///   - side: The side that has the links.
  ///   - added: Called with the relationship's ends and their keys for every link that the base does not have.
  /// - Returns: The links.
  /// - Throws: `SQLiteError` if a database reports an error.
  func removed(
    from side: MatchSide,
    _ added: (Link, Int64, Int64) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> RemovedLinks {
    let (connection, layout) =
      switch side {
      case .source: (source.connection, source.comparison.source.layout)
      case .destination: (destination.connection, destination.comparison.destination.layout)
      }
    let links = try RemovedLinks(on: connection)
    for own in layout.links where own.isTable {
      try forEach(own, of: side) { row throws(SQLiteError) in
        guard row.isInBase else { return try added(own, row.owner, row.target) }
        guard row.isThere == false else { return }
        try links.add(own.relationship.description, row.owner, row.target)
      }
    }
    return links
  }

  private func forEach(
    _ own: Link,
    of side: MatchSide,
    do body: (Row) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let (mine, base, other, reader) =
      switch side {
      case .source:
        (source, source.comparison.destination.layout, destination.comparison.destination.layout, destination)
      case .destination:
        (destination, destination.comparison.source.layout, source.comparison.source.layout, source)
      }
    guard let before = base.link(own.relationship), let there = other.link(own.relationship),
      before.isTable, there.isTable
    else { return }
    let schemas: (base: String, other: String) =
      side == .source
      ? (CopySession.destination, CopySession.destination) : (CopySession.source, CopySession.source)
    let inBase = try mine.connection.prepare(LinkHistory.lookup(before, schemas.base))
    let inOther = try reader.connection.prepare(LinkHistory.lookup(there, schemas.other))
    func keys(_ key: Int64, _ root: String) throws(SQLiteError) -> (before: Int64, there: Int64?)? {
      switch side {
      case .source:
        guard let before = try source.partner(of: key, root) else { return nil }
        return (before, try destination.partner(of: before, root))
      case .destination:
        guard let before = try destination.origin(of: key, root) else { return nil }
        return (before, try source.origin(of: before, root))
      }
    }
    let schema = side == .source ? CopySession.source : CopySession.destination
    try mine.connection.forEachRow(own.rows(in: schema, bothWays: false)) {
      row throws(SQLiteError) in
      guard row.type(at: 0) == .integer, row.type(at: 1) == .integer else { return }
      let (owner, target) = (row.integer(at: 0), row.integer(at: 1))
      guard let holder = try keys(owner, own.holder), let held = try keys(target, own.target)
      else {
        return try body(Row(owner: owner, target: target, isInBase: false, isThere: nil))
      }
      let isInBase = try LinkHistory.isThere(inBase, holder.before, held.before)
      var isThere: Bool?
      var isSelected = true
      if side == .destination {
        let isHolder = try selection.contains(holder.before, of: own.holder)
        let isHeld = try selection.contains(held.before, of: own.target)
        isSelected = isHolder && isHeld
      }
      if isSelected, let one = holder.there, let two = held.there {
        isThere = try LinkHistory.isThere(inOther, one, two)
      }
      try body(Row(owner: owner, target: target, isInBase: isInBase, isThere: isThere))
    }
  }

  private static func lookup(_ link: Link, _ schema: String) -> String {
    let (owner, target) = (link.holderKey, link.targetKey)
    let either = link.isReflexive ? " OR \(owner) = ?2 AND \(target) = ?1" : ""
    return "SELECT 1 FROM \(link.sqlTable(in: schema)) "
      + "WHERE \(owner) = ?1 AND \(target) = ?2\(either)"
  }

  private static func isThere(_ lookup: Statement, _ owner: Int64, _ target: Int64) throws(SQLiteError) -> Bool {
    defer { lookup.reset() }
    try lookup.bind([.integer(owner), .integer(target)])
    return try lookup.step()
  }
}
