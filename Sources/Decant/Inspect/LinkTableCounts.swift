internal import SQLite

/// Counts the links that have a table of their own.
struct LinkTableCounts {
  let links: LinkRelation
  let layout: Layout
  let schema: String

  /// Counts the rows into `census`, for the relationship and for its inverse.
  func count(on connection: Connection, into census: inout Census) throws(SQLiteError) {
    let (owner, target) = ("r.\(links.ownerColumn.sqlName)", "r.\(links.targetColumn.sqlName)")
    let hasOwner = contains(owner, links.ownerRoot)
    let hasTarget = contains(target, links.targetRoot)
    let select = SelectStatement(
      columns: [
        "\(hasOwner) AS has_owner", "\(hasTarget) AS has_target",
        "\(isSingle(owner, target)) AS is_single",
      ],
      source: "\(table) AS r"
    )
    let row = try connection.prepare(
      """
      SELECT coalesce(sum(has_owner AND has_target), 0),
        coalesce(sum(has_owner AND has_target AND is_single), 0),
        coalesce(sum(NOT has_target), 0), coalesce(sum(NOT has_owner), 0),
        coalesce(sum(NOT (has_owner AND has_target)), 0)
      FROM (\(select.sql))
      """
    )
    guard try row.step() else { return }
    if links.isReflexive {
      census.addLinks(
        row.integer(at: 0) + row.integer(at: 1),
        dangling: row.integer(at: 4),
        of: links.relationship
      )
      return
    }
    census.addLinks(row.integer(at: 0), dangling: row.integer(at: 2), of: links.relationship)
    if let inverse = links.inverse {
      census.addLinks(row.integer(at: 0), dangling: row.integer(at: 3), of: inverse)
    }
  }

  private var table: String { "\(schema.sqlName).\(links.table.sqlName)" }

  private func contains(_ key: String, _ root: String) -> String {
    ObjectTable(layout.relation(of: root), schema: schema).contains(key)
  }

  /// Whether a row is the only one of an undirected pair.
  ///
  /// Such a pair is seen from both its objects and so makes two links, whether it is stored once, as
  /// newer frameworks do, or in both directions, as older ones do.
  private func isSingle(_ owner: String, _ target: String) -> String {
    guard links.isReflexive else { return "0" }
    let (ownerColumn, targetColumn) = (links.ownerColumn.sqlName, links.targetColumn.sqlName)
    return "(\(owner) <> \(target) AND NOT EXISTS (SELECT 1 FROM \(table) AS b WHERE "
      + "b.\(ownerColumn) = \(target) AND b.\(targetColumn) = \(owner)))"
  }
}
