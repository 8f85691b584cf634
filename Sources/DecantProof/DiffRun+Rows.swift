internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The part of a comparison that works row by row: objects without integer keys, links, and other tables.
extension DiffRun {
  /// Adds the objects of an entity without integer keys: objects with the same key values are the same.
  func addUnkeyed(
    _ name: String,
    isToldByKey: Bool,
    _ step: CopyStep,
    _ finder: DifferenceFinder?,
    _ sums: [Int64: RowHash.Sum],
    _ list: FoundDifferences?,
    to report: inout DiffReport
  ) throws(SQLiteError) {
    let relation = destination.relation(of: name)
    var items: [DiffReport.Item] = []
    report.change(name) { $0.same = sums.values.reduce(0) { $0 + $1.count } }
    try finder?.forEachRowDifference(in: step, withValues: list != nil) { difference throws(SQLiteError) in
      report.change(name) { $0.count(difference.kind, difference.count) }
      try list?.add(difference, of: name)
      guard items.count <= diff.differenceLimit, isToldByKey else { return }
      var item = DiffReport.Item(entity: name, kind: difference.kind)
      item.changes = difference.changes.map { change(of: $0, step, relation) }
      item.name = RowNames.name(of: difference.name)
      items.append(item)
    }
    report.add(items, limit: diff.differenceLimit)
  }

  func addRows(
    of step: CopyStep,
    _ finder: DifferenceFinder?,
    _ sums: [Int64: RowHash.Sum],
    _ list: FoundDifferences?,
    to report: inout DiffReport
  ) throws(SQLiteError) {
    var rows = DiffReport.Rows(name: step.name, same: sums.values.reduce(0) { $0 + $1.count })
    var items: [DiffReport.Item] = []
    try finder?.forEachRowDifference(in: step, withValues: list != nil) { difference throws(SQLiteError) in
      rows.count(difference.kind, difference.count)
      try list?.add(difference, of: step.name)
      guard items.count <= diff.differenceLimit, difference.keys.count == 2 else { return }
      var item = DiffReport.Item(entity: step.name, kind: difference.kind, keysInA: difference.keys)
      item.changes = difference.changes.map { change(of: $0, step, nil) }
      items.append(item)
    }
    if rows.same + rows.changed + rows.onlyInA + rows.onlyInB > 0 { report.rows.append(rows) }
    report.add(items, limit: diff.differenceLimit)
  }

  /// Counts the rows of the app's own tables that only one of the stores has.
  func addLostTables(to report: inout DiffReport) throws(DecantError) {
    guard diff.idTableFile == nil, wanted == nil else { return }
    for (layout, other, side) in [
      (source, destination, MatchSide.source), (destination, source, .destination),
    ] {
      for table in try comparison.lostTables(layout, side.schema, other) {
        let name = "\(side.schema.sqlName).\(table.sqlName)"
        let count = try explaining("cannot count the rows of \(table)") {
          () throws(SQLiteError) in
          try connection.integer("SELECT count(*) FROM \(name)") ?? 0
        }
        var rows = DiffReport.Rows(name: "table \(table)")
        if side == .source { rows.onlyInA = count } else { rows.onlyInB = count }
        report.rows.append(rows)
      }
    }
  }
}
