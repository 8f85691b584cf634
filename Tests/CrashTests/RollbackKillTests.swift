import Foundation
import TestSupport
import Testing

/// Kills a rollback before a certain call of those that change a file, so that no state of its files is
/// missed.
///
/// Before every call with `DECANT_SLOW=1`, before a few else; `DECANT_CALL` kills before one call alone.
@Suite(.serialized, .enabled(if: FaultShim.isAvailable)) struct RollbackKillTests {
  /// What is rolled back.
  enum Scene: String, CaseIterable {
    /// A store that keeps no log, and one with changes in its log alone.
    case plain, log
    /// The same where the file system cannot exchange names.
    case plainRenames, logAndPlainRenames
    /// Where there is no store.
    case nothing, nothingByPlainRenames

    var hasPlainRenames: Bool { rawValue.hasSuffix("lainRenames") }
    var store: String { "SyncMetadata" }
  }

  private let folder: TemporaryFolder
  private var template: URL { folder.url.appendingPathComponent("template") }
  private var stage: URL { folder.url.appendingPathComponent("stage") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: template, withIntermediateDirectories: false)
  }

  private func prepare(_ scene: Scene) throws {
    for name in ["Kitchen", "Guests", "SyncMetadata"] {
      let sample = Fixtures.projectFolder.appendingPathComponent("samples/\(name).sqlite")
      try FileManager.default.copyItem(at: sample, to: template.appendingPathComponent("\(name).sqlite"))
    }
    let place = template.appendingPathComponent(scene.store + ".sqlite").path
    let what = ["clean", "SyncMetadata.sqlite", "--what", "history", "--quiet"]
    let run = try Program.run([DecantProgram.path] + what, in: template)
    #expect(run.status == 0, "\(run.errors)")
    if scene == .log || scene == .logAndPlainRenames {
      try LeftBehind.log(of: place, "UPDATE ZTAG SET ZNAME = 'of the log'")
    }
    if scene == .nothing || scene == .nothingByPlainRenames {
      try FileManager.default.removeItem(atPath: place)
    }
  }

  private func reset() throws {
    try? FileManager.default.removeItem(at: stage)
    try FileManager.default.copyItem(at: template, to: stage)
  }

  /// Everything that the `sqlite3` program finds in a store; `nil` where there is none.
  private func content(_ name: String, in place: URL) throws -> String? {
    let path = place.appendingPathComponent(name).path
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try Program.sqlite3(path, "PRAGMA integrity_check") + Program.sqlite3(path, ".dump")
  }

  /// The contents of the store, of its backup, and of what an exchange may have left, of a copy of all
  /// files or, with `isOpened`, where they lie.
  private func contents(_ scene: Scene, isOpened: Bool = false) throws -> [String?] {
    var place = stage
    if !isOpened {
      place = folder.url.appendingPathComponent("look")
      try? FileManager.default.removeItem(at: place)
      try FileManager.default.copyItem(at: stage, to: place)
    }
    let store = scene.store + ".sqlite"
    return try ["", ".backup-1", ".backup-1.decant-swap"].map { try content(store + $0, in: place) }
  }

  private func run(_ scene: Scene, _ arguments: [String], killedAt call: Int) throws -> Program {
    var fault = Fault(kind: .change, number: call, error: call % 2 == 0 ? 0 : EIO, kills: true)
    fault.hasPlainRenames = scene.hasPlainRenames
    return try Program.run(
      [DecantProgram.path, "rollback", scene.store + ".sqlite", "--quiet"] + arguments,
      in: stage,
      environment: fault.environment(in: stage, report: folder.path("report"))
    )
  }

  /// How the store keeps its journal.
  private func journal() throws -> String {
    try Program.sqlite3(stage.appendingPathComponent("SyncMetadata.sqlite").path, "PRAGMA journal_mode")
  }

  /// Whether the exchange is noted beside the store.
  private var isNoted: Bool {
    let journal = stage.appendingPathComponent("SyncMetadata.sqlite.decant-work/journal").path
    return FileManager.default.contents(atPath: journal).map {
      String(decoding: $0, as: UTF8.self).contains("exchange")
    } ?? false
  }

  private func calls(of count: Int) -> [Int] {
    let environment = ProcessInfo.processInfo.environment
    if let call = environment["DECANT_CALL"].flatMap({ Int($0) }) { return [call] }
    // The last ones are where the names change, and the work is cleared.
    let few = ([count / 3] + Array((count - 16)...count)).filter { $0 > 0 }
    return Effort.isThorough ? Array(1...max(1, count)) : few
  }

  @Test(arguments: Scene.allCases)
  func `killed at any moment, one of the two is in place, and the other is kept`(scene: Scene) throws {
    try prepare(scene)
    try reset()
    let before = try contents(scene)
    let (old, new) = (before[0], before[1])
    #expect(old != new && new != nil)
    let whole = try run(scene, [], killedAt: 0)
    #expect(whole.status == 0, "\(whole.errors)")
    let count = FaultReport(folder.path("report")).counts[.change] ?? 0
    #expect(count >= 2)
    #expect(try contents(scene) == [new, old, nil])
    let names = try FileManager.default.contentsOfDirectory(atPath: stage.path).sorted()
    let journal = try journal()
    #expect(journal == (scene == .log || scene == .logAndPlainRenames ? "wal" : "delete"))
    var met: Set<String> = []
    for call in calls(of: count) {
      let note: Comment = "\(scene), DECANT_CALL=\(call) of \(count)"
      try reset()
      #expect(try run(scene, [], killedAt: call).isCrash, note)
      let left = try contents(scene, isOpened: call % 4 < 2)
      let isDone = left[0] == new
      met.insert(isDone ? "after" : "before")
      if isDone {
        // Put back; the store as it was until then is the backup, or about to be.
        let isNamedTwice = old == nil && left[1] == new
        #expect(left[1] == old || (left[1] == nil && left[2] == old) || isNamedTwice, note)
      } else {
        #expect(left[0] == old && left[1] == new, note)
      }
      // As long as it is noted it is completed: nothing is done twice.
      let isCutOff = isDone && isNoted
      let again = try run(scene, [], killedAt: 0)
      let expected = isCutOff || !isDone ? [new, old] : [old, new]
      if old == nil, isDone {
        // Given its name in two steps, it may have had both.
        let isNamedTwice = left[1] != nil
        #expect(again.status == (isNamedTwice ? 0 : 1), "\(note): \(again.errors)")
        #expect(isNamedTwice || again.errors.contains("nothing to restore"), note)
        #expect(try contents(scene) == [new, nil, nil], note)
      } else {
        #expect(again.status == 0, "\(note): \(again.errors)")
        #expect(try contents(scene) == expected + [nil], note)
      }
      #expect(try self.journal() == journal, note)
      let litter = Set(try FileManager.default.contentsOfDirectory(atPath: stage.path))
        .subtracting(names).filter { !$0.hasSuffix("-shm") }
      #expect(litter.isEmpty, "\(note): \(litter)")
    }
    if Effort.isThorough {
      #expect(met == ["before", "after"], "\(scene)")
      print("rollback kills, \(scene): \(count)")
    }
  }

  @Test func `where the names cannot be exchanged, all is as it was, its log too`() throws {
    let scene = Scene.log
    try prepare(scene)
    try reset()
    let before = try contents(scene)
    let fault = Fault(kind: .rename, number: 1, error: EACCES)
    let run = try Program.run(
      [DecantProgram.path, "rollback", "SyncMetadata.sqlite"],
      in: stage,
      environment: fault.environment(in: stage, report: folder.path("report"))
    )
    #expect(run.status == 1 && run.errors.contains("“SyncMetadata.sqlite” is unchanged"), "\(run.errors)")
    #expect(try contents(scene) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: stage.path)
    #expect(!names.contains { $0.contains("decant-work") }, "\(names)")
    let store = stage.appendingPathComponent("SyncMetadata.sqlite").path
    #expect(try Program.sqlite3(store, "PRAGMA journal_mode") == "wal")
  }
}
