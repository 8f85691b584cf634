import Foundation
import TestSupport
import Testing

@Suite struct MirroredStoreTests {
  private let place: CommandFolder

  init() throws {
    place = try CommandFolder()
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/SyncMetadata.sqlite")
    try FileManager.default.copyItem(at: sample, to: place.url.appendingPathComponent("Old.sqlite"))
  }

  @Test func `a mirrored store is added to only by force`() throws {
    let add = ["copy", "Guests.sqlite", "Old.sqlite", "--append"]
    try place.expect(add, 1, "use --force")
    try place.expect(["copy", "Guests.sqlite", "x.sqlite", "--force"], 64, "--force requires --append")
    let run = try place.run(add + ["--force"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("note: the store is mirrored by CloudKit"))
    let inspection = try place.run(["inspect", "Old.sqlite"])
    #expect(inspection.output.contains("4 transactions, 95 changes, 5 names"))
  }
}
