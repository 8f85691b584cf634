internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The links of a store for a search, found by their start without reading all links each time.
///
/// If the store has no suitable index, its links are read once and sorted into a work table.
final class ClosureLinks {
  private let paths: [LinkPath]
  private let tables: ClosureTables
  private let connection: Connection
  private var ready: [Int: [LinkRows]] = [:]

  init(_ paths: [LinkPath], _ tables: ClosureTables, on connection: Connection) {
    self.paths = paths
    self.tables = tables
    self.connection = connection
  }

  /// Returns where the links of the path with this number are found.
  func rows(of path: Int) throws(SQLiteError) -> [LinkRows] {
    if let rows = ready[path] { return rows }
    guard let start = tables.rows(of: paths[path].from) else { return [] }
    var rows: [LinkRows] = []
    for (part, links) in paths[path].rows.enumerated() {
      let isFound = try finds(links.select([links.to], from: tables.wave(of: start)).sql)
      rows.append(isFound ? links : try sort(links, ClosureTables.links(path, part)))
    }
    ready[path] = rows
    return rows
  }

  /// Returns whether `sql` scans no table except the one it starts from, `w`.
  private func finds(_ sql: String) throws(SQLiteError) -> Bool {
    var finds = true
    try connection.forEachRow("EXPLAIN QUERY PLAN \(sql)") { row in
      let step = row.text(at: 3) ?? ""
      if step.contains("AUTOMATIC") || (step.hasPrefix("SCAN") && !step.isScan(of: "w")) {
        finds = false
      }
    }
    return finds
  }

  private func sort(_ links: LinkRows, _ table: String) throws(SQLiteError) -> LinkRows {
    try tables.empty(
      table,
      "(source INTEGER, target INTEGER, PRIMARY KEY (source, target)) WITHOUT ROWID",
      on: connection
    )
    var pairs = links.pairs
    pairs.order = ["1", "2"]
    try connection.run(pairs.inserting(into: table, columns: ["source", "target"], or: "IGNORE"))
    return .sorted(table)
  }
}

extension String {
  /// Returns whether this step of a query plan scans the table named `name`.
  fileprivate func isScan(of name: String) -> Bool {
    self == "SCAN \(name)" || hasPrefix("SCAN \(name) ")
  }
}
