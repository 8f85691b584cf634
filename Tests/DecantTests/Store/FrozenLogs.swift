import Foundation
import DecantSQLite
import TestSupport

@testable import DecantStore

/// A database with a write-ahead log, and copies of both files as they are at a moment: what a writer
/// leaves that is killed then.
final class FrozenLogs {
  let folder: TemporaryFolder
  let writer: Connection
  private var count = 0

  /// Makes a database of small pages; nothing leaves its log unless a test has it so.
  init() throws {
    folder = try TemporaryFolder()
    writer = try Connection(folder.path("live.sqlite"), mode: .create)
    try writer.run("PRAGMA page_size = 512")
    _ = try writer.text("PRAGMA journal_mode = WAL")
    _ = try writer.integer("PRAGMA wal_autocheckpoint = 0")
    try writer.run("CREATE TABLE t (id INTEGER PRIMARY KEY, x)")
  }

  /// Adds `count` rows of some hundred bytes in one transaction.
  func add(_ count: Int) throws {
    try writer.run(
      """
      INSERT INTO t (x) WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      SELECT zeroblob(200) FROM n
      """
    )
  }

  /// Copies both files as they are, with what `change` makes of them.
  func freeze(_ change: (_ main: inout [UInt8], _ log: inout [UInt8]) -> Void = { _, _ in }) throws -> Frozen {
    count += 1
    let frozen = Frozen(path: folder.path("frozen-\(count).sqlite"))
    var main = try bytes("")
    var log = try bytes("-wal")
    change(&main, &log)
    try Data(main).write(to: URL(fileURLWithPath: frozen.path))
    try Data(log).write(to: URL(fileURLWithPath: frozen.path + "-wal"))
    return frozen
  }

  private func bytes(_ suffix: String) throws -> [UInt8] {
    let url = URL(fileURLWithPath: folder.path("live.sqlite" + suffix))
    return FileManager.default.fileExists(atPath: url.path)
      ? [UInt8](try Data(contentsOf: url)) : []
  }

  /// The size of a frame of such a log.
  static let frameByteCount = 24 + 512

  /// Where a frame begins, the first being 0.
  static func offset(of frame: Int) -> Int { 32 + frame * frameByteCount }
}

/// A database and its log that nobody has open.
struct Frozen {
  let path: String

  /// What decant sees in the log.
  func log() throws -> WriteAheadLog? {
    let connection = try Connection(path, mode: .readOnly)
    _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
    return WriteAheadLog(try FileView(.journal, of: "main", on: connection))
  }

  /// What decant sees in both files.
  func soundness() throws -> FileSoundness {
    try FileSoundness.look(at: Connection(path, mode: .readOnly))
  }

  /// What the `sqlite3` program, which folds the log into the file, answers to `sql`.
  func ask(_ sql: String) throws -> String { try Program.sqlite3(path, sql) }
}
