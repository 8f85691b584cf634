import Foundation
import TestSupport
import Testing

/// Kills the program at random moments, and has its work completed.
///
/// `DECANT_SLOW=1` does it forty times for each way to copy, `DECANT_SEED` does one seed again.
@Suite(.serialized) struct KillTests {
  @Test(arguments: KillScene.large)
  func `a copy that is killed is nowhere, as before or resumable, and is completed to the row`(
    scene: KillScene
  ) throws {
    let stage = try KillStage(scene)
    var met: [String: Int] = [:]
    for seed in seeds {
      let note = "\(scene.name), DECANT_SEED=\(seed)"
      var random = SeededGenerator(seed: seed)
      try stage.reset()
      met[try kill(scene.arguments, on: stage, &random), default: 0] += 1
      var state = try stage.look(isOpened: seed % 2 == 0, note)
      // A copy that is begun anew, without being asked to resume, ends equal as well.
      let again = seed % 5 == 4 ? scene.arguments : scene.again
      if seed % 3 == 2, state != .whole {
        met["again: " + (try kill(again, on: stage, &random)), default: 0] += 1
        state = try stage.look(isOpened: seed % 2 == 1, note)
      }
      try stage.complete(state == .whole ? nil : again, note)
    }
    #expect(met.keys.contains { $0 != "after its end" }, "every run ended before it was killed")
    guard Effort.isThorough else { return }
    let counts = met.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    let line = "kills, \(scene.name): \(counts.joined(separator: ", "))\n"
    FileHandle.standardError.write(Data(line.utf8))
    for phases in [["at its start", "in resolve"], ["in copy"], ["in check"]] {
      #expect(phases.contains { met[$0] != nil }, "\(scene.name): no kill \(phases)")
    }
  }

  /// Runs the program and kills it at a moment that `random` draws; says in which phase that was.
  ///
  /// A phase is drawn first, and then a moment in it as long as it took in an undisturbed run: the short
  /// ones would hardly ever be met otherwise.
  private func kill(_ arguments: [String], on stage: KillStage, _ random: inout SeededGenerator) throws -> String {
    let index = Int.random(in: 0..<stage.phases.count, using: &random)
    let part = Double.random(in: 0..<1.1, using: &random)
    let run = try KilledRun(arguments, in: stage.stage)
    run.kill(afterPhases: index, pause: stage.phases[index].length * part)
    guard run.end == .killed(SIGKILL) else { return "after its end" }
    let phase = run.phases.last?.name ?? ""
    return phase == "start" ? "at its start" : "in \(phase)"
  }

  private var seeds: [UInt64] {
    let seeds = SeededGenerator.seeds(2)
    return Effort.isThorough && seeds.count > 1 ? Array(seeds.prefix(40)) : seeds
  }
}
