import Foundation
import DecantSQLite
import TestSupport
import Testing

@Suite struct SQLiteErrorTests {
  @Test func `a lock of another connection is busy`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    let holder = try Connection(path, mode: .create)
    try holder.run("CREATE TABLE t (x)")
    try holder.run("BEGIN EXCLUSIVE")
    let error = #expect(throws: SQLiteError.self) {
      try Connection(path, mode: .readWrite).run("INSERT INTO t VALUES (1)")
    }
    #expect(error?.isBusy == true && error?.primaryCode == 5)
  }

  @Test func `a database that may not grow is full, and nothing of the transaction stays`() throws {
    let folder = try TemporaryFolder()
    let connection = try Connection(folder.path("a.sqlite"), mode: .create)
    try connection.run("CREATE TABLE t (x)")
    #expect(try connection.integer("PRAGMA max_page_count = 4") == 4)
    let error = #expect(throws: SQLiteError.self) {
      try connection.transaction { () throws(SQLiteError) in
        try connection.run("INSERT INTO t VALUES (1)")
        try connection.run("INSERT INTO t VALUES (zeroblob(100000))")
      }
    }
    #expect(error?.isFull == true)
    #expect(connection.isAutocommit)
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
  }

  @Test(arguments: [0, 1024])
  func `bytes that are no database are corrupt`(_ offset: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    try Connection(path, mode: .create).run("CREATE TABLE t AS SELECT 1 AS x")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes.replaceSubrange(offset..<bytes.count, with: Data(repeating: 0x5A, count: bytes.count - offset))
    try bytes.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: SQLiteError.self) {
      _ = try Connection(path, mode: .readOnly).integer("SELECT sum(x) FROM t")
    }
    #expect(error?.isCorrupt == true)
  }

  @Test func `a broken constraint says which, and keeps the values to itself`() throws {
    let connection = try Connection(":memory:", mode: .create)
    try connection.run("CREATE TABLE t (name TEXT UNIQUE)")
    try connection.run("INSERT INTO t VALUES (?1)", .text("a secret"))
    let error = #expect(throws: SQLiteError.self) {
      try connection.run("INSERT INTO t VALUES (?1)", .text("a secret"))
    }
    #expect(error?.isConstraint == true)
    // The extended code tells a unique index from other constraints.
    #expect(error?.code == 2067)
    #expect(error?.message == "UNIQUE constraint failed: t.name")
    #expect(error?.sql == "INSERT INTO t VALUES (?1)")
    #expect(error?.description.contains("secret") == false)
  }

  @Test func `a file that is not there cannot be opened`() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: SQLiteError.self) {
      _ = try Connection(folder.path("none.sqlite"), mode: .readOnly)
    }
    #expect(error?.cannotOpen == true)
  }

  @Test func `a mistake in a statement names the statement`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try Connection(":memory:", mode: .create).run("SELEKT 1")
    }
    #expect(
      error?.description
        == "SQLite error 1: near \"SELEKT\": syntax error — while running: SELEKT 1"
    )
  }
}
