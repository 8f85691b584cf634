package import DecantStore
internal import DecantSQLite

/// Where the links of one direction lie: rows that hold both ends.
package struct LinkRows: Sendable, Hashable {
  /// The tables that are read, `r` among them, for somebody who knows where links begin.
  package var tables: String
  /// The same tables, for somebody who reads all links; another order may serve better.
  package var scan: String
  /// The number of the object that a link begins at, and of the one it leads to; SQL over the tables.
  package var from: String
  package var to: String
  /// Conditions without which a row is no link.
  package var conditions: [String] = []

  package init(tables: String, scan: String, from: String, to: String, conditions: [String] = []) {
    (self.tables, self.scan, self.from) = (tables, scan, from)
    (self.to, self.conditions) = (to, conditions)
  }

  /// The links that begin at the objects in `wave`, a table with their numbers that goes by `w`.
  package func select(_ columns: [String], from wave: String) -> SelectStatement {
    SelectStatement(
      columns: columns,
      source: "\(wave) AS w CROSS JOIN \(tables)",
      conditions: ["\(from) = w.key"] + conditions
    )
  }

  /// All links, as pairs of numbers.
  package var pairs: SelectStatement {
    SelectStatement(
      columns: [from, to],
      source: scan,
      conditions: conditions + ["typeof(\(from)) = 'integer'", "typeof(\(to)) = 'integer'"]
    )
  }

  /// Links that are kept in `table`, a copy that is sorted by where they begin.
  package static func sorted(_ table: String) -> LinkRows {
    LinkRows(tables: "\(table) AS r", scan: "\(table) AS r", from: "r.source", to: "r.target")
  }
}
