import Foundation
import TestSupport
import Testing

/// Plain databases of every shape, copied to PostgreSQL and back.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct AwkwardDatabaseTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  @Test(arguments: AwkwardDatabase.all.filter { $0.isQuick || Effort.isThorough })
  func `a database comes back equal, or is refused by name`(database: AwkwardDatabase) throws {
    let path = place.folder.path("plain.db")
    _ = try Program.sqlite3(path, database.sql)
    if let refusal = database.refusal {
      let run = try place.run(["copy", "plain.db", place.location])
      #expect([1, 64].contains(run.status))
      #expect(run.errors.contains(refusal.message) && run.errors.contains(refusal.wayOut), "\(run.errors)")
      return #expect(try place.visible() == "")
    }
    try place.expect("copy", "plain.db", place.location)
    try place.expect("copy", place.location, "back.db")
    #expect(try place.expect("diff", "plain.db", "back.db").contains("equal"))
    // Every value and every statement, as a program of another make prints them.
    let back = place.folder.path("back.db")
    #expect(try Program.sqlite3(back, "PRAGMA integrity_check") == "ok")
    #expect(try Self.dump(back) == Self.dump(path))
  }

  /// Returns the statements that make a database, in an order that does not depend on where they are in the file.
  ///
  /// Row numbers that no column shows are not among them: a server has none.
  private static func dump(_ path: String) throws -> [String] {
    try Program.sqlite3(path, ".dump").split(separator: "\n").map(String.init).sorted()
  }
}
