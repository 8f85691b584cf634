import Foundation
import TestSupport
import Testing

/// Removes or replaces a file at some moment of a run: before the nth time that something is read,
/// written or opened.
@Suite(.enabled(if: FaultShim.isAvailable))
struct VanishingFileTests {
  private static let isSlow = ProcessInfo.processInfo.environment["DECANT_SLOW"] == "1"

  /// What vanishes, of which scenario.
  struct Case: CustomTestStringConvertible {
    let scenario: String
    let victim: String
    var testDescription: String { "\(victim) of “\(scenario)”" }
  }

  private static let file = ".Kitchen_SUPPORT/_EXTERNAL_DATA/0A1B2C3D-1111-4222-8333-000000000001"

  private static let cases = [
    Case(scenario: "rows into new", victim: "Kitchen.sqlite"),
    Case(scenario: "rows into new", victim: "out.sqlite.decant-partial"),
    Case(scenario: "pages into new", victim: "Kitchen.sqlite"),
    Case(scenario: "pages into new", victim: "out.sqlite.decant-partial"),
    Case(scenario: "append", victim: "Kitchen.sqlite"),
    Case(scenario: "append", victim: "Guests.sqlite"),
    Case(scenario: "from a log, append", victim: "Kitchen.sqlite-wal"),
    Case(scenario: "from a log, pages", victim: "Kitchen.sqlite-wal"),
    Case(scenario: "append in batches", victim: "Guests.sqlite"),
    Case(scenario: "clean", victim: "SyncMetadata.sqlite"),
    Case(scenario: "files beside, append", victim: file),
    Case(scenario: "files beside, pages", victim: file),
    Case(scenario: "verify what is equal", victim: "out.sqlite"),
  ]

  @Test(arguments: cases)
  func `what vanishes is told, and nothing else is called the result`(_ example: Case) throws {
    let all = Scenario.copies + Scenario.readings
    let scenario = try #require(all.first { $0.testDescription == example.scenario })
    let trial = try FaultTrial(scenario)
    try #require(trial.isSound, "\(trial.normalErrors)")
    for kind in Self.isSlow ? [Fault.Kind.open, .read, .write] : [.read] {
      let count = trial.counts[kind] ?? 0
      let step = max(1, count / (Self.isSlow ? 25 : 1))
      for number in stride(from: Self.isSlow ? 1 : max(1, count / 2), through: count, by: step) {
        let fault = Fault(kind: kind, number: number, error: 0)
        try trial.expectToldOrRight(fault, removing: example.victim, replacing: false)
        guard Self.isSlow else { continue }
        try trial.expectToldOrRight(fault, removing: example.victim, replacing: true)
      }
    }
  }
}

extension FaultTrial {
  /// Removes `victim` before the call that `fault` names, and may put another store there.
  ///
  /// What the run ends with well, it must have done: the result is there, or it is what comes of the files
  /// as they are now.
  func expectToldOrRight(_ fault: Fault, removing victim: String, replacing: Bool) throws {
    try reset()
    let stranger = place.appendingPathComponent("stranger")
    if replacing {
      try FileManager.default.copyItem(
        at: Fixtures.projectFolder.appendingPathComponent("samples/Guests.sqlite"),
        to: stranger
      )
    }
    var variables = ["FAULT_REMOVE": Fault.realPath(place.path) + "/" + victim]
    if replacing { variables["FAULT_PUT"] = Fault.realPath(place.path) + "/stranger" }
    let run = try run(scenario.command, fault, variables)
    let seen = FaultReport(report)
    let what = Comment(
      rawValue: "\(scenario.testDescription): \(victim) \(replacing ? "replaced" : "removed") "
        + "before \(fault.kind.rawValue) \(fault.number) (\(seen.call))\n\(run.status) \(run.errors)"
    )
    #expect(!run.isCrash && run.status != 137, what)
    guard seen.failureCount != 0, let destination = scenario.destination else { return }
    guard run.status == 0 else {
      #expect(FaultTrial.codes.contains(run.status), what)
      #expect(run.errors.hasPrefix("decant: "), what)
      return
    }
    let left = try contents()
    if left.rows == after.rows { return }
    // From so early on that the run never saw the other: as if it had not been there.
    #expect(left.names.contains(destination), what)
    try reset()
    try FileManager.default.removeItem(at: place.appendingPathComponent(victim))
    if replacing {
      try FileManager.default.copyItem(
        at: Fixtures.projectFolder.appendingPathComponent("samples/Guests.sqlite"),
        to: place.appendingPathComponent(victim)
      )
    }
    let other = try self.run(scenario.command, nil)
    #expect(other.status == 0, what)
    #expect(try contents().rows == left.rows, what)
  }
}
