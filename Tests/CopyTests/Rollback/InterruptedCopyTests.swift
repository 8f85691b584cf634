import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A copy with `--commit batch` that was killed: the store is as it was, and its leftovers are cleared or continued.
@Suite(.enabled(if: FaultShim.isAvailable)) struct InterruptedCopyTests {
  let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  private func kill(journal: String) throws {
    _ = try Program.sqlite3(kitchens.guests, "PRAGMA journal_mode = \(journal)")
    let options = ["--append", "--commit", "batch", "--batch-size", "5"]
    try LeftBehind.part(of: ["copy", "Kitchen.sqlite", "Guests.sqlite"] + options, in: kitchens.folder.url)
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
    #expect(try names() == ["Guests.sqlite", "Kitchen.sqlite", "SyncMetadata.sqlite"])
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
    #expect(error?.family == .failed)
    #expect(error?.message.contains("store was changed") == true, "\(error?.message ?? "")")
    #expect(error?.advice?.commandLine.contains("--restart") == true)
    #expect(try Program.sqlite3(kitchens.guests, ".dump") == changed)
    // Started over, the copy has what the app has changed.
    let report = try copy { $0.leftOver = .startOver }
    #expect(report.isVerified && report.notes.commandLine.contains { $0.contains("interrupted") })
    #expect(try Program.sqlite3(kitchens.guests + ".backup-1", ".dump") == changed)
  }

  @Test func `nothing is resumed where nothing is left, and a merge may begin`() throws {
    let before = Kitchens.bytes(of: kitchens.guests)
    for isDryRun in [true, false] {
      let error = #expect(throws: DecantError.self) { try copy { $0.isDryRun = isDryRun } }
      #expect(error?.family == .usage && error?.advice?.commandLine.contains("without --resume") == true)
      #expect(Kitchens.bytes(of: kitchens.guests) == before)
      #expect(try names() == ["Guests.sqlite", "Kitchen.sqlite", "SyncMetadata.sqlite"])
    }
    // A complete one is not added a second time.
    #expect(try copy { $0.leftOver = .startOver }.isVerified)
    let after = try Program.sqlite3(kitchens.guests, ".dump")
    let error = #expect(throws: DecantError.self) { try copy() }
    #expect(error?.place?.contains("Guests.sqlite.backup-1") == true, "\(error?.place ?? "")")
    #expect(try Program.sqlite3(kitchens.guests, ".dump") == after)
    // What is there is there once, however often it is merged.
    let merged = try copy { $0.merge = MergeRules(.skip) }
    #expect(merged.notes.commandLine.contains { $0.contains("nothing to resume") })
  }

  @Test func `what was done when it was killed is taken back, and told of`() throws {
    let before = try Program.sqlite3(kitchens.guests, ".dump")
    // Behind the exchange, before what is left is cleared.
    try LeftBehind.part(
      of: ["copy", "Kitchen.sqlite", "Guests.sqlite", "--append", "--commit", "batch"],
      in: kitchens.folder.url,
      killedAt: { $0 - 5 }
    )
    #expect(try Program.sqlite3(kitchens.guests, ".dump") != before)
    #expect(try names().contains("Guests.sqlite.decant-work"))
    let report = try Rollback(kitchens.guests).run()
    #expect(report.outcome == .exchanged)
    #expect(report.notes.count == 1)
    #expect(report.notes.commandLine.first?.hasPrefix("an interrupted copy had put a new store in") == true)
    #expect(try Program.sqlite3(kitchens.guests, ".dump") == before)
  }

  @Test func `the store is copied in a phase of its own, which can be stopped`() throws {
    let before = try Program.sqlite3(kitchens.guests, ".dump")
    let cancellation = Cancellation()
    var options = CopyOptions()
    (options.appends, options.commit) = (true, .batch)
    var told: [WorkProgress] = []
    let stopped = Copy(from: kitchens.kitchen, to: kitchens.guests, options: options)
    let error = #expect(throws: DecantError.self) {
      try stopped.run(cancellation: cancellation) { event in
        if case .working(.began(.duplicate), _) = event { cancellation.cancel() }
        if case .working(.progress(let progress), _) = event { told.append(progress) }
      }
    }
    #expect(error?.family == .interrupted)
    // Objects are looked for before the store is copied; nothing is written yet.
    #expect(told.allSatisfy { [.resolve, .duplicate].contains($0.phase) })
    #expect(try Program.sqlite3(kitchens.guests, ".dump") == before)
    #expect(try names() == ["Guests.sqlite", "Kitchen.sqlite", "SyncMetadata.sqlite"])
    told = []
    let size = Int64(Kitchens.bytes(of: kitchens.guests)?.count ?? 0)
    let report = try stopped.run { event in
      if case .working(.progress(let progress), _) = event, progress.phase == .duplicate {
        told.append(progress)
      }
    }
    #expect(told.last?.byteCount == size && told.last?.expectedByteCount == size)
    #expect(report.phases.map(\.phase).contains(.duplicate))
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
    #expect(error?.family == (isLinked ? .usage : .storeBusy))
    #expect(error?.advice?.commandLine.contains("--commit run") == isLinked)
    #expect(Kitchens.bytes(of: kitchens.guests) == before)
    #expect(try names().allSatisfy { !$0.contains("decant-work") })
    withExtendedLifetime(holder) {}
  }

  @Test func `rights, attributes and the link stay`() throws {
    let link = kitchens.folder.path("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "Guests.sqlite")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: kitchens.guests)
    let python = """
      import os, sys
      if len(sys.argv) > 2: os.setxattr(sys.argv[1], "user.note", b"mine")
      print(os.getxattr(sys.argv[1], "user.note").decode(), oct(os.stat(sys.argv[1]).st_mode))
      """
    func attributes(_ arguments: String...) throws -> String {
      let run = try Program.run(["python3", "-c", python, kitchens.guests] + arguments, in: kitchens.folder.url)
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

  /// Guests with a log; two pictures of the kitchen lie in files beside it.
  private func putFiles(in folder: URL) throws {
    _ = try Program.sqlite3(folder.appendingPathComponent("Guests.sqlite").path, "PRAGMA journal_mode = wal")
    let files = folder.appendingPathComponent(".Kitchen_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    for number in 1...2 {
      let name = "0A1B2C3D-1111-4222-8333-00000000000\(number)"
      let hex = name.utf8.map { String(format: "%02x", $0) }.joined()
      _ = try Program.sqlite3(
        folder.appendingPathComponent("Kitchen.sqlite").path,
        "UPDATE ZIMAGE SET ZDATA = x'02\(hex)00' WHERE Z_PK = \(number)"
      )
      try Data(repeating: UInt8(number + 64), count: 30_000).write(to: files.appendingPathComponent(name))
    }
  }

  private func names(of folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { !$0.hasSuffix("decant-work/lock") }
  }

  /// The rows, the kind of journal and the names of all files of the guests.
  private func state(of folder: URL) throws -> [String] {
    let store = folder.appendingPathComponent("Guests.sqlite").path
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return [
      try Program.sqlite3(store, "PRAGMA journal_mode"),
      try Program.sqlite3(store, "SELECT count(*) FROM ZINGREDIENT"),
    ]
      + names.filter { $0.contains("Guests") && !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }
      .sorted()
  }

  /// Where the names change, at every call to the last: the store is as it was, and nothing of the copy stays after a
  /// rollback, or all of it is there; with `--resume` it is complete, and never there twice.
  @Test(arguments: [true, false])
  func `killed at one of its last calls, the copy is completed or cleared, with files and log`(isResumed: Bool) throws {
    let template = kitchens.folder.url
    try putFiles(in: template)
    let command = [
      "copy", "Kitchen.sqlite", "Guests.sqlite", "--append", "--commit", "batch", "--keep-ids",
      "ids", "-q",
    ]
    let before = try state(of: template)
    let other = try TemporaryFolder()
    let (stage, report) = (other.url.appendingPathComponent("stage"), other.path("report"))
    func run(_ arguments: [String], killedAt call: Int) throws -> Program {
      let fault = Fault(kind: .change, number: call, error: EIO, kills: true)
      return try Program.run(
        [DecantProgram.path] + arguments,
        in: stage,
        environment: fault.environment(in: stage, report: report)
      )
    }
    func reset() throws {
      try? FileManager.default.removeItem(at: stage)
      try FileManager.default.copyItem(at: template, to: stage)
    }
    try reset()
    #expect(try run(command, killedAt: 0).status == 0)
    let count = FaultReport(report).counts[.change] ?? 0
    let after = try state(of: stage)
    #expect(before != after && count > 40)
    // The first calls as well: nothing is written then.
    for call in Array(1...4) + Array((count - 24)...count) {
      let note: Comment = "call \(call) of \(count), resumed: \(isResumed)"
      try reset()
      #expect(try run(command, killedAt: call).isCrash, note)
      let isDone = try state(of: stage)[1] == after[1]
      let hasNothingLeft = try !names(of: stage).contains { $0.contains("decant-work/") }
      let next = isResumed ? command + ["--resume"] : ["rollback", "Guests.sqlite", "-q"]
      let again = try run(next, killedAt: 0)
      if isResumed {
        let isRefused = again.status == 64
        #expect(again.status == 0 || isRefused && (isDone || hasNothingLeft), "\(note): \(again.errors)")
        let end = try state(of: stage)
        #expect(end == (isRefused && !isDone ? before : after), "\(note): \(again.errors)")
        let table = stage.appendingPathComponent("ids").path
        #expect(FileManager.default.fileExists(atPath: table) == (end == after), note)
      } else {
        let hasNothingToDo = !isDone && hasNothingLeft && again.status == 1
        #expect(again.status == 0 || hasNothingToDo, "\(note): \(again.errors)")
        let left = try state(of: stage)
        #expect(left[1] == before[1] && left[0] == "wal", "\(note): \(left)")
        if !isDone { #expect(left == before, note) }
      }
    }
  }
}
