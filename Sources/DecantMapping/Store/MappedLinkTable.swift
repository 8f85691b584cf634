internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The links of one relationship of the destination, as a table over the source.
struct MappedLinkTable {
  let mapped: MappedLinks
  let tables: MappedTables

  /// The name of the view of the links.
  var viewName: String { "mapped links \(mapped.relationship)" }

  /// The unquoted name of the temporary table in which links get positions that the source does not have.
  private var placedName: String { "placed links \(mapped.relationship)" }

  /// Whether either list is ordered in the destination but not in every table of the source.
  private var unplaced: (forward: Bool, inverse: Bool) {
    let there = tables.destination.layout.linkRelations.first {
      $0.relationship == mapped.relationship
    }
    return (
      there?.positionColumn != nil && mapped.sources.contains { $0.positionColumn == nil },
      there?.inversePositionColumn != nil
        && mapped.sources.contains { $0.inversePositionColumn == nil }
    )
  }

  private var isPlaced: Bool { unplaced.forward || unplaced.inverse }

  /// Fills the table of links with positions from the present state of the source on `connection`, if it is needed.
  func fill(_ schema: String, on connection: Connection) throws(DecantError) {
    guard isPlaced else { return }
    let (forward, inverse) = unplaced
    func place(_ column: String, in owner: String, by member: String, _ isMade: Bool) -> String {
      guard isMade else { return column }
      return "1024 + 1024 * row_number() OVER (PARTITION BY \(owner) "
        + "ORDER BY \(column) IS NULL, \(column), \(member))"
    }
    let table = "temp.\(placedName.quotedName)"
    let index = "\(placedName) by "
    try explaining("cannot assign positions to \(mapped.relationship)") { () throws(SQLiteError) in
      try connection.makeEmpty(
        table,
        "_id INTEGER PRIMARY KEY, owner, target, position INTEGER, \"inverse position\" INTEGER"
      )
      try connection.run(
        """
        INSERT INTO \(table) (owner, target, position, "inverse position") SELECT owner, target,
        \(place("position", in: "owner", by: "target", forward)),
        \(place("\"inverse position\"", in: "target", by: "owner", inverse))
        FROM temp.\(viewName.quotedName)
        """
      )
      for column in ["owner", "target"] {
        try connection.run(
          "CREATE INDEX IF NOT EXISTS temp.\((index + column).quotedName) "
            + "ON \(placedName.quotedName) (\(column))"
        )
      }
    }
  }

  /// Returns the table, and the SELECT of its view if it is a view.
  ///
  /// - Parameter schema: The schema name of the source.
  /// - Returns: The source's own table under other names, if only names differ.
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
    if mapped.sources.count == 1, areAllKept, !isPlaced, let own = mapped.sources.first,
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
    // Rows of several tables have no common row numbers.
    let rowID = mapped.sources.count == 1 && !isPlaced ? mapped.sources[0].rowID : nil
    links.rowID = rowID.map { _ in "_id" }
    let hasOrder = isPlaced || mapped.sources.allSatisfy { $0.positionColumn != nil }
    let hasInverseOrder =
      isPlaced || mapped.sources.allSatisfy { $0.inversePositionColumn != nil }
    if hasOrder { links.positionColumn = "position" }
    if hasInverseOrder { links.inversePositionColumn = "inverse position" }
    if isPlaced { (links.table, links.rowID) = (placedName, "_id") }
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
      func add(_ position: String?, as name: String) {
        columns.append("\(position.map { "l.\($0.sqlName)" } ?? "NULL") AS \(name)")
      }
      if hasOrder { add(own.positionColumn, as: "position") }
      if hasInverseOrder { add(own.inversePositionColumn, as: "\"inverse position\"") }
      return SelectStatement(
        columns: columns,
        source: "\(own.sqlTable(in: schema)) AS l",
        conditions: [own.condition].compactMap(\.self)
      ).sql
    }
    return (links, selects.joined(separator: "\nUNION ALL\n"))
  }
}
