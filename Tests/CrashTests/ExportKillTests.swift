import Foundation
import TestSupport
import Testing

/// Kills exports and imports at drawn moments: an archive is whole under its name, or not there at all.
///
/// `DECANT_SLOW=1` does it more often, `DECANT_SEED` does one seed again.
@Suite(.serialized) struct ExportKillTests {
  private let folder: TemporaryFolder
  private var store: String { folder.path("a.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    _ = try Program.sqlite3(
      store,
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT UNIQUE, v BLOB, parent INTEGER REFERENCES p);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
      INSERT INTO p SELECT i, 'row ' || i, CASE WHEN i % 400 = 0 THEN randomblob(i * 200)
        ELSE randomblob(100) END, nullif(i / 2, 0) FROM n;
      """
    )
  }

  /// Runs the program, kills it in a phase that `seed` draws, and says whether it was met.
  private func kill(_ arguments: [String], _ phases: [(String, Duration)], seed: UInt64) throws -> Bool {
    var random = SeededGenerator(seed: seed)
    let index = Int.random(in: 0..<phases.count, using: &random)
    let part = Double.random(in: 0..<1.1, using: &random)
    let run = try KilledRun(arguments, in: folder.url)
    run.kill(afterPhases: index, pause: phases[index].1 * part)
    return run.end == .killed(SIGKILL)
  }

  private func phases(_ arguments: [String]) throws -> [(String, Duration)] {
    let run = try KilledRun(arguments, in: folder.url)
    run.finish()
    #expect(run.end == .exited(0), "\(run.errors)")
    return run.phases.map { ($0.name, $0.length) }
  }

  private func remove(_ names: String...) {
    for name in names { try? FileManager.default.removeItem(atPath: folder.path(name)) }
  }

  private func isThere(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.path(name))
  }

  @Test func `an export that is killed leaves nothing under its name, and runs again`() throws {
    let export = ["export", "a.sqlite", "a.decant.gz", "--quiet"]
    let phases = try phases(export)
    var killed = 0
    for seed in SeededGenerator.seeds(1) {
      remove("a.decant.gz")
      killed += try kill(export, phases, seed: seed) ? 1 : 0
      if !isThere("a.decant.gz") {
        let again = try Program.run([DecantProgram.path] + export, in: folder.url)
        #expect(again.status == 0, "\(again.errors), DECANT_SEED=\(seed)")
      }
      #expect(try ArchiveScript.faults(in: [folder.path("a.decant.gz")], from: store) == [], "DECANT_SEED=\(seed)")
    }
    #expect(killed > 0, "every run ended before it was killed")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(left.sorted() == ["a.decant.gz", "a.sqlite"])
  }

  @Test func `parts are there all or none when an export is killed`() throws {
    let export = ["export", "a.sqlite", "a.decant", "--max-part", "2MiB", "--quiet"]
    let phases = try phases(export)
    func parts() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        .filter { $0.wholeMatch(of: /a\.\d+\.decant/) != nil }.sorted()
    }
    let all = try parts()
    #expect(all.count >= 3)
    for seed in SeededGenerator.seeds(1) {
      for part in try parts() { remove(part) }
      _ = try kill(export, phases, seed: seed)
      let found = try parts()
      // Between two renames some may have their names: the receipt is in the last one.
      if found.count == all.count {
        #expect(try ArchiveScript.faults(in: found.map(folder.path), from: store) == [], "DECANT_SEED=\(seed)")
      } else {
        #expect(!found.contains(all[all.count - 1]), "DECANT_SEED=\(seed)")
      }
    }
  }

  @Test func `an import that is killed changed nothing, or was complete`() throws {
    _ = try Program.run([DecantProgram.path, "export", "a.sqlite", "a.decant", "-q"], in: folder.url)
    let make = ["import", "a.decant", "new.sqlite", "--quiet"]
    let phases = try phases(make)
    for seed in SeededGenerator.seeds(1) {
      remove("new.sqlite")
      _ = try kill(make, phases, seed: seed)
      if !isThere("new.sqlite") {
        let again = try Program.run([DecantProgram.path] + make, in: folder.url)
        #expect(again.status == 0, "\(again.errors), DECANT_SEED=\(seed)")
      }
      #expect(try StoredRows.of(folder.path("new.sqlite"), "p") == StoredRows.of(store, "p"), "DECANT_SEED=\(seed)")
    }
    // Into a store that is there: as before, or with all of it.
    _ = try Program.sqlite3(
      folder.path("there.sqlite"),
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT UNIQUE, v BLOB, parent INTEGER REFERENCES p);
      INSERT INTO p VALUES (1, 'mine', NULL, NULL);
      """
    )
    let there = try Data(contentsOf: URL(fileURLWithPath: folder.path("there.sqlite")))
    let add = ["import", "a.decant", "there.sqlite", "--quiet"]
    let added = try self.phases(add)
    for seed in SeededGenerator.seeds(1) {
      remove("there.sqlite", "there.sqlite-wal", "there.sqlite-shm", "there.sqlite-journal")
      try there.write(to: URL(fileURLWithPath: folder.path("there.sqlite")))
      _ = try kill(add, added, seed: seed)
      let count = try Program.sqlite3(folder.path("there.sqlite"), "SELECT count(*) FROM p")
      #expect(count == "1" || count == "4001", "DECANT_SEED=\(seed)")
      let again = try Program.run([DecantProgram.path] + add, in: folder.url)
      #expect(again.status == 0, "\(again.errors), DECANT_SEED=\(seed)")
      #expect(
        try Program.sqlite3(folder.path("there.sqlite"), "SELECT count(*) FROM p") == "4001",
        "DECANT_SEED=\(seed)"
      )
    }
  }
}
