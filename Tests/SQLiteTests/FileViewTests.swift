import Foundation
import DecantSQLite
import TestSupport
import Testing

@Suite struct FileViewTests {
  @Test func `the view shows the bytes of the file`() throws {
    let folder = try TemporaryFolder()
    let connection = try Connection(folder.path("a.sqlite"), mode: .create)
    try connection.run("CREATE TABLE t AS SELECT 'some text' AS x")
    let bytes = try Data(contentsOf: folder.url.appendingPathComponent("a.sqlite"))
    let view = try FileView(.database, of: "main", on: connection)
    #expect(view.byteCount == Int64(bytes.count))
    #expect(view.read(16, at: 0) == Array("SQLite format 3\u{0}".utf8))
    #expect(view.read(bytes.count, at: 0) == Array(bytes))
    #expect(view.read(bytes.count, at: 1) == nil)
  }

  @Test func `the write-ahead log is seen beside the file`() throws {
    let folder = try TemporaryFolder()
    let connection = try Connection(folder.path("a.sqlite"), mode: .create)
    #expect(try connection.text("PRAGMA journal_mode = WAL") == "wal")
    try connection.run("CREATE TABLE t (x)")
    let log = try FileView(.journal, of: "main", on: connection)
    let file = try Data(contentsOf: folder.url.appendingPathComponent("a.sqlite-wal"))
    #expect(log.byteCount == Int64(file.count))
    #expect(log.read(32, at: 0) == Array(file.prefix(32)))
  }

  @Test func `a database in memory has no journal to look into`() throws {
    let view = try FileView(.journal, of: "main", on: Connection(":memory:", mode: .create))
    #expect(view.byteCount == 0 && view.read(1, at: 0) == nil)
  }

  @Test func `looking into a file keeps its locks`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    let writer = try Connection(path, mode: .create)
    try writer.run("CREATE TABLE t (x)")
    try writer.run("BEGIN EXCLUSIVE")
    _ = try FileView(.database, of: "main", on: writer).read(100, at: 0)
    // Another process, as locks of one process never exclude each other at the system.
    let other = try Program.run(["sqlite3", "-batch", path, "SELECT count(*) FROM t"])
    #expect(other.errors.contains("locked"))
  }
}
