import Foundation
import Synchronization
import TestSupport
import Testing

/// Kills the program at random moments.
///
/// `DECANT_SLOW=1` does it fifty times as often, `DECANT_SEED` does one seed again.
@Suite(.serialized) struct KillTests {
  private let folder: TemporaryFolder
  private var source: String { folder.path("Large.sqlite") }
  private var place: String { folder.path("out.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite")
    try FileManager.default.copyItem(atPath: sample.path, toPath: folder.path("Large.sqlite"))
    // Large enough to be caught at it: every ingredient and step four hundred times.
    _ = try Program.sqlite3(
      source,
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO ZINGREDIENT SELECT Z_PK + 1000 * i, Z_ENT, Z_OPT, ZISGARNISH, ZSORTINDEX, ZRECIPE,
        ZAMOUNT, ZNAME, ZNOTE, ZUNIT, ZUUID FROM ZINGREDIENT, n;
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO ZSTEP SELECT Z_PK + 1000 * i, Z_ENT, Z_OPT, ZRECIPE, Z_FOK_RECIPE, ZDURATION, ZTEXT,
        ZUUID FROM ZSTEP, n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 500000 WHERE Z_NAME IN ('Ingredient', 'Step');
      """
    )
  }

  /// Every row of every table, as the `sqlite3` program prints it.
  private func rows(of path: String) throws -> [String] {
    let tables = ["ZCATEGORY", "ZIMAGE", "ZINGREDIENT", "ZRECIPE", "ZSTEP", "ZTAG", "Z_6TAGS"]
    return try (tables + ["Z_PRIMARYKEY"]).map { table in
      try Program.sqlite3(path, "SELECT * FROM \(table) ORDER BY 1, 2", isQuoted: true)
    }
  }

  /// Puts the guests' store at `place` and adds `source` to another copy of it; returns the rows of both.
  private func addUndisturbed() throws -> (before: [String], after: [String]) {
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/Guests.sqlite")
    let whole = folder.path("whole.sqlite")
    for path in [place, whole] {
      try FileManager.default.copyItem(atPath: sample.path, toPath: path)
    }
    let undisturbed = try Program.run(
      [DecantProgram.path, "copy", source, whole, "--append", "--quiet"]
    )
    #expect(undisturbed.status == 0)
    return (try rows(of: place), try rows(of: whole))
  }

  /// Starts the program and kills it after `milliseconds`; notes whether `test` caught it running.
  private func kill(
    _ arguments: [String],
    after milliseconds: UInt32,
    test: String = #function
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: DecantProgram.path)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    usleep(milliseconds * 1000)
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    if process.terminationReason == .uncaughtSignal { Kills.note(test) }
  }

  /// Expects, in the last case of `test`, that some kill met a running program.
  ///
  /// The cases of this suite run one after the other, so that the last sees what all of them did.
  private func expectKills(
    _ seed: UInt64,
    of seeds: [UInt64],
    test: String = #function,
    location: SourceLocation = #_sourceLocation
  ) {
    guard seed == seeds.last else { return }
    #expect(
      Kills.count(of: test) > 0,
      "every run ended before it was killed",
      sourceLocation: location
    )
  }

  @Test(arguments: SeededGenerator.seeds(3))
  func `a new store is nowhere or whole, and resuming it ends equal`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let copy = ["copy", source, place, "--quiet", "--batch-size", "500", "--where", "Recipe: 1"]
    for _ in 1...8 where !FileManager.default.fileExists(atPath: place) {
      try kill(copy + ["--resume"], after: UInt32.random(in: 10...900, using: &random))
    }
    if !FileManager.default.fileExists(atPath: place) {
      let run = try Program.run([DecantProgram.path] + copy + ["--resume"])
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try rows(of: place) == rows(of: source))
    #expect(try Program.sqlite3(place, "PRAGMA integrity_check") == "ok")
    let work = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'decant%'"
    #expect(try Program.sqlite3(place, work) == "0")
    expectKills(seed, of: SeededGenerator.seeds(3))
  }

  @Test(arguments: SeededGenerator.seeds(2))
  func `a page copy is nowhere or whole, and a rerun clears what was left`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 1...5 where !FileManager.default.fileExists(atPath: place) {
      try kill(
        ["copy", source, place, "--quiet"],
        after: UInt32.random(in: 5...400, using: &random)
      )
    }
    if !FileManager.default.fileExists(atPath: place) {
      let run = try Program.run([DecantProgram.path, "copy", source, place, "--quiet"])
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try rows(of: place) == rows(of: source))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(left.allSatisfy { !$0.contains("decant-partial") })
    expectKills(seed, of: SeededGenerator.seeds(2))
  }

  @Test(arguments: SeededGenerator.seeds(3))
  func `a store that is added to is as it was, or has everything`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (before, after) = try addUndisturbed()
    for _ in 1...4 {
      try kill(
        ["copy", source, place, "--append", "--quiet"],
        after: UInt32.random(in: 10...900, using: &random)
      )
      let now = try rows(of: place)
      #expect(now == before || now == after)
      #expect(try Program.sqlite3(place, "PRAGMA integrity_check") == "ok")
      if now != before { break }
    }
    expectKills(seed, of: SeededGenerator.seeds(3))
  }

  @Test(arguments: SeededGenerator.seeds(2))
  func `a store that is added to in batches is completed exactly once`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (before, after) = try addUndisturbed()
    let add = [
      "copy", source, place, "--append", "--commit", "batch", "--batch-size", "500", "--quiet",
      "--resume",
    ]
    let work = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'decant%'"
    // Finished is a store that was changed and holds no work tables; a kill before the first commit
    // leaves it as it was, and the next run begins.
    func isFinished() throws -> Bool {
      try rows(of: place) != before && Program.sqlite3(place, work) == "0"
    }
    for _ in 1...8 where try !isFinished() {
      try kill(add, after: UInt32.random(in: 10...900, using: &random))
    }
    if try !isFinished() {
      let run = try Program.run([DecantProgram.path] + add)
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try rows(of: place) == after)
    #expect(try Program.sqlite3(place, "PRAGMA integrity_check") == "ok")
    expectKills(seed, of: SeededGenerator.seeds(2))
  }
}

/// How many kills of each test met a running program, over all its cases.
private enum Kills {
  private static let counts = Mutex<[String: Int]>([:])

  static func note(_ test: String) {
    counts.withLock { $0[test, default: 0] += 1 }
  }

  static func count(of test: String) -> Int {
    counts.withLock { $0[test] ?? 0 }
  }
}
