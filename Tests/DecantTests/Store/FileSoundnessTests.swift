import Foundation
import DecantBase
import DecantSQLite
import TestSupport
import Testing

@testable import DecantStore

@Suite struct FileSoundnessTests {
  @Test(arguments: ["DELETE", "WAL"], [1, 511])
  func `a file that lost a part of its last page is cut off`(mode: String, cut: Int) throws {
    let logs = try FrozenLogs()
    try logs.add(10)
    _ = try logs.writer.text("PRAGMA journal_mode = DELETE")
    _ = try logs.writer.text("PRAGMA journal_mode = \(mode)")
    try logs.writer.run("UPDATE t SET x = 'short' WHERE id = 1")
    #expect(try logs.freeze().soundness().damage == nil)
    let frozen = try logs.freeze { main, _ in main.removeLast(cut) }
    guard case .cutOff = try frozen.soundness().damage else {
      Issue.record("nothing was found")
      return
    }
    // SQLite itself says nothing: it takes the missing bytes for zeros.
    #expect(try frozen.ask("SELECT count(*) FROM sqlite_schema") == "1")
  }

  /// SQLite does not open such a file, and its message does not say why.
  @Test(arguments: [512, 1_000, 5_120])
  func `a file that lost whole pages is said to be cut off`(cut: Int) throws {
    let logs = try FrozenLogs()
    try logs.add(50)
    _ = try logs.writer.text("PRAGMA journal_mode = DELETE")
    let frozen = try logs.freeze { main, _ in main.removeLast(cut) }
    let error = try #require(#expect(throws: DecantError.self) { try DatabaseFile.open(frozen.path) })
    #expect(error.code == .damaged && error.message.contains("is truncated: it has "), "\(error)")
  }

  @Test func `pages that are still in the log are not missed`() throws {
    let logs = try FrozenLogs()
    try logs.add(50)
    let never = try logs.freeze()
    #expect(try Data(contentsOf: URL(fileURLWithPath: never.path)).count == 512)
    #expect(try never.soundness().damage == nil)
    // Some pages have gone into the file, others have not: whoever reads keeps them from going.
    let reader = try Connection(logs.folder.path("live.sqlite"), mode: .readOnly)
    try reader.run("BEGIN")
    _ = try reader.integer("SELECT count(*) FROM t")
    try logs.add(50)
    _ = try logs.writer.text("PRAGMA wal_checkpoint(PASSIVE)")
    #expect(try logs.freeze().soundness().damage == nil)
  }

  @Test(arguments: SeededGenerator.seeds(1))
  func `whatever a writer leaves when it is killed is sound`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let logs = try FrozenLogs()
    let writer = logs.writer
    // Few pages in memory, so that a transaction writes frames before it is committed.
    try writer.run("PRAGMA cache_size = 5")
    try writer.run("PRAGMA auto_vacuum = INCREMENTAL")
    try writer.run("VACUUM")
    let statements = [
      "DELETE FROM t WHERE id % 3 = 0", "DELETE FROM t", "DELETE FROM t WHERE id > 20",
      "UPDATE t SET x = zeroblob(3000) WHERE id % 5 = 1", "UPDATE t SET x = 'a'",
      "CREATE TABLE IF NOT EXISTS u AS SELECT * FROM t", "DROP TABLE IF EXISTS u",
      "CREATE INDEX IF NOT EXISTS i ON t (x)", "PRAGMA incremental_vacuum(7)",
      "INSERT INTO t (x) SELECT x FROM t LIMIT 30",
    ]
    for _ in 1...40 {
      if Bool.random(using: &random) { try writer.run("BEGIN") }
      for _ in 1...Int.random(in: 1...4, using: &random) {
        if Bool.random(using: &random) { try logs.add(.random(in: 1...25, using: &random)) }
        try writer.run(statements[.random(in: 0..<statements.count, using: &random)])
        let frozen = try logs.freeze()
        let damage = try frozen.soundness().damage
        #expect(damage == nil)
        #expect(try Connection(frozen.path, mode: .readOnly).text("PRAGMA quick_check") == "ok")
      }
      if !writer.isAutocommit {
        try writer.run(Bool.random(using: &random) ? "COMMIT" : "ROLLBACK")
      }
      let mode = ["PASSIVE", "RESTART", "TRUNCATE", "FULL"].randomElement(using: &random) ?? ""
      if Int.random(in: 0..<3, using: &random) == 0, writer.isAutocommit {
        _ = try writer.text("PRAGMA wal_checkpoint(\(mode))")
      }
    }
  }

  @Test func `a store that is being written at this moment is sound`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("live.sqlite")
    let process = try RunningProgram(["python3", "-c", Self.writing, path], errors: .inherited)
    defer { process.kill() }
    // Its first line means that it has begun.
    _ = process.read()
    for _ in 1...60 {
      let connection = try Connection(path, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      #expect(try FileSoundness.look(at: connection).damage == nil)
    }
    #expect(process.isRunning)
  }

  /// Writes without end: transactions that are larger than the cache, that are undone, checkpoints.
  private static let writing = """
    import sqlite3, sys, random
    c = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
    c.execute('PRAGMA journal_mode = WAL')
    c.execute('PRAGMA cache_size = 5')
    c.execute('PRAGMA wal_autocheckpoint = 50')
    c.execute('CREATE TABLE t (id INTEGER PRIMARY KEY, x)')
    print('writing', flush=True)
    while True:
        c.execute('BEGIN')
        for _ in range(random.randrange(30)):
            c.execute('INSERT INTO t (x) VALUES (zeroblob(?))', (random.randrange(9000),))
        if random.random() < 0.3: c.execute('DELETE FROM t WHERE id % 2')
        c.execute(random.choice(['COMMIT', 'COMMIT', 'ROLLBACK']))
        if random.random() < 0.2: c.execute('PRAGMA wal_checkpoint(RESTART)').fetchall()
    """
}
