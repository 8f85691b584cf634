import Foundation
import TestSupport
import Testing

/// Kills a cleaning before each call that removes a file: from the exchange on only these are left.
@Suite(.serialized, .enabled(if: FaultShim.isAvailable)) struct CleanCallKillTests {
  private let folder: TemporaryFolder
  private static let store = "SyncMetadata.sqlite"

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String], in stage: URL, killedAt number: Int? = nil) throws -> Program {
    let environment = number.map { number in
      Fault(kind: .unlink, number: number, error: EIO, kills: number > 0)
        .environment(in: stage, report: folder.path("report"))
    }
    return try Program.run(
      [DecantProgram.path, "clean", Self.store] + arguments, in: stage, environment: environment ?? [:])
  }

  private func stage() throws -> URL {
    let stage = folder.url.appendingPathComponent("stage")
    try? FileManager.default.removeItem(at: stage)
    try FileManager.default.createDirectory(at: stage, withIntermediateDirectories: false)
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/\(Self.store)")
    try FileManager.default.copyItem(at: sample, to: stage.appendingPathComponent(Self.store))
    return stage
  }

  private func hasHistory(_ path: URL) throws -> Bool {
    try Program.sqlite3(path.path, "SELECT count(*) FROM sqlite_schema WHERE name = 'ACHANGE'") == "1"
  }

  @Test(arguments: [[], ["--no-backup"]])
  func `killed before any removal, the same command ends it, and a backup is what was asked for`(options: [String])
    throws
  {
    let arguments = ["--what", "history", "--quiet"] + options
    #expect(try run(arguments, in: stage(), killedAt: 0).status == 0)
    let count = try #require(FaultReport(folder.path("report")).counts[.unlink])
    #expect(count > 1)
    for number in 1...count {
      let stage = try stage()
      let store = stage.appendingPathComponent(Self.store)
      #expect(try run(arguments, in: stage, killedAt: number).isCrash)
      let again = try run(arguments, in: stage)
      #expect(again.status == 0, "killed at \(number): \(again.errors)")
      #expect(try !hasHistory(store), "killed at \(number)")
      let names = try FileManager.default.contentsOfDirectory(atPath: stage.path).sorted()
      let backup = options.isEmpty ? ["\(Self.store).backup-1"] : []
      #expect(names == [Self.store] + backup, "killed at \(number)")
      for name in backup { #expect(try hasHistory(stage.appendingPathComponent(name))) }
    }
  }

  @Test func `a later command without a backup keeps the one of an interrupted run`() throws {
    _ = try run(["--what", "history"], in: stage(), killedAt: 0)
    let count = try #require(FaultReport(folder.path("report")).counts[.unlink])
    for number in 1...count {
      let stage = try stage()
      _ = try run(["--what", "history"], in: stage, killedAt: number)
      let isDone = try !hasHistory(stage.appendingPathComponent(Self.store))
      let later = try run(["--what", "icloud", "--no-backup"], in: stage)
      #expect(later.status == 0, "\(later.errors)")
      let backup = stage.appendingPathComponent("\(Self.store).backup-1")
      #expect(FileManager.default.fileExists(atPath: backup.path) == isDone, "killed at \(number)")
    }
  }
}
