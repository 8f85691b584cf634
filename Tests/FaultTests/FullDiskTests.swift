import Foundation
import TestSupport
import Testing

/// Copies on disks of many sizes, so that they are full at every part of the work.
///
/// Temporary files are on the same disk. That there is too little room is found before anything is
/// written; so half of the runs do not see how much there is.
@Suite(
  .enabled(if: SmallDisk.isPermitted, "needs the right to mount"),
  .disabled(if: Sanitizer.isOfThreads, "the sanitizer itself ends where the disk is full")
)
struct FullDiskTests {
  private static let scenarios = [
    "pages into new", "rows into new", "append", "append with backup", "append in batches",
    "files beside, append", "into a log", "clean", "plain append",
  ]

  @Test(arguments: scenarios)
  func `a disk that fills up is told, and leaves everything as it was`(name: String) throws {
    let scenario = try #require(Scenario.copies.first { $0.testDescription == name })
    let trial = try FaultTrial(scenario)
    try #require(trial.isSound, "\(trial.normalErrors)")
    let size = try Self.kilobytes(in: trial.original)
    let steps = Effort.isThorough ? Array(stride(from: 4, through: 1200, by: 12)) : [24, 100]
    var fullCount = 0
    for more in steps {
      let isFull = try trial.expectAsItWasOrRight(kilobytes: size + more, isBlind: true)
      fullCount += isFull ? 1 : 0
      if Effort.isThorough {
        _ = try trial.expectAsItWasOrRight(kilobytes: size + more, isBlind: false)
      }
    }
    #expect(fullCount > 0, "no disk was full")
    if Effort.isThorough { print("full disks: \(name): \(fullCount) of \(steps.count) were full") }
  }

  /// What was copied when the disk was full stays, the error says so, and it is gone on with.
  @Test(arguments: [
    ("rows into new", "out.sqlite.decant-partial"),
    ("append in batches", "Guests.sqlite.decant-work/copy.sqlite"),
    ("plain in batches", "b.db.decant-work/copy.sqlite"),
  ])
  func `what is copied when the disk is full can be resumed`(name: String, work: String) throws {
    let scenario = try #require(Scenario.copies.first { $0.testDescription == name })
    let command =
      scenario.command + (scenario.command.contains("--batch-size") ? [] : ["--batch-size", "20"])
    let trial = try FaultTrial(scenario)
    try #require(trial.isSound, "\(trial.normalErrors)")
    let size = try Self.kilobytes(in: trial.original)
    let blind = ["LD_PRELOAD": FaultShim.library, "FAULT_BLIND": "1"]
    var keptRows: [Int] = []
    for more in stride(from: 16, through: 640, by: Effort.isThorough ? 4 : 24) {
      try trial.onDisk(kilobytes: size + more) { disk in
        let run = try trial.run(command, nil, blind)
        guard run.status != 0 else { return }
        let what = Comment(rawValue: "\(size) + \(more) KiB: \(run.status) \(run.errors)")
        let path = trial.place.appendingPathComponent(work).path
        let isKept = FileManager.default.fileExists(atPath: path)
        #expect(isKept == run.errors.contains("--resume"), what)
        #expect(!isKept || run.errors.contains(work.split(separator: "/")[0]), what)
        guard isKept else { return }
        try disk.grow()
        let rows = try Program.sqlite3(path, "SELECT coalesce(sum(rows), 0) FROM decant_checkpoint")
        keptRows.append(Int(rows) ?? -1)
        let resumed = try trial.run(command + ["--resume"], nil)
        #expect(resumed.status == 0 && !resumed.output.contains("over"), "\(resumed.errors) after \(what)")
        #expect(try trial.contents().rows == trial.after.rows, what)
      }
    }
    #expect(keptRows.contains { $0 > 0 }, "nothing was resumed: \(keptRows)")
  }

  @Test(.enabled(if: Effort.isThorough), arguments: [1, 2, 3])
  func `sorting that finds no room is told`(part: Int) throws {
    let trial = try FaultTrial(.large)
    try #require(trial.isSound, "\(trial.normalErrors)")
    let size = try Self.kilobytes(in: trial.original)
    for step in stride(from: part, through: 30, by: 3) {
      _ = try trial.expectAsItWasOrRight(kilobytes: size + size * step / 10, isBlind: true)
    }
  }

  /// Without and with indexes, and with rows that are only in the write-ahead log.
  @Test(arguments: ["", "CREATE INDEX i ON t (v); CREATE INDEX j ON t (id, v);", "PRAGMA journal_mode = WAL;"])
  func `a copy page by page needs the room of its source`(first: String) throws {
    let folder = try TemporaryFolder()
    let (source, place) = (folder.path("a.db"), folder.url.appendingPathComponent("disk"))
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    let rows = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)"
    _ = try Program.sqlite3(source, "CREATE TABLE t (id INTEGER PRIMARY KEY, v BLOB);\(first)")
    // Held open, so that the log stays.
    let holder = try LockHolder(source, statement: "SELECT count(*) FROM t")
    defer { holder.release() }
    _ = try Program.sqlite3(source, "\(rows) INSERT INTO t SELECT i, randomblob(6000) FROM n")
    let size = try #require(
      Int(Program.sqlite3(source, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"))
    )
    for (share, status) in [(1.1, Int32(0)), (0.9, 1)] {
      let disk = try SmallDisk(at: place, kilobytes: Int(Double(size) * share) / 1024)
      try withExtendedLifetime(disk) {
        let run = try Program.run([DecantProgram.path, "copy", source, place.path + "/b.db"])
        #expect(run.status == status, "\(share) of \(size): \(run.errors)")
        #expect(status == 0 || run.errors.contains("the copy needs up to"), "\(run.errors)")
      }
    }
  }

  private static func kilobytes(in folder: URL) throws -> Int {
    let run = try Program.run(["du", "-s", "--block-size=1024", folder.path])
    return Int(run.output.prefix { $0 != "\t" }) ?? 0
  }
}

extension FaultTrial {
  /// Runs the scenario on a disk of that size; returns whether it was too small.
  func expectAsItWasOrRight(kilobytes: Int, isBlind: Bool) throws -> Bool {
    var isFull = false
    try onDisk(kilobytes: kilobytes) {
      isFull = try expectAsItWasOrRight(disk: $0, kilobytes, isBlind)
    }
    return isFull
  }

  /// Runs `body` with the scenario's files on a disk of that size, where they fit.
  func onDisk(kilobytes: Int, _ body: (SmallDisk) throws -> Void) throws {
    try? FileManager.default.removeItem(at: place)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    let disk = try SmallDisk(at: place, kilobytes: kilobytes)
    let copied = try Program.run(["cp", "-r", original.path + "/.", place.path])
    if copied.status == 0 { try body(disk) }
  }

  private func expectAsItWasOrRight(disk: SmallDisk, _ kilobytes: Int, _ isBlind: Bool) throws -> Bool {
    let variables = ["LD_PRELOAD": FaultShim.library, "FAULT_BLIND": "1"]
    let run = try run(scenario.command, nil, isBlind ? variables : [:])
    let what =
      "\(scenario.testDescription): \(kilobytes) KiB, "
      + "\(isBlind ? "unseen" : "seen")\n\(run.status) \(run.errors)"
    if run.status != 0 {
      #expect(run.status == 1, Comment(rawValue: what))
      #expect(run.errors.contains("free some space"), Comment(rawValue: what))
    }
    try expectAsItWasOrRight(run, Comment(rawValue: what)) { try disk.grow() }
    return run.status != 0
  }
}
