package import DecantStore
internal import DecantSQLite

/// The rows with the links of one direction, which contain both ends.
package struct LinkRows: Sendable, Hashable {
  /// The tables to read, including `r`, in the order for known start objects.
  package var tables: String
  /// The same tables in the order for reading all links.
  package var scan: String
  /// The keys of a link's start and target, as SQL on the tables.
  package var from: String
  package var to: String
  /// The conditions for a row to be a link.
  package var conditions: [String] = []

  package init(tables: String, scan: String, from: String, to: String, conditions: [String] = []) {
    (self.tables, self.scan, self.from) = (tables, scan, from)
    (self.to, self.conditions) = (to, conditions)
  }

  /// Returns a SELECT of the links from the objects in `wave`, a table of keys with the alias `w`.
  package func select(_ columns: [String], from wave: String) -> SelectStatement {
    SelectStatement(
      columns: columns,
      source: "\(wave) AS w CROSS JOIN \(tables)",
      conditions: ["\(from) = w.key"] + conditions
    )
  }

  /// All links, as pairs of keys.
  package var pairs: SelectStatement {
    SelectStatement(
      columns: [from, to],
      source: scan,
      conditions: conditions + ["typeof(\(from)) = 'integer'", "typeof(\(to)) = 'integer'"]
    )
  }

  /// Returns the links in `table`, a copy sorted by the start of the links.
  package static func sorted(_ table: String) -> LinkRows {
    LinkRows(tables: "\(table) AS r", scan: "\(table) AS r", from: "r.source", to: "r.target")
  }
}
