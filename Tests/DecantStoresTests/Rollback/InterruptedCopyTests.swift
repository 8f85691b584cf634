import Decant
import DecantStores
import Foundation
import TestSupport
import Testing

/// A copy with `--commit batch` that was killed: the store is as it was, and its leftovers are cleared or continued.
@Suite(.enabled(if: FaultShim.isAvailable)) struct InterruptedCopyTests {
  let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  private func kill(journal: String) throws {
    _ = try Program.sqlite3(kitchens.guests, "PRAGMA journal_mode = \(journal)")
    let options = ["--append", "--commit", "batch", "--batch-size", "5"]
    try LeftBehind.part(
      of: ["copy", "Kitchen.sqlite", "Guests.sqlite"] + options,
      in: kitchens.folder.url
    )
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: kitchens.folder.url.path).sorted()
  }

  private func copy(_ configure: (inout CopyOptions) -> Void = { _ in }) throws -> CopyReport {
    var options = CopyOptions()
    (options.appends, options.commit, options.batchSize) = (true, .batch, 5)
    options.leftOver = .resume
    configure(&options)
    return try Copy(from: kitchens.kitchen, to: kitchens.guests, options: options).run()
  }

  @Test(arguments: ["delete", "wal"])
  func `the store is as it was, and what was left is cleared`(journal: String) throws {
    let before = try Program.sqlite3(kitchens.guests, ".dump")
    try kill(journal: journal)
    #expect(try names().contains("Guests.sqlite.decant-work"))
    #expect(try Program.sqlite3(kitchens.guests, ".dump") == before)
    let report = try Rollback(kitchens.guests).run()
    #expect(report.outcome == .undone && report.backup == nil && report.putBack == nil)
    #expect(try Program.sqlite3(kitchens.guests, ".dump") == before)
    #expect(try Program.sqlite3(kitchens.guests, "PRAGMA journal_mode") == journal)
    #expect(try names() == ["Guests.sqlite", "Kitchen.sqlite", "Sediment.sqlite"])
  }

  @Test(arguments: [
    "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (900, 8, 1, 'mine')",
    "UPDATE ZTAG SET ZNAME = 'mine' WHERE Z_PK = 1", "DELETE FROM ZSTEP WHERE Z_PK = 1",
  ])
  func `what an app changes in between makes the resume refuse`(change: String) throws {
    try kill(journal: "delete")
    _ = try Program.sqlite3(kitchens.guests, change)
    let changed = try Program.sqlite3(kitchens.guests, ".dump")
    let error = #expect(throws: DecantError.self) { try copy() }
    #expect(error?.code == .failed)
    #expect(error?.message.contains("store has been changed") == true, "\(error?.message ?? "")")
    #expect(error?.remedy?.contains("--restart") == true)
    #expect(try Program.sqlite3(kitchens.guests, ".dump") == changed)
    // Started over, the copy has what the app has changed.
    let report = try copy { $0.leftOver = .startOver }
    #expect(report.isVerified && report.notes.contains { $0.contains("interrupted") })
    #expect(try Program.sqlite3(kitchens.guests + ".backup-1", ".dump") == changed)
  }

  @Test(arguments: [true, false])
  func `a store with further names, or that is open, is refused`(isLinked: Bool) throws {
    let before = Kitchens.bytes(of: kitchens.guests)
    let other = kitchens.folder.path("other.sqlite")
    var holder: FileHandle?
    if isLinked {
      try FileManager.default.linkItem(atPath: kitchens.guests, toPath: other)
    } else {
      holder = FileHandle(forReadingAtPath: kitchens.guests)
    }
    let error = #expect(throws: DecantError.self) { try copy() }
    #expect(error?.code == (isLinked ? .usage : .storeBusy))
    #expect(error?.remedy?.contains("--commit run") == isLinked)
    #expect(Kitchens.bytes(of: kitchens.guests) == before)
    #expect(try names().allSatisfy { !$0.contains("decant-work") })
    withExtendedLifetime(holder) {}
  }

  @Test func `rights, attributes and the link stay`() throws {
    let link = kitchens.folder.path("link.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: link,
      withDestinationPath: "Guests.sqlite"
    )
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: kitchens.guests)
    let python = """
      import os, sys
      if len(sys.argv) > 2: os.setxattr(sys.argv[1], "user.note", b"mine")
      print(os.getxattr(sys.argv[1], "user.note").decode(), oct(os.stat(sys.argv[1]).st_mode))
      """
    func attributes(_ arguments: String...) throws -> String {
      let run = try Program.run(
        ["python3", "-c", python, kitchens.guests] + arguments,
        in: kitchens.folder.url
      )
      guard run.status == 0 else { throw Program.Failure(program: "python3", errors: run.errors) }
      return run.output
    }
    let before = try attributes("set")
    var options = CopyOptions()
    (options.appends, options.commit) = (true, .batch)
    let report = try Copy(from: kitchens.kitchen, to: link, options: options).run()
    #expect(report.isVerified)
    #expect(try attributes() == before)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "Guests.sqlite")
  }
}
