internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantStore
internal import DecantSQLite

/// The links of a store whose pages were copied unchanged; they are counted, and dangling ones are cleared.
struct AdoptedLinks {
  let connection: Connection
  let ids: IDTable

  /// Throws if an object has an entity that the model does not contain.
  func checkEntities(of layout: Layout) throws(SQLiteError) {
    for relation in layout.relations {
      guard let column = relation.entityCode() else { continue }
      let codes = relation.entities.map(\.code)
      let arguments = "\(relation.root.sqlText), \(relation.keyName), \(column)"
      _ = try connection.integer(
        """
        SELECT no_entity(\(arguments)) FROM main.\(relation.table.sqlName)
        WHERE \(column) IS NULL OR \(column) NOT IN (\(codes.list)) LIMIT 1
        """
      )
    }
  }

  /// Clears dangling links, and returns the counts of links by relationship.
  func mend(_ layout: Layout) throws(SQLiteError) -> [String: LinkCounts] {
    var counts: [String: LinkCounts] = [:]
    _ = ids.takeLinkCounts()
    for link in layout.links where !link.isKey {
      counts[link.relationship.description] =
        switch link.storage {
        case .column(let column): try mend(column, of: link.holder, link, layout)
        case .otherSide(let column): try mend(column, of: link.target, link, layout)
        case .table(let links): try mend(links)
        }
    }
    return counts
  }

  private func mend(_ column: RelationColumn, of root: String, _ link: Link, _ layout: Layout)
    throws(SQLiteError) -> LinkCounts
  {
    guard let relation = layout.relation(of: root) else { return LinkCounts() }
    let property = link.relationship
    let table = "main.\(relation.table.sqlName)"
    let root = (column.targetRoot ?? relation.root).sqlText
    let value = relation.value(of: column)
    let name = property.description.sqlText
    _ = try connection.integer("SELECT count(id(\(root), \(value), \(name))) FROM \(table)")
    let counts = ids.takeLinkCounts()[property.description] ?? LinkCounts()
    if counts.dangling > 0, !column.keepsUnresolvedKeys {
      let companions = relation.companions(of: column).map { ", \($0.name.sqlName) = NULL" }
      try connection.run(
        """
        UPDATE \(table) SET \(column.name.sqlName) = NULL\(companions.joined())
        WHERE \(value) IS NOT NULL AND id(\(root), \(value)) IS NULL
        """
      )
    }
    return counts
  }

  private func mend(_ links: LinkRelation) throws(SQLiteError) -> LinkCounts {
    let table = "main.\(links.table.sqlName)"
    let owner = "id(\(links.ownerRoot.sqlText), \(links.ownerColumn.sqlName))"
    let target = "id(\(links.targetRoot.sqlText), \(links.targetColumn.sqlName))"
    let lacksEnd = "\(owner) IS NULL OR \(target) IS NULL"
    if links.keepsUnresolvedKeys {
      let sums = "SELECT coalesce(sum(\(lacksEnd)), 0) FROM \(table)"
      let dangling = try connection.integer(sums) ?? 0
      let rows = try connection.integer("SELECT count(*) FROM \(table)") ?? 0
      return LinkCounts(copied: rows - dangling, dangling: dangling)
    }
    try connection.run("DELETE FROM \(table) WHERE \(lacksEnd)")
    let dangling = connection.changeCount
    let rows = try connection.integer("SELECT count(*) FROM \(table)") ?? 0
    return LinkCounts(copied: rows, dangling: dangling)
  }
}
