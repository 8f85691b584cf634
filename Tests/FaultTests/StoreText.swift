import Foundation
import TestSupport

/// A store as the `sqlite3` program writes it down, without what is another one in every copy.
enum StoreText {
  /// Returns the statements that make the store at `path` again, after what SQLite thinks of it.
  static func of(_ path: String) throws -> String {
    let run = try Program.run(["sqlite3", "-batch", path, "PRAGMA integrity_check", ".dump"])
    guard run.status == 0 else { throw Program.Failure(program: "sqlite3", errors: run.errors) }
    return run.output.split(separator: "\n")
      .filter { line in !own.contains { line.hasPrefix("INSERT INTO \($0) ") } }
      .joined(separator: "\n")
  }

  /// The tables that hold the store's identifier and times.
  private static let own = ["Z_METADATA", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
}
