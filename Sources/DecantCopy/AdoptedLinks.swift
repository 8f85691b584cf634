internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantStore
internal import DecantSQLite

/// The links of a store whose pages were copied unchanged; they are counted, and dangling ones are cleared.
struct AdoptedLinks {
  let connection: Connection
  let ids: IDTable

  /// A column with links, and their relationship.
  private typealias Column = (column: RelationColumn, property: Property)

  /// Counts links, and clears dangling ones.
  ///
  /// Each table is read once, unless it has dangling links.
  ///
  /// - Parameters:
  ///   - layout: The layout of the store.
  ///   - checksEntities: Whether an object of an entity that the model does not contain is an error.
  /// - Returns: The counts by relationship.
  /// - Throws: `SQLiteError`.
  func mend(_ layout: Layout, checksEntities: Bool) throws(SQLiteError) -> [String: LinkCounts] {
    var columns: [String: [Column]] = [:]
    var counts: [String: LinkCounts] = [:]
    for link in layout.links where !link.isKey {
      switch link.storage {
      case .column(let column): columns[link.holder, default: []].append((column, link.relationship))
      case .otherSide(let column): columns[link.target, default: []].append((column, link.relationship))
      case .table(let links): counts[link.relationship.description] = try mend(links)
      }
    }
    for relation in layout.relations {
      let columns = columns[relation.root] ?? []
      let met = try read(relation, columns, checksEntities: checksEntities)
      for (column, property) in columns {
        let name = property.description
        counts[name] = met[name] ?? LinkCounts()
        if counts[name, default: LinkCounts()].dangling > 0, !column.keepsUnresolvedKeys {
          let isDangling = "\(relation.value(of: column)) IS NOT NULL AND \(id(column, of: relation)) IS NULL"
          try connection.run(relation.clearing(column, in: "main", where: isDangling))
        }
      }
    }
    return counts
  }

  /// Returns the counts of links in `columns`, by relationship.
  private func read(_ relation: Relation, _ columns: [Column], checksEntities: Bool) throws(SQLiteError)
    -> [String: LinkCounts]
  {
    var calls = columns.map { column, property in
      "count(\(id(column, of: relation, ", \(property.description.sqlText)")))"
    }
    if checksEntities, let code = relation.entityCode() {
      let codes = relation.entities.map(\.code).list
      let failure = "no_entity(\(relation.root.sqlText), \(relation.keyName), \(code))"
      calls.append("count(CASE WHEN \(code) IN (\(codes)) THEN 0 ELSE \(failure) END)")
    }
    guard !calls.isEmpty else { return [:] }
    _ = ids.takeLinkCounts()
    try connection.run("SELECT \(calls.joined(separator: ", ")) FROM main.\(relation.table.sqlName)")
    return ids.takeLinkCounts()
  }

  /// Returns the target of a link in `column`, as SQL on the rows.
  private func id(_ column: RelationColumn, of relation: Relation, _ name: String = "") -> String {
    "id(\((column.targetRoot ?? relation.root).sqlText), \(relation.value(of: column))\(name))"
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
