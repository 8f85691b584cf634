import Foundation
import DecantSQLite
import TestSupport
import Testing

@testable import DecantStore

@Suite struct FingerprintTests {
  /// Returns the fingerprint as a connection of its own sees it.
  private func fingerprint(_ path: String) throws -> Fingerprint {
    try Fingerprint(of: "main", on: Connection(path, mode: .readOnly))
  }

  @Test(arguments: ["DELETE", "TRUNCATE", "PERSIST", "WAL"])
  func `a commit changes it, reading does not`(_ mode: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    let writer = try Connection(path, mode: .create)
    _ = try writer.text("PRAGMA journal_mode = \(mode)")
    try writer.run("CREATE TABLE t (x)")
    var seen: Set<Fingerprint> = [try fingerprint(path)]
    for value in 1...3 {
      try writer.run("INSERT INTO t VALUES (?1)", .integer(Int64(value)))
      let print = try fingerprint(path)
      #expect(seen.insert(print).inserted)
      let reader = try Connection(path, mode: .readOnly)
      #expect(try reader.integer("SELECT count(*) FROM t") == Int64(value))
      #expect(try fingerprint(path) == print)
    }
    // A change that keeps the file's size and every count.
    let before = try fingerprint(path)
    try writer.run("UPDATE t SET x = x + 1")
    #expect(try fingerprint(path) != before)
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `what was not committed does not show`(_ mode: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    let writer = try Connection(path, mode: .create)
    _ = try writer.text("PRAGMA journal_mode = \(mode)")
    try writer.run("CREATE TABLE t (x)")
    let before = try fingerprint(path)
    try writer.run("BEGIN IMMEDIATE")
    try writer.run("INSERT INTO t VALUES (1)")
    #expect(try fingerprint(path) == before)
    try writer.run("ROLLBACK")
    #expect(try fingerprint(path) == before)
  }

  @Test func `a log that starts again from its beginning shows`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    let writer = try Connection(path, mode: .create)
    _ = try writer.text("PRAGMA journal_mode = WAL")
    try writer.run("CREATE TABLE t (x)")
    try writer.run("INSERT INTO t VALUES (1)")
    let before = try fingerprint(path)
    _ = try writer.text("PRAGMA wal_checkpoint(RESTART)")
    try writer.run("INSERT INTO t VALUES (2)")
    try writer.run("INSERT INTO t VALUES (3)")
    #expect(try fingerprint(path) != before)
  }

  @Test func `a commit that stands in the log and that nobody sees yet does not show`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    let writer = try Connection(path, mode: .create)
    _ = try writer.text("PRAGMA journal_mode = WAL")
    try writer.run("CREATE TABLE t (x)")
    let before = try fingerprint(path)
    // The last frame once more, as if its writer had not got to the index yet.
    let log = URL(fileURLWithPath: path + "-wal")
    let bytes = try Data(contentsOf: log)
    let file = try FileHandle(forWritingTo: log)
    try file.seekToEnd()
    try file.write(contentsOf: bytes.suffix(24 + 4096))
    try file.close()
    #expect(try fingerprint(path) == before)
    try writer.run("INSERT INTO t VALUES (1)")
    #expect(try fingerprint(path) != before)
  }

  @Test func `the name of the file and its schema do not matter`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    try Connection(path, mode: .create).run("CREATE TABLE t AS SELECT 1 AS x")
    let connection = try Connection(":memory:", mode: .create)
    try connection.attach(path, as: "the source")
    #expect(try Fingerprint(of: "the source", on: connection) == fingerprint(path))
  }
}
