import Foundation
import TestSupport
import Testing

/// Looks in which order a run has written, synced and renamed files: nobody sees that a sync is missing until a
/// machine goes down.
@Suite(.enabled(if: FaultShim.isAvailable)) struct DiskOrderTests {
  @Test(arguments: Scenario.copies + Scenario.replacements)
  func `contents and names reach the disk before what builds on them`(scenario: Scenario) throws {
    let root = try TemporaryFolder(inMemory: true)
    let place = root.url.appendingPathComponent("place")
    let scratch = place.appendingPathComponent("temporary")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    try scenario.setUp(place)
    var fault = Fault(kind: .open, number: 0, error: 0)
    fault.hasPlainRenames = scenario.hasPlainRenames
    var variables = fault.environment(in: place, report: root.path("report"))
    variables["FAULT_TRACE"] = root.path("trace")
    variables["TMPDIR"] = scratch.path
    let run = try Program.run([DecantProgram.path] + scenario.command, in: place, environment: variables)
    #expect(run.status == scenario.status, "\(run.errors)")
    let calls = FaultTrace(root.path("trace")).calls
    #expect(calls.contains { $0.kind == .sync } && calls.contains { $0.kind != .sync })
    let real = Fault.realPath(place.path)
    let found = DiskOrder.violations(
      of: calls,
      store: "\(real)/\(scenario.destination ?? "")",
      scratch: "\(real)/temporary/"
    )
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
  }
}
