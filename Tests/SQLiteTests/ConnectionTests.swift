import DecantSQLite
import TestSupport
import Testing

@Suite struct ConnectionTests {
  @Test func `a transaction is committed when its body returns and undone when it throws`() throws {
    let connection = try table()
    try connection.transaction { () throws(SQLiteError) in
      try connection.run("INSERT INTO t VALUES (1)")
    }
    #expect(throws: SQLiteError.self) {
      try connection.transaction { () throws(SQLiteError) in
        try connection.run("INSERT INTO t VALUES (2)")
        try connection.run("INSERT INTO nowhere VALUES (3)")
      }
    }
    #expect(connection.isAutocommit)
    #expect(try connection.integer("SELECT group_concat(x) FROM t") == 1)
  }

  @Test func `asking for one value tells NULL and no row from a value`() throws {
    let connection = try table()
    #expect(try connection.integer("SELECT x FROM t") == nil)
    #expect(try connection.integer("SELECT NULL") == nil)
    #expect(try connection.integer("SELECT ?1 + 1", .integer(41)) == 42)
    #expect(try connection.text("SELECT NULL") == nil)
    #expect(try connection.text("SELECT ''") == "")
    #expect(try connection.bytes("SELECT x''") == [])
    #expect(try connection.bytes("SELECT NULL") == nil)
    #expect(try connection.bytes("SELECT ?1", .blob([0, 255])) == [0, 255])
  }

  @Test func `what a connection may do is decided when it is opened`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    #expect(throws: SQLiteError.self) { _ = try Connection(path, mode: .readWrite) }
    try Connection(path, mode: .create).run("CREATE TABLE t (x)")
    let reader = try Connection(path, mode: .readOnly)
    let error = #expect(throws: SQLiteError.self) { try reader.run("INSERT INTO t VALUES (1)") }
    #expect(error?.isReadOnly == true)
    try Connection(path, mode: .readWrite).run("INSERT INTO t VALUES (1)")
    #expect(try reader.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func `an attached database is read by its name until it is detached`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("it's other.sqlite")
    try Connection(path, mode: .create).run("CREATE TABLE t AS SELECT 5 AS x")
    let connection = try Connection(":memory:", mode: .create)
    try connection.attach(path, as: "the other")
    #expect(try connection.integer("SELECT x FROM \"the other\".t") == 5)
    try connection.detach("the other")
    #expect(throws: SQLiteError.self) { try connection.run("SELECT x FROM \"the other\".t") }
  }

  @Test func `triggers run unless they are turned off`() throws {
    let connection = try table()
    try connection.run("CREATE TABLE log (x)")
    try connection.run("CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.x); END")
    try connection.run("INSERT INTO t VALUES (1)")
    try connection.setTriggersEnabled(false)
    try connection.run("INSERT INTO t VALUES (2)")
    #expect(try connection.integer("SELECT group_concat(x) FROM log") == 1)
  }

  @Test func `double quotes are names, never text, and the schema cannot be rewritten`() throws {
    let connection = try table()
    #expect(throws: SQLiteError.self) { try connection.run("SELECT \"no such column\" FROM t") }
    try? connection.run("PRAGMA writable_schema = ON")
    #expect(throws: SQLiteError.self) { try connection.run("DELETE FROM sqlite_schema") }
    #expect(throws: SQLiteError.self) { try connection.run("SELECT load_extension('x')") }
  }

  @Test func `a progress check ends a statement`() throws {
    final class Stop: ProgressCheck {
      override func isStopped() -> Bool { true }
    }
    let connection = try table()
    let endless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    connection.setProgressCheck(Stop(), every: 100)
    let error = #expect(throws: SQLiteError.self) { try connection.run(endless) }
    #expect(error?.isInterrupted == true)
    connection.setProgressCheck(nil)
    #expect(try connection.integer("SELECT 1") == 1)
  }
}

/// A database in memory with an empty table `t (x)`.
func table() throws -> Connection {
  let connection = try Connection(":memory:", mode: .create)
  try connection.run("CREATE TABLE t (x)")
  return connection
}
