import Foundation
import TestSupport
import Testing

/// Kills the program before a certain call of those that change a file, so that no state of its files is
/// missed: what lies on the disk changes with these calls and between no two of them.
///
/// Every twentieth call with `DECANT_SLOW=1`, one call of each scene else; `DECANT_CALL` kills before one call alone.
@Suite(.serialized, .enabled(if: CallKiller.isAvailable)) struct CallKillTests {
  @Test(arguments: KillScene.small)
  func `killed before a call that changes a file, a copy is completed to the row`(
    scene: KillScene
  ) throws {
    let killer = try CallKiller()
    let stage = try KillStage(scene)
    try stage.reset()
    let count = try killer.count(scene.arguments, in: stage.stage)
    #expect(count > 20)
    for call in calls(of: count, scene.name) {
      let note = "\(scene.name), DECANT_CALL=\(call) of \(count)"
      try stage.reset()
      let run = try KilledRun(
        scene.arguments,
        in: stage.stage,
        environment: killer.environment(call)
      )
      run.finish()
      #expect(run.end == .killed, "\(note)")
      let state = try stage.look(isOpened: call % 4 < 2, note)
      try stage.complete(state == .whole ? nil : scene.again, note)
    }
  }

  /// The calls of `count` that are killed before: spread over all of them, not the same in every scene.
  private func calls(of count: Int, _ name: String) -> [Int] {
    let environment = ProcessInfo.processInfo.environment
    if let call = environment["DECANT_CALL"].flatMap({ Int($0) }) { return [call] }
    let step = environment["DECANT_SLOW"] == "1" ? 20 : count
    let first = 1 + name.utf8.reduce(0) { $0 &+ Int($1) } % min(step, count)
    return Array(stride(from: first, through: count, by: step))
  }
}

/// What is loaded into the program to have it killed before a call.
final class CallKiller {
  private let folder: TemporaryFolder
  private var library: String { folder.path("killer.so") }

  /// Whether there is a compiler for it; Swift brings one along.
  static let isAvailable = (try? Program.run(["clang", "--version"]))?.status == 0

  init() throws {
    folder = try TemporaryFolder()
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Programs/killer.c").path
    let run = try Program.run(["clang", "-shared", "-fPIC", "-O1", "-o", library, source])
    guard run.status == 0 else { throw Program.Failure(program: "clang", errors: run.errors) }
  }

  /// What has the program killed before its call number `call`; every other write is written by half.
  func environment(_ call: Int) -> [String: String] {
    var environment = ["LD_PRELOAD": library, "KILL_AT": String(call)]
    if call % 2 == 0 { environment["KILL_HALF"] = "yes" }
    return environment
  }

  /// How many calls the program makes.
  func count(_ arguments: [String], in place: URL) throws -> Int {
    let log = folder.path("log")
    let run = try KilledRun(
      arguments,
      in: place,
      environment: ["LD_PRELOAD": library, "KILL_LOG": log]
    )
    run.finish()
    return FileManager.default.contents(atPath: log)?.count ?? 0
  }
}
