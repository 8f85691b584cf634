import Foundation
import TestSupport
import Testing

/// Has the nth call to the system fail, for n = 1, 2, … until a run meets no fault.
///
/// A few of them by default; with `DECANT_SLOW=1` every one that writes, and of those that only look or
/// read forty of each kind, spread over the run; every third with all calls of its kind that follow. `DECANT_SCENARIO` names those scenarios alone that begin with it.
@Suite(.enabled(if: FaultShim.isAvailable))
struct FailingCallTests {
  private static let scenarios = (Scenario.copies + Scenario.readings).filter { scenario in
    let start = ProcessInfo.processInfo.environment["DECANT_SCENARIO"] ?? ""
    return scenario.testDescription.hasPrefix(start)
  }

  @Test(arguments: scenarios)
  func `a call that fails is told, and leaves everything as it was`(scenario: Scenario) throws {
    let trial = try FaultTrial(scenario)
    try #require(trial.isSound, "\(trial.normalErrors)")
    var faults = trial.faults()
    if !Effort.isThorough {
      // The same in every run; other ones for every scenario.
      var random = SeededGenerator(seed: UInt64(scenario.testDescription.utf8.count))
      let kinds = Set([Fault.Kind.open, .read, .write, .sync, .rename, .unlink, .truncate, .make])
      faults = faults.filter { kinds.contains($0.kind) }.shuffled(using: &random)
      faults = Array(faults.prefix(2))
    }
    var metCount = 0
    for fault in faults { metCount += try trial.expectAsItWasOrRight(fault) ? 1 : 0 }
    #expect(metCount > 0)
    if Effort.isThorough {
      print("faults: \(scenario.testDescription): \(metCount) of \(faults.count) met")
      for kind in Fault.Kind.single {
        // Beyond the last call nothing fails: so these were all.
        let beyond = Fault(kind: kind, number: (trial.counts[kind] ?? 0) + 50, error: EIO)
        #expect(try !trial.expectAsItWasOrRight(beyond), "\(kind)")
      }
    }
  }

  /// Where SQLite cannot remove its journal the backup fails, and decant clears away both: the backup's name is then
  /// free for whatever opens it.
  @Test func `of a backup that fails nothing is left`() throws {
    let scenario = try #require(Scenario.copies.first { $0.testDescription == "append with backup" })
    let trial = try FaultTrial(scenario)
    try #require(trial.isSound, "\(trial.normalErrors)")
    var failedCount = 0
    for number in 1..<(trial.counts[.unlink] ?? 0) + 1 {
      try trial.reset()
      let run = try trial.run(scenario.command, Fault(kind: .unlink, number: number, error: EIO))
      guard run.errors.contains("cannot create the backup") else { continue }
      failedCount += 1
      let left = try trial.contents().names.filter { $0.contains(".backup-") }
      #expect(left.isEmpty, "\(number): \(run.errors)")
    }
    #expect(failedCount > 0)
  }

  /// A commit may fail before its journal is gone, or when that is not confirmed: what is told is what is there.
  @Test func `a commit that fails tells whether the copy is there`() throws {
    let scenario = try #require(Scenario.copies.first { $0.testDescription == "append" })
    let trial = try FaultTrial(scenario)
    try #require(trial.isSound, "\(trial.normalErrors)")
    try trial.reset()
    let before = try trial.contents().rows
    var told: Set<Bool> = []
    // The last ones: before the commit counts, when it is to be confirmed, and behind it.
    let count = trial.counts[.sync] ?? 0
    for number in max(1, count - 2)..<count + 1 {
      try trial.reset()
      var fault = Fault(kind: .sync, number: number, error: EIO)
      fault.lasts = true
      let run = try trial.run(scenario.command, fault)
      guard run.errors.contains("cannot commit to") else { continue }
      let isThere = run.errors.contains("holds the complete copy anyway")
      told.insert(isThere)
      #expect(try (trial.contents().rows != before) == isThere, "\(number): \(run.errors)")
    }
    #expect(told == [true, false])
  }
}
