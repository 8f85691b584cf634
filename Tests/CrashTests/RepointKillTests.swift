import Foundation
import TestSupport
import Testing

/// Kills a re-pointing at moments spread over its whole length.
///
/// `DECANT_SLOW=1` does it more often.
@Suite(.serialized) struct RepointKillTests {
  private let folder: TemporaryFolder
  private var store: String { folder.path("store.db") }
  private static let count = 3_000

  /// Notes on recipes 1 to 3000, by URI and by key, which became 1001 to 4000: most keys are old and new.
  init() throws {
    folder = try TemporaryFolder()
    _ = try Program.sqlite3(
      folder.path("ids.db"),
      """
      CREATE TABLE ids (entity TEXT, source, destination, count INTEGER, outcome TEXT);
      CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT);
      INSERT INTO about VALUES ('source.uuid', 'A'), ('destination.uuid', 'B');
      INSERT INTO ids VALUES ('Recipe', 1, 1001, \(Self.count), 'copied')
      """
    )
    _ = try Program.sqlite3(
      folder.path("original.db"),
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, uri TEXT, recipe INTEGER UNIQUE, rest BLOB);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.count))
      INSERT INTO note SELECT i, 'x-coredata://A/Recipe/p' || i, i, randomblob(500) FROM n
      """
    )
  }

  /// The rows that are as they were, and those that are re-pointed, as the `sqlite3` program counts them.
  private func state(of path: String) throws -> String {
    try Program.sqlite3(
      path,
      """
      PRAGMA integrity_check; SELECT sum(uri = 'x-coredata://A/Recipe/p' || id AND recipe = id),
        sum(uri = 'x-coredata://B/Recipe/p' || (id + 1000) AND recipe = id + 1000) FROM note
      """
    )
  }

  private static let (old, new) = ("ok\n\(count)|0", "ok\n0|\(count)")

  private func reset(_ journal: String) throws {
    let files = FileManager.default
    for name in try files.contentsOfDirectory(atPath: folder.url.path)
    where name.hasPrefix("store.") {
      try files.removeItem(atPath: folder.path(name))
    }
    try files.copyItem(atPath: folder.path("original.db"), toPath: store)
    _ = try Program.sqlite3(store, "PRAGMA journal_mode = \(journal)")
  }

  private func start() throws -> RunningProgram {
    try RunningProgram(
      [
        DecantProgram.path, "repoint", store, "--at", "note.uri", "--at", "note.recipe -> Recipe", "--ids",
        folder.path("ids.db"), "--backup", "--batch-size", "100", "--quiet",
      ],
      output: .null
    )
  }

  @Test(arguments: ["delete", "wal"])
  func `a store is as it was or re-pointed, and another run ends it`(journal: String) throws {
    try reset(journal)
    let begin = ContinuousClock.now
    let whole = try start()
    #expect(whole.waitUntilExit() == .exited(0))
    let length = ContinuousClock.now - begin
    #expect(try state(of: store) == Self.new)
    let rounds = Effort.isThorough ? 60 : 6
    var kills = 0
    for round in 1...rounds {
      try reset(journal)
      let process = try start()
      let pause = length * round / (rounds + 1)
      usleep(UInt32(pause.components.seconds * 1_000_000 + pause.components.attoseconds / 1_000_000_000_000))
      if process.kill() == .killed(SIGKILL) { kills += 1 }
      let state = try state(of: store)
      #expect([Self.old, Self.new].contains(state), "round \(round)")
      let backup = store + ".backup-1"
      if FileManager.default.fileExists(atPath: backup) {
        #expect(try self.state(of: backup) == Self.old, "round \(round)")
      }
      #expect(try start().waitUntilExit() == .exited(0))
      #expect(try self.state(of: store) == Self.new, "round \(round)")
    }
    #expect(kills > 0, "every run ended before it was killed")
  }
}
