internal import SQLite

/// The links of one relationship of the destination, as a table over the source.
struct MappedLinkTable {
  let mapped: MappedLinks
  let tables: MappedTables

  /// The name of the view that holds the links.
  var viewName: String { "mapped links \(mapped.relationship)" }

  /// The table, and the SELECT of its view where it is one.
  ///
  /// - Parameter schema: The name under which the source is attached.
  /// - Returns: The source's own table under other names where only names differ.
  func relation(in schema: String) -> (links: LinkRelation, view: String?) {
    var links = LinkRelation(
      relationship: mapped.relationship,
      inverse: mapped.inverse,
      table: viewName,
      ownerColumn: "owner",
      targetColumn: "target",
      ownerRoot: mapped.ownerRoot,
      targetRoot: mapped.targetRoot,
      isReflexive: mapped.isReflexive
    )
    let roots = [mapped.ownerRoot, mapped.targetRoot]
    let areAllKept = mapped.owners == nil && mapped.targets == nil
    if mapped.sources.count == 1, areAllKept, let own = mapped.sources.first,
      !roots.contains(where: { tables.hasKeys($0) })
    {
      var renamed = own
      renamed.relationship = mapped.relationship
      renamed.inverse = mapped.inverse
      (renamed.ownerRoot, renamed.targetRoot) = (mapped.ownerRoot, mapped.targetRoot)
      renamed.isReflexive = mapped.isReflexive
      return (renamed, nil)
    }
    links.schema = "temp"
    // Rows of several tables have no numbers in common.
    let rowID = mapped.sources.count == 1 ? mapped.sources[0].rowID : nil
    links.rowID = rowID.map { _ in "_id" }
    let hasOrder = mapped.sources.allSatisfy { $0.positionColumn != nil }
    let hasInverseOrder = mapped.sources.allSatisfy { $0.inversePositionColumn != nil }
    if hasOrder { links.positionColumn = "position" }
    if hasInverseOrder { links.inversePositionColumn = "inverse position" }
    let selects = mapped.sources.map { own -> String in
      let owner = tables.key(
        "l.\(own.ownerColumn.sqlName)",
        of: own.ownerRoot,
        in: mapped.ownerRoot,
        only: mapped.owners,
        schema: schema
      )
      let target = tables.key(
        "l.\(own.targetColumn.sqlName)",
        of: own.targetRoot,
        in: mapped.targetRoot,
        only: mapped.targets,
        schema: schema
      )
      var columns = ["\(owner) AS owner", "\(target) AS target"]
      if let rowID { columns.append("l.\(rowID) AS _id") }
      if hasOrder, let position = own.positionColumn {
        columns.append("l.\(position.sqlName) AS position")
      }
      if hasInverseOrder, let position = own.inversePositionColumn {
        columns.append("l.\(position.sqlName) AS \"inverse position\"")
      }
      return SelectStatement(
        columns: columns,
        source: "\(own.sqlTable(in: schema)) AS l",
        conditions: [own.condition].compactMap(\.self)
      ).sql
    }
    return (links, selects.joined(separator: "\nUNION ALL\n"))
  }
}
