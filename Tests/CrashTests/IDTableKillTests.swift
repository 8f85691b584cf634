import Foundation
import TestSupport
import Testing

/// Kills copies that keep their keys when the copy has its name, and its ID table has not.
@Suite(.serialized, .enabled(if: FaultShim.isAvailable)) struct IDTableKillTests {
  private let arguments = [
    "copy", "Kitchen.sqlite", "new.sqlite", "--keep-ids", "ids.sqlite", "--quiet",
  ]

  private func prepare(hasRejects: Bool) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite")
    try FileManager.default.copyItem(atPath: sample.path, toPath: folder.path("Kitchen.sqlite"))
    if hasRejects {
      let stranger = "UPDATE ZTAG SET Z_ENT = 77 WHERE Z_PK = 2"
      _ = try Program.sqlite3(folder.path("Kitchen.sqlite"), stranger)
    }
    return folder
  }

  private func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  private func ids(in folder: TemporaryFolder) throws -> String {
    try Program.sqlite3(folder.path("ids.sqlite"), "SELECT * FROM ids ORDER BY entity, source")
  }

  @Test(arguments: [[], ["--resume"]], [false, true])
  func `what has no name yet gets it from the next run`(options: [String], hasRejects: Bool) throws {
    let rejects = hasRejects ? ["--on-error", "reject", "--rejects", "r.decant"] : []
    let kept =
      hasRejects ? ["ids.sqlite", "new.sqlite", "r.decant"] : ["ids.sqlite", "new.sqlite"]
    let whole = try prepare(hasRejects: hasRejects)
    let report = whole.path("../\(UUID()).report")
    defer { try? FileManager.default.removeItem(atPath: report) }
    let undisturbed = try Program.run(
      [DecantProgram.path] + arguments + rejects,
      in: whole.url,
      environment: Fault(kind: .change, number: 0, error: EIO)
        .environment(in: whole.url, report: report)
    )
    #expect(undisturbed.status == (hasRejects ? 3 : 0), "\(undisturbed.errors)")
    let count = try #require(FaultReport(report).counts[.change])
    var hits = 0
    for call in stride(from: count, to: max(count - 25, 0), by: -1) {
      let folder = try prepare(hasRejects: hasRejects)
      let run = try Program.run(
        [DecantProgram.path] + arguments + rejects,
        in: folder.url,
        environment: Fault(kind: .change, number: call, error: EIO, kills: true)
          .environment(in: folder.url, report: "")
      )
      #expect(run.isCrash)
      let left = try names(in: folder)
      let isHit = left.contains("new.sqlite") && left.contains("ids.sqlite.decant-partial")
      guard isHit || !left.contains("new.sqlite") else { continue }
      let again = try Program.run([DecantProgram.path] + arguments + rejects + options, in: folder.url)
      if isHit {
        hits += 1
        #expect(again.status == 64 && again.errors.contains("already holds the complete copy"))
        #expect(again.errors.contains("“ids.sqlite”"))
      } else {
        #expect(again.status == (hasRejects ? 3 : 0), "\(call): \(again.errors)")
      }
      #expect(try names(in: folder) == ["Kitchen.sqlite"] + kept, "\(call)")
      #expect(try ids(in: folder) == ids(in: whole), "\(call)")
      let proof = try DecantProgram.run("verify", "Kitchen.sqlite", "new.sqlite", "--ids", "ids.sqlite", in: folder.url)
      #expect(hasRejects || proof.status == 0, "\(proof.output)\(proof.errors)")
    }
    #expect(hits > 0)
  }

  /// Another store at that place is not what the table speaks of.
  @Test func `a table is not given to a store that is not its copy`() throws {
    let whole = try prepare(hasRejects: false)
    #expect(try Program.run([DecantProgram.path] + arguments, in: whole.url).status == 0)
    let files = FileManager.default
    try files.moveItem(atPath: whole.path("ids.sqlite"), toPath: whole.path("ids.sqlite.decant-partial"))
    _ = try Program.sqlite3(whole.path("new.sqlite"), "UPDATE ZTAG SET ZNAME = 'x'")
    let again = try Program.run([DecantProgram.path] + arguments, in: whole.url)
    #expect(again.status == 64 && again.errors.contains("already holds"), "\(again.errors)")
    #expect(!files.fileExists(atPath: whole.path("ids.sqlite")))
    try files.removeItem(atPath: whole.path("new.sqlite"))
    #expect(try Program.run([DecantProgram.path] + arguments, in: whole.url).status == 0)
    #expect(try names(in: whole) == ["Kitchen.sqlite", "ids.sqlite", "new.sqlite"])
  }
}
