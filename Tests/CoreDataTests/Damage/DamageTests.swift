import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Damages stores and has the program read them: an error or a right copy, never a crash, never a
/// silent loss.
///
/// A few damages of each store by default; `DECANT_SLOW=1` cuts each file at ten places and flips a
/// hundred bytes of it, `DECANT_SEED` draws other places.
@Suite struct DamageTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let seed = environment["DECANT_SEED"].flatMap { UInt64($0) } ?? 1

  private func damage(_ path: String, entity: String, cuts: Int, flips: Int) throws {
    let trial = try DamageTrial(path, entity: entity)
    let damages = trial.damages(
      seed: Self.seed, cuts: Effort.isThorough ? 10 : cuts, flips: Effort.isThorough ? 100 : flips)
    let verbs = DamageTrial.Verb.allCases
    // By turns, so that every verb meets damage, but not every verb each.
    let name = URL(fileURLWithPath: path).lastPathComponent
    let start = name.utf8.reduce(0) { $0 &+ Int($1) } % verbs.count
    for (number, damage) in damages.enumerated() {
      let first = start + 2 * number
      let some = [verbs[first % verbs.count], verbs[(first + 1) % verbs.count]]
      try trial.expectErrorOrRightCopy(damage, Effort.isThorough ? verbs : some)
    }
  }

  @Test(arguments: ["Kitchen", "Guests", "SyncMetadata"])
  func `a damaged sample is an error or a right copy`(name: String) throws {
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/\(name).sqlite")
    try damage(sample.path, entity: "Recipe", cuts: 3, flips: 6)
  }

  @Test func `a damaged sample with a log is an error or a right copy`() throws {
    let kitchens = try Kitchens()
    let path = kitchens.folder.path("Logged.sqlite")
    // Everything is in the log, as after a crash: the file is copied while its writer has it open.
    let script = """
      import sqlite3, shutil, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None)
      c.execute('PRAGMA journal_mode = WAL')
      for n in range(5):
          c.execute('UPDATE ZSTEP SET Z_OPT = Z_OPT + 1')
          c.execute('INSERT INTO ZTAG (Z_ENT, Z_OPT, ZNAME) VALUES (8, 1, ?)', ('new %d' % n,))
      for suffix in ('', '-wal'): shutil.copy(sys.argv[1] + suffix, sys.argv[2] + suffix)
      """
    let run = try Program.run(["python3", "-c", script, kitchens.kitchen, path])
    #expect(run.errors == "")
    try damage(path, entity: "Recipe", cuts: 3, flips: 6)
  }

  @Test(.enabled(if: Fixtures.areAvailable), arguments: GroundTruth.names(from: 2))
  func `a damaged real store is an error or a right copy`(name: String) throws {
    let folder = try TemporaryFolder()
    let truth = try GroundTruth(of: name)
    let store = try Fixtures.copyStore(truth.file, into: folder.url)
    let entity = truth.counts.keys.min() ?? ""
    try damage(store.path, entity: entity, cuts: 1, flips: 2)
  }
}
