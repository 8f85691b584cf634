import Foundation
import TestSupport
import Testing

/// Kills the program before a certain call of those that change a file, so that no state of its files is
/// missed: what lies on the disk changes with these calls and between no two of them.
///
/// Every twentieth call with `DECANT_SLOW=1`, one call of each scene else; `DECANT_CALL` kills before one call alone.
@Suite(.serialized, .enabled(if: FaultShim.isAvailable)) struct CallKillTests {
  @Test(arguments: KillScene.small)
  func `killed before a call that changes a file, a copy is completed to the row`(scene: KillScene) throws {
    let stage = try KillStage(scene)
    try stage.reset()
    let count = try changeCount(of: scene, on: stage)
    #expect(count > 20)
    for call in calls(of: count, scene.name) {
      let note = "\(scene.name), DECANT_CALL=\(call) of \(count)"
      try stage.reset()
      let run = try KilledRun(scene.arguments, in: stage.stage, environment: fault(call, on: stage))
      run.finish()
      #expect(run.end == .killed(SIGKILL), "\(note)")
      let state = try stage.look(isOpened: call % 4 < 2, note)
      try stage.complete(state == .whole ? nil : scene.again, note)
    }
  }

  /// The calls of `count` that are killed before: spread over all of them, not the same in every scene.
  private func calls(of count: Int, _ name: String) -> [Int] {
    let environment = ProcessInfo.processInfo.environment
    if let call = environment["DECANT_CALL"].flatMap({ Int($0) }) { return [call] }
    let step = Effort.isThorough ? 20 : count
    let first = 1 + name.utf8.reduce(0) { $0 &+ Int($1) } % min(step, count)
    return Array(stride(from: first, through: count, by: step))
  }

  /// How many calls of an undisturbed copy change a file.
  private func changeCount(of scene: KillScene, on stage: KillStage) throws -> Int {
    let folder = try TemporaryFolder()
    let report = folder.path("report")
    let run = try KilledRun(scene.arguments, in: stage.stage, environment: fault(0, on: stage, report: report))
    run.finish()
    return FaultReport(report).counts[.change] ?? 0
  }

  /// What has the program killed before its call number `call`; every other write is written by half.
  private func fault(_ call: Int, on stage: KillStage, report: String = "") -> [String: String] {
    Fault(kind: .change, number: call, error: call % 2 == 0 ? 0 : EIO, kills: true)
      .environment(in: stage.stage, report: report)
  }
}
