import DecantSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

/// Laws of steps in which SQLite asks no progress check: whoever stops ends them, and nothing else.
@Suite struct LongStepTests {
  /// Asks to stop when told to, as a run's cancellation does.
  private final class Stop: ProgressCheck {
    let isAsked = Atomic(false)
    private let all = Mutex<[Interrupter]>([])
    /// Those of connections that are open.
    var interrupters: [Interrupter] { all.withLock { $0 } }

    func ask() {
      isAsked.store(true, ordering: .sequentiallyConsistent)
      for interrupter in interrupters { interrupter.interrupt() }
    }

    override func isStopped() -> Bool { isAsked.load(ordering: .relaxed) }
    override func add(_ interrupter: Interrupter) { all.withLock { $0.append(interrupter) } }
    override func remove(_ interrupter: Interrupter) {
      all.withLock { all in all.removeAll { $0 === interrupter } }
    }
  }

  /// Statements of one step, on a database of some 100 MB.
  static let steps = ["PRAGMA quick_check", "PRAGMA integrity_check", "SELECT count(*) FROM big"]

  @Test(arguments: steps)
  func `a long step ends wherever it is when it is stopped, and the next begins anew`(_ sql: String) throws {
    let connection = try big()
    for microseconds in [0, 50, 200, 700, 2_000] {
      nonisolated(unsafe) let stop = Stop()
      connection.setProgressCheck(stop)
      let thread = Thread {
        usleep(UInt32(microseconds))
        stop.ask()
      }
      thread.start()
      // However quick one is: one that begins later is stopped as well.
      let error = #expect(throws: SQLiteError.self) {
        for _ in 0..<100_000 { _ = try connection.longStep { () throws(SQLiteError) in try connection.text(sql) } }
      }
      #expect(error?.isInterrupted == true)
      connection.setProgressCheck(nil)
      #expect(stop.interrupters.isEmpty)
      #expect(try connection.integer("SELECT 1") == 1)
    }
  }

  @Test func `who asks to stop before a long step begins has it end at once`() throws {
    let (connection, stop) = (try big(), Stop())
    connection.setProgressCheck(stop)
    stop.ask()
    #expect(throws: SQLiteError.self) { try connection.integer("SELECT count(*) FROM big") }
  }

  @Test func `a commit and a rollback are never interrupted`() throws {
    let connection = try table()
    for end in ["COMMIT", "ROLLBACK"] {
      let stop = Stop()
      connection.setProgressCheck(stop)
      try connection.run("BEGIN")
      try connection.run("INSERT INTO t VALUES (1)")
      stop.ask()
      #expect(throws: SQLiteError.self) { try connection.integer("SELECT count(*) FROM t") }
      try connection.run(end)
      #expect(connection.isAutocommit)
      connection.setProgressCheck(nil)
    }
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func `a connection that is closed is not interrupted`() throws {
    let stop = Stop()
    var interrupter: Interrupter?
    do {
      let connection = try table()
      connection.setProgressCheck(stop)
      interrupter = stop.interrupters.first
    }
    #expect(stop.interrupters.isEmpty)
    interrupter?.interrupt()
  }

  @Test func `a log is taken into its file when the connection closes after an interruption`() throws {
    let folder = try TemporaryFolder()
    let (path, stop) = (folder.path("log.db"), Stop())
    do {
      let connection = try Connection(path, mode: .create)
      _ = try connection.text("PRAGMA journal_mode = WAL")
      try connection.run("CREATE TABLE t (x)")
      connection.setProgressCheck(stop)
      stop.ask()
      #expect(throws: SQLiteError.self) { try connection.integer("SELECT count(*) FROM t") }
    }
    #expect(!FileManager.default.fileExists(atPath: "\(path)-wal"))
  }

  private func big() throws -> Connection {
    let connection = try Connection("", mode: .create)
    try connection.run("CREATE TABLE big (k INTEGER PRIMARY KEY, v)")
    try connection.run(
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
      INSERT INTO big (v) SELECT zeroblob(2000) FROM n
      """
    )
    return connection
  }
}
