import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@Suite struct ResumeTests {
  let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  private func options(_ configure: (inout CopyOptions) -> Void = { _ in }) -> CopyOptions {
    var options = CopyOptions()
    options.filters = [.everything]
    options.batchSize = 5
    configure(&options)
    return options
  }

  /// Copies until `count` batches are written, then stops.
  private func stop(after count: Int, _ options: CopyOptions) -> DecantError? {
    stop(Copy(from: kitchens.kitchen, to: kitchens.out, options: options), after: count)
  }

  private func stop(_ copy: Copy, after count: Int) -> DecantError? {
    let cancellation = Cancellation()
    var batches = 0
    do throws(DecantError) {
      try copy.run(cancellation: cancellation) { event in
        guard case .working(.progress(let progress), _) = event, progress.phase == .copy else {
          return
        }
        batches += 1
        if batches == count { cancellation.cancel() }
      }
      return nil
    } catch { return error }
  }

  @Test(arguments: [1, 2, 5, 9, 14, 20, 27])
  func `a stopped copy is invisible, and goes on where it ended`(count: Int) throws {
    let error = stop(after: count, options())
    #expect(error?.family == .interrupted)
    #expect(error?.advice?.commandLine.contains("--resume") == true)
    #expect(!FileManager.default.fileExists(atPath: kitchens.out))
    let resumed = options { $0.leftOver = .resume }
    var first: Int64?
    let report = try Copy(from: kitchens.kitchen, to: kitchens.out, options: resumed).run {
      guard case .working(.progress(let progress), _) = $0, progress.phase == .copy, first == nil
      else { return }
      first = progress.rowCount
    }
    #expect((first ?? 0) > 5 * Int64(count - 7))
    #expect(try Kitchens.rows(of: kitchens.out) == Kitchens.rows(of: kitchens.kitchen))
    #expect(report.links.copied == 166)
    #expect(try Program.sqlite3(kitchens.out, "PRAGMA integrity_check") == "ok")
    let work = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'decant%'"
    #expect(try Program.sqlite3(kitchens.out, work) == "0")
  }

  /// A stop at any event, the first included: the promise of a resume holds, and without it nothing is left.
  @Test func `a resume is promised only where there is something to resume`() throws {
    var promises: Set<Bool> = []
    var count = 0
    while true {
      let cancellation = Cancellation()
      if count == 0 { cancellation.cancel() }
      var events = 0
      let copy = Copy(from: kitchens.kitchen, to: kitchens.out, options: options())
      do throws(DecantError) {
        try copy.run(cancellation: cancellation) { _ in
          events += 1
          if events == count { cancellation.cancel() }
        }
        break
      } catch {
        let isPromised = error.advice?.commandLine.contains("--resume") == true
        promises.insert(isPromised)
        let partial = kitchens.out + ".decant-partial"
        #expect(FileManager.default.fileExists(atPath: partial) == isPromised)
        if isPromised {
          let resumed = options { $0.leftOver = .resume }
          let report = try Copy(from: kitchens.kitchen, to: kitchens.out, options: resumed).run()
          #expect(!report.notes.commandLine.contains { $0.contains("cleared") || $0.contains("over") })
          try FileManager.default.removeItem(atPath: kitchens.out)
        }
      }
      count += 1
    }
    #expect(promises == [true, false])
  }

  @Test func `a stopped copy that is run again starts over`() throws {
    _ = stop(after: 3, options())
    let report = try Copy(from: kitchens.kitchen, to: kitchens.out, options: options()).run()
    #expect(report.notes.commandLine.contains { $0.contains("interrupted") })
    #expect(try Kitchens.rows(of: kitchens.out) == Kitchens.rows(of: kitchens.kitchen))
  }

  /// Resumes the copy, which must be refused as the source is not what it was.
  @discardableResult
  private func expectRefusedResume() -> DecantError? {
    let error = #expect(throws: DecantError.self) {
      try Copy(from: kitchens.kitchen, to: kitchens.out, options: options { $0.leftOver = .resume }).run()
    }
    #expect(error?.family == .failed)
    #expect(error?.message.contains("source was changed") == true)
    return error
  }

  @Test func `resuming is refused when the source has changed`() throws {
    _ = stop(after: 3, options())
    _ = try Program.sqlite3(kitchens.kitchen, "UPDATE ZRECIPE SET ZTITLE = 'Toast' WHERE Z_PK = 1")
    let error = expectRefusedResume()
    #expect(error?.advice?.commandLine.contains("--restart") == true)
  }

  @Test func `resuming is refused under another plan`() throws {
    _ = stop(after: 3, options())
    let other = options {
      $0.leftOver = .resume
      $0.filters = [.init(entity: "Recipe", expression: "rating > 3")]
    }
    let error = #expect(throws: DecantError.self) {
      try Copy(from: kitchens.kitchen, to: kitchens.out, options: other).run()
    }
    #expect(error?.message.contains("other options") == true)
  }

  @Test func `a refused resume leaves the unfinished copy as it is`() throws {
    _ = stop(after: 3, options())
    let partial = kitchens.out + ".decant-partial"
    let state = "SELECT * FROM decant_checkpoint; SELECT * FROM ZCATEGORY; SELECT * FROM ZIMAGE"
    let before = try Program.sqlite3(partial, state, isQuoted: true)
    #expect(!before.isEmpty)
    _ = try Program.sqlite3(kitchens.kitchen, "CREATE TABLE other (a)")
    #expect(throws: DecantError.self) {
      try Copy(from: kitchens.kitchen, to: kitchens.out, options: options { $0.leftOver = .resume }).run()
    }
    #expect(try Program.sqlite3(partial, state, isQuoted: true) == before)
  }

  @Test func `resuming is refused when another file is in the source's place`() throws {
    _ = stop(after: 3, options())
    let other = kitchens.folder.path("other.sqlite")
    try FileManager.default.copyItem(atPath: kitchens.kitchen, toPath: other)
    try FileManager.default.removeItem(atPath: kitchens.kitchen)
    try FileManager.default.moveItem(atPath: other, toPath: kitchens.kitchen)
    expectRefusedResume()
  }

  @Test(arguments: [false, true])
  func `what was written before the machine was restarted is begun anew`(isAltered: Bool) throws {
    _ = stop(after: 3, options())
    let partial = kitchens.out + ".decant-partial"
    let boot = "SELECT value FROM decant_run WHERE key = 'boot'"
    // The checkpoint holds the number that the system drew when it was started.
    let number = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    #expect(try Program.sqlite3(partial, boot) == number.trimmingCharacters(in: .newlines))
    if isAltered {
      // Rows that were lost with the machine, although the checkpoint speaks of them.
      _ = try Program.sqlite3(
        partial,
        """
        UPDATE decant_run SET value = '00000000-0000-4000-8000-000000000000' WHERE key = 'boot';
        DELETE FROM ZCATEGORY
        """
      )
    }
    let report = try Copy(from: kitchens.kitchen, to: kitchens.out, options: options { $0.leftOver = .resume }).run()
    #expect(report.isVerified)
    #expect(report.notes.commandLine.contains { $0.contains("restarted") } == isAltered)
    #expect(try Kitchens.rows(of: kitchens.out) == Kitchens.rows(of: kitchens.kitchen))
  }

  @Test(arguments: ["delete", "wal"], [false, true])
  func `a private copy is resumed from another private copy of the same`(journal: String, isChanged: Bool) throws {
    _ = try Program.sqlite3(kitchens.kitchen, "PRAGMA journal_mode = \(journal)")
    _ = stop(after: 3, options { $0.readsPrivateCopy = true })
    if isChanged {
      let change = "UPDATE ZRECIPE SET ZTITLE = 'Toast' WHERE Z_PK = 1"
      _ = try Program.sqlite3(kitchens.kitchen, change)
    }
    let copy = Copy(
      from: kitchens.kitchen,
      to: kitchens.out,
      options: options {
        $0.readsPrivateCopy = true
        $0.leftOver = .resume
      }
    )
    if isChanged {
      let error = #expect(throws: DecantError.self) { try copy.run() }
      #expect(error?.message.contains("source was changed") == true)
    } else {
      try copy.run()
      #expect(try Kitchens.rows(of: kitchens.out) == Kitchens.rows(of: kitchens.kitchen))
    }
  }

  /// Adds the guests to the kitchen, and stops after `count` batches.
  private func stopAdding(after count: Int, _ options: CopyOptions) -> DecantError? {
    stop(Copy(from: kitchens.guests, to: kitchens.kitchen, options: options), after: count)
  }

  @Test(arguments: [1, 4, 9], ["delete", "wal"])
  func `adding batch by batch is resumed exactly once`(count: Int, journal: String) throws {
    _ = try Program.sqlite3(kitchens.kitchen, "PRAGMA journal_mode = \(journal)")
    let both = try Kitchens.content(of: kitchens.kitchen) + Kitchens.content(of: kitchens.guests)
    let before = try Kitchens.rows(of: kitchens.kitchen)
    let options = options {
      $0.appends = true
      $0.commit = .batch
    }
    let error = stopAdding(after: count, options)
    #expect(error?.family == .interrupted)
    #expect(error?.advice?.commandLine.contains("--resume") == true)
    #expect(try Kitchens.rows(of: kitchens.kitchen) == before)
    let report = try Copy(
      from: kitchens.guests,
      to: kitchens.kitchen,
      options: self.options {
        $0.appends = true
        $0.commit = .batch
        $0.leftOver = .resume
      }
    ).run()
    #expect(report.isVerified)
    #expect(report.links.copied == 68)
    #expect(try Kitchens.rows(of: kitchens.kitchen + ".backup-1") == before)
    #expect(try Kitchens.content(of: kitchens.kitchen) == both)
    let work = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'decant%'"
    #expect(try Program.sqlite3(kitchens.kitchen, work) == "0")
    #expect(try Program.sqlite3(kitchens.kitchen, "PRAGMA journal_mode") == journal)
  }

  @Test func `a resumed copy reports the identifier that the file has`() throws {
    #expect(stop(after: 1, options())?.family == .interrupted)
    let uuid = "SELECT Z_UUID FROM Z_METADATA"
    let then = try Program.sqlite3(kitchens.out + ".decant-partial", uuid)
    let report = try Copy(from: kitchens.kitchen, to: kitchens.out, options: options { $0.leftOver = .resume }).run()
    #expect(try Program.sqlite3(kitchens.out, uuid) == report.destination.uuid)
    #expect(report.destination.uuid == then)
  }

  @Test(arguments: [CopyOptions.Commit.run, .batch])
  func `nobody else writes to a store between two batches`(commit: CopyOptions.Commit) throws {
    var refusals = 0
    try Copy(
      from: kitchens.guests,
      to: kitchens.kitchen,
      options: options {
        $0.appends = true
        $0.commit = commit
      }
    ).run { event in
      guard case .working(.progress(let progress), _) = event, progress.rowCount > 0 else { return }
      do {
        _ = try Program.sqlite3(kitchens.kitchen, "DELETE FROM ZTAG")
      } catch let failure as Program.Failure where failure.errors.contains("locked") {
        refusals += 1
      } catch {
        Issue.record(error)
      }
    }
    #expect(refusals > 5)
  }
}
