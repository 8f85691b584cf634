import Foundation
import TestSupport

/// Every row of every table of a store, and the statements that made it, as the `sqlite3` program
/// prints them.
struct StoredTables: Equatable {
  /// By table: its rows as SQL literals.
  private(set) var rows: [String: String] = [:]
  /// Tables, indexes and triggers, each behind the name of its table.
  let schema: [String]

  /// Reads the store at `path`; tables that modules keep, not SQLite itself, are left out.
  init(_ path: String) throws {
    let own = "FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'"
    schema = try Program.sqlite3(
      path,
      "SELECT tbl_name || '|' || type || '|' || name || '|' || replace(sql, char(10), ' ') \(own) ORDER BY 1"
    ).split(separator: "\n").map(String.init)
    let names = try Program.sqlite3(
      path,
      "SELECT name \(own) AND type = 'table' AND rootpage > 0 ORDER BY 1"
    ).split(separator: "\n").map(String.init)
    // One run of the program for all: a store may have hundreds of tables.
    let mark = "--- next table ---"
    let statements = names.map { "SELECT '\(mark)'; SELECT * FROM \"\($0)\" ORDER BY 1;" }
    let text = try Program.sqlite3(path, statements.joined(separator: "\n"), isQuoted: true)
    let parts = text.components(separatedBy: "'\(mark)'").dropFirst()
    for (name, part) in zip(names, parts) { rows[name] = part }
  }
}
