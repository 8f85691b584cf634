import Foundation
import TestSupport
import Testing

/// Kills copies that reject objects; the run that goes on knows what was rejected before.
@Suite(.serialized) struct RejectKillTests {
  private static let mapping = """
    defaults: { missing: reject }
    entities: { Ingredient: { set: { sortIndex: "CASE WHEN _id % 10 = 0 THEN 99999 ELSE sortIndex END" } } }
    """

  /// The samples, the kitchen with a recipe that a trigger of the guests' refuses.
  private func prepare(_ folder: URL) throws {
    for name in ["Kitchen", "Guests"] {
      let sample = Fixtures.projectFolder.appendingPathComponent("samples/\(name).sqlite")
      try FileManager.default.copyItem(at: sample, to: folder.appendingPathComponent("\(name).sqlite"))
    }
    _ = try Program.sqlite3(
      folder.appendingPathComponent("Kitchen.sqlite").path,
      "UPDATE ZRECIPE SET ZSERVINGS = 7777 WHERE Z_PK = 3"
    )
    _ = try Program.sqlite3(
      folder.appendingPathComponent("Guests.sqlite").path,
      "CREATE UNIQUE INDEX gate ON ZRECIPE (ZSERVINGS) WHERE ZSERVINGS = 7777; "
        + "UPDATE ZRECIPE SET ZSERVINGS = 7777 WHERE Z_PK = (SELECT min(Z_PK) FROM ZRECIPE)"
    )
    try Data(Self.mapping.utf8).write(to: folder.appendingPathComponent("map.yaml"))
  }

  /// All rows of the destination, without its drawn identifier and the times of its history.
  private func rows(_ store: String, in folder: URL) throws -> String {
    let dump = try Program.sqlite3(folder.appendingPathComponent(store).path, ".dump")
    return dump.split(separator: "\n").filter {
      !$0.hasPrefix("INSERT INTO Z_METADATA") && !$0.hasPrefix("INSERT INTO ATRANSACTION")
    }.sorted().joined(separator: "\n")
  }

  /// The lines of the file of rejects but for its header, which has an identifier and a time.
  private func rejects(in folder: URL) throws -> [Substring] {
    try String(contentsOf: folder.appendingPathComponent("r.decant"), encoding: .utf8)
      .split(separator: "\n").dropFirst().map { $0 }
  }

  @Test(arguments: [
    ("new.sqlite", [String]()), ("Guests.sqlite", ["--append", "--commit", "batch"]),
  ])
  func `what was rejected before a kill is rejected after it, and in the file`(
    _ destination: String,
    _ options: [String]
  ) throws {
    let whole = try TemporaryFolder()
    try prepare(whole.url)
    let arguments =
      [
        "copy", "Kitchen.sqlite", destination, "--mapping", "map.yaml", "--on-error", "reject",
        "--rejects", "r.decant",
        "--batch-size", "5", "--quiet",
      ] + options
    let undisturbed = try KilledRun(arguments, in: whole.url)
    undisturbed.finish()
    #expect(undisturbed.end == .exited(3), "\(undisturbed.errors)")
    let (expected, lines) = (try rows(destination, in: whole.url), try rejects(in: whole.url))
    // Seven ingredients do not convert; the recipe that is refused takes others along.
    #expect(lines.count { $0.contains(#""code":"convert""#) } == 7)
    #expect(options.isEmpty || lines.contains { $0.contains(#""code":"link""#) })
    let length = undisturbed.phases.reduce(Duration.zero) { $0 + $1.length }
    var kills = 0
    for step in 1...9 {
      let folder = try TemporaryFolder()
      try prepare(folder.url)
      let run = try KilledRun(arguments, in: folder.url)
      run.kill(afterPhases: 0, pause: length * step / 10)
      if run.end == .killed(SIGKILL) { kills += 1 }
      guard run.end == .killed(SIGKILL) else { continue }
      // Killed after its end, but before its exit, it has nothing to go on with.
      let isDone =
        FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("r.decant").path)
      if !isDone {
        var again = try KilledRun(arguments + ["--resume"], in: folder.url)
        again.finish()
        if again.errors.contains("nothing to resume") {
          again = try KilledRun(arguments, in: folder.url)
          again.finish()
        }
        // Between the name of a new store and that of the file of rejects a kill leaves the store without the file.
        guard !again.errors.contains("already holds 66 Ingredient") else {
          withKnownIssue("the file of rejects does not get its name", isIntermittent: true) {
            Issue.record("after \(step) tenths")
          }
          continue
        }
        // Killed after the exchange it was complete, but for the names of its lists.
        let isComplete = again.errors.contains("already holds the complete copy")
        #expect(again.end == .exited(isComplete ? 64 : 3), "after \(step) tenths: \(again.errors)")
      }
      #expect(try rows(destination, in: folder.url) == expected, "after \(step) tenths")
      #expect(try rejects(in: folder.url) == lines, "after \(step) tenths")
    }
    #expect(kills > 0)
  }
}
