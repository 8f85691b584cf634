package import Decant
internal import Foundation
package import TestSupport

/// Plain databases in a folder of their own, made and read by the `sqlite3` program.
package struct PlainDatabase {
  package let folder: TemporaryFolder

  package init() throws { folder = try TemporaryFolder() }

  package func path(_ name: String) -> String { folder.path(name) }

  /// Makes the database `name` by running `sql`.
  package func make(_ name: String, _ sql: String) throws {
    _ = try Program.sqlite3(path(name), sql)
  }

  /// What `sql` reads from the database `name`, values as literals.
  package func read(_ name: String, _ sql: String) throws -> [String] {
    try Program.sqlite3(path(name), sql, isQuoted: true).split(separator: "\n").map(String.init)
  }

  @discardableResult
  package func copy(
    _ source: String = "a.db",
    to destination: String = "b.db",
    _ configure: (inout CopyOptions) -> Void = { _ in }
  ) throws -> CopyReport {
    var options = CopyOptions()
    configure(&options)
    return try Copy(from: path(source), to: path(destination), options: options).run()
  }

  /// Copies by rows, not by pages.
  @discardableResult
  package func copyRows(_ source: String = "a.db", to destination: String = "b.db", batchSize: Int64 = 2) throws
    -> CopyReport
  {
    try copy(source, to: destination) {
      $0.leftOver = .resume
      $0.batchSize = batchSize
    }
  }

  /// Adds all of `source` to `destination`.
  @discardableResult
  package func append(
    _ source: String = "a.db",
    to destination: String = "b.db",
    _ configure: (inout CopyOptions) -> Void = { _ in }
  ) throws -> CopyReport {
    try copy(source, to: destination) {
      $0.appends = true
      $0.batchSize = 2
      configure(&$0)
    }
  }

  /// Everything the `sqlite3` program would write down of a database: schema and rows, in its own order.
  package func dump(_ name: String) throws -> String { try Program.sqlite3(path(name), ".dump") }

  /// What SQLite's own checks say of a database; empty for a sound one without loose links.
  package func complaints(_ name: String) throws -> String {
    let found = try Program.sqlite3(path(name), "PRAGMA integrity_check; PRAGMA foreign_key_check")
    return found == "ok" ? "" : found
  }
}
