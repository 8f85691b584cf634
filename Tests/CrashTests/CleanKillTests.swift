import Foundation
import TestSupport
import Testing

/// Kills a cleaning at moments spread over its whole length.
///
/// `DECANT_SLOW=1` does it more often.
@Suite(.serialized) struct CleanKillTests {
  private let folder: TemporaryFolder
  private let original: String
  private var store: String { folder.path("store.sqlite") }
  private static let changeCount = 20_034
  /// Counts what belongs to history: tables and indexes, and rows in the system tables.
  private static let history = """
    SELECT count(*) FROM sqlite_schema
    WHERE tbl_name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING');
    SELECT count(*) FROM Z_PRIMARYKEY WHERE Z_ENT BETWEEN 16001 AND 16003
    """
  /// Counts and sums up what must stay.
  private static let rest = """
    SELECT count(*) FROM sqlite_schema WHERE tbl_name GLOB 'Z*' OR tbl_name GLOB 'ANSCK*';
    SELECT count(*), sum(Z_PK), sum(length(ZNAME)) FROM ZINGREDIENT;
    SELECT count(*), sum(Z_MAX) FROM Z_PRIMARYKEY WHERE Z_ENT NOT BETWEEN 16001 AND 16003
    """
  private let history: String
  private let rest: String
  private static let secret = "deleted long ago"

  init() throws {
    folder = try TemporaryFolder()
    original = folder.path("original.sqlite")
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/SyncMetadata.sqlite")
    try FileManager.default.copyItem(atPath: sample.path, toPath: original)
    // Large enough to be caught at it, both while it is copied and while it is vacuumed.
    _ = try Program.sqlite3(
      original,
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZTOMBSTONE0)
      SELECT 1000 + i, 16001, 2, 6, 1000 + i, 3, '\(Self.secret) ' || hex(randomblob(40)) FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 21000 WHERE Z_ENT = 16001;
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO ZINGREDIENT SELECT Z_PK + 1000 * i, Z_ENT, Z_OPT, ZISGARNISH, ZSORTINDEX, ZRECIPE,
        ZAMOUNT, ZNAME, ZNOTE, ZUNIT, ZUUID FROM ZINGREDIENT, n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1100000 WHERE Z_NAME = 'Ingredient';
      """
    )
    history = try Program.sqlite3(original, Self.history)
    rest = try Program.sqlite3(original, Self.rest)
  }

  /// What a store of this suite is, as the `sqlite3` program finds it.
  private enum State: Equatable {
    case old, new(isVacuumed: Bool), broken(String)
  }

  private func state(of path: String) throws -> State {
    let syncMetadata = try Program.sqlite3(path, "PRAGMA integrity_check; \(Self.history)")
    let rest = try Program.sqlite3(path, Self.rest)
    guard rest == self.rest else { return .broken(rest) }
    if syncMetadata == "ok\n\(history)" {
      let count = try Program.sqlite3(path, "SELECT count(*) FROM ACHANGE")
      return count == String(Self.changeCount) ? .old : .broken("\(count) changes")
    }
    guard syncMetadata == "ok\n0\n0" else { return .broken(syncMetadata) }
    return .new(isVacuumed: try Program.sqlite3(path, "PRAGMA freelist_count") == "0")
  }

  /// Puts the store there afresh and removes what is beside it.
  private func reset(_ journal: String) throws {
    let files = FileManager.default
    for name in try files.contentsOfDirectory(atPath: folder.url.path)
    where name.hasPrefix("store.") {
      try files.removeItem(atPath: folder.path(name))
    }
    try files.copyItem(atPath: original, toPath: store)
    _ = try Program.sqlite3(store, "PRAGMA journal_mode = \(journal)")
  }

  private func start(_ options: [String] = []) throws -> RunningProgram {
    try RunningProgram([DecantProgram.path, "clean", store, "--what", "history", "--quiet"] + options, output: .null)
  }

  private func isReadable(_ name: String) throws -> Bool {
    guard let data = FileManager.default.contents(atPath: folder.path(name)) else { return false }
    return data.range(of: Data(Self.secret.utf8)) != nil
  }

  @Test(arguments: ["delete", "wal"])
  func `a store is as it was or cleaned, and nothing of it is readable then`(journal: String) throws {
    try reset(journal)
    #expect(try state(of: store) == .old)
    let begin = ContinuousClock.now
    let whole = try start()
    #expect(whole.waitUntilExit() == .exited(0))
    let length = ContinuousClock.now - begin
    #expect(try state(of: store) == .new(isVacuumed: true))
    let rounds = Effort.isThorough ? 60 : 5
    var kills = 0
    for round in 1...rounds {
      try reset(journal)
      let process = try start()
      let pause = length * round / (rounds + 1)
      usleep(UInt32(pause.components.seconds * 1_000_000 + pause.components.attoseconds / 1_000_000_000_000))
      if process.kill() == .killed(SIGKILL) { kills += 1 }
      let state = try state(of: store)
      #expect(state != .new(isVacuumed: false), "round \(round)")
      if case .broken(let found) = state { Issue.record("round \(round): \(found)") }
      if state != .old {
        for name in ["store.sqlite", "store.sqlite-wal", "store.sqlite-journal"] {
          #expect(try !isReadable(name), "round \(round): \(name)")
        }
      }
      let backup = store + ".backup-1"
      if FileManager.default.fileExists(atPath: backup) {
        #expect(try self.state(of: backup) == .old, "round \(round)")
      }
      // Whatever was left, the same command ends it.
      #expect(try start().waitUntilExit() == .exited(0))
      #expect(try self.state(of: store) == .new(isVacuumed: true), "round \(round)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      #expect(names.allSatisfy { !$0.contains("decant-") }, "round \(round): \(names)")
    }
    #expect(kills > 0, "every run ended before it was killed")
  }
}
