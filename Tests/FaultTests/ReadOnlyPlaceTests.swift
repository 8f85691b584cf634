import Foundation
import TestSupport
import Testing

/// Places that may not be written or read, as a user who has no rights beyond his own meets them.
@Suite(.enabled(if: Stranger.isThere, "needs root, who can become somebody else"))
struct ReadOnlyPlaceTests {
  private let trial: FaultTrial

  init() throws {
    let scenario = try #require(Scenario.copies.first { $0.testDescription == "from a log, append" })
    trial = try FaultTrial(scenario)
    try trial.reset()
    try Stranger.own(trial.place.appendingPathComponent("temporary"))
  }

  private func path(_ name: String) -> String { trial.place.appendingPathComponent(name).path }

  private func set(_ mode: Int, _ names: String...) throws {
    for name in names {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }
  }

  private func names() throws -> Set<String> {
    let names = try FileManager.default.contentsOfDirectory(atPath: trial.place.path)
    // Who reads a log shares an index of it with others.
    return Set(names.filter { !$0.hasSuffix("-shm") })
  }

  /// Runs the program as somebody else; it must fail with code 1, a remedy, and nothing changed.
  private func expectRefused(_ arguments: String..., mentions text: String) throws {
    let (before, content) = (try names(), FileManager.default.contents(atPath: path("Guests.sqlite")))
    let run = try Stranger.run(arguments, in: trial.place)
    #expect(run.status == 1, "\(arguments): \(run.errors)")
    #expect(run.errors.contains(text), "\(arguments): \(run.errors)")
    #expect(run.errors.split(separator: "\n").count > 1, "\(run.errors)")
    #expect(try names() == before)
    #expect(FileManager.default.contents(atPath: path("Guests.sqlite")) == content)
  }

  @Test func `a folder that cannot be written takes no copy`() throws {
    try set(0o555, "")
    try expectRefused("copy", "Kitchen.sqlite", "out.sqlite", mentions: "ermission")
    try set(0o666, "Guests.sqlite")
    try expectRefused("copy", "Kitchen.sqlite", "Guests.sqlite", "--append", mentions: "ermission")
    try expectRefused("copy", "Kitchen.sqlite", "Guests.sqlite", "--append", "--commit", "batch", mentions: "ermission")
  }

  @Test func `another user's store is not added to`() throws {
    try set(0o777, "")
    try set(0o644, "Guests.sqlite", "Kitchen.sqlite", "Kitchen.sqlite-wal")
    try expectRefused("copy", "Kitchen.sqlite", "Guests.sqlite", "--append", mentions: "ermission")
    try Scenario.putSyncMetadata(trial.place)
    try set(0o644, "SyncMetadata.sqlite")
    try expectRefused("clean", "SyncMetadata.sqlite", "--what", "history", mentions: "ermission")
  }

  @Test func `a source that may not be read is told from one that is not there`() throws {
    try set(0o777, "")
    try set(0o600, "Kitchen.sqlite")
    try expectRefused("copy", "Kitchen.sqlite", "out.sqlite", mentions: "permission denied")
    try expectRefused("inspect", "Kitchen.sqlite", mentions: "permission denied")
  }

  @Test func `recipes that may not be read keep no others from being imported`() throws {
    try set(0o777, "")
    for name in ["fold/locked", "fold/closed", "alone"] {
      try FileManager.default.createDirectory(
        at: trial.place.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    for name in ["open", "sealed", "locked/in", "closed/in"] {
      let recipe = "{\"@type\": \"Recipe\", \"name\": \"\(name)\", \"recipeIngredient\": [\"1 \(name)\"]}"
      try Data(recipe.utf8).write(to: trial.place.appendingPathComponent("fold/\(name).json"))
    }
    try set(0, "fold/locked", "fold/sealed.json", "alone")
    // Its names can be read, and nothing of what goes by them.
    try set(0o444, "fold/closed")
    defer { try? set(0o755, "fold/locked", "fold/closed", "fold/sealed.json", "alone") }
    for sources in [["fold"], ["alone", "fold/sealed.json", "fold/open.json"]] {
      let run = try Stranger.run(["import"] + sources + ["temporary/\(sources.count).db"], in: trial.place)
      #expect(run.status == 3, "\(run.errors)")
      #expect(run.output.contains("sealed.json: cannot read “"), "\(run.output)")
      #expect(run.output.contains("\(sources.count == 1 ? "closed/in.json" : "alone"): cannot "), "\(run.output)")
      let titles = try Program.sqlite3(path("temporary/\(sources.count).db"), "SELECT title FROM Recipe")
      #expect(titles == "open")
    }
    try expectRefused("import", "alone", "temporary/none.db", mentions: "ermission denied")
    try expectRefused("import", "fold/sealed.json", "temporary/none.db", mentions: "ermission denied")
  }

  @Test func `a source in a folder that cannot be written is read with its log`() throws {
    try set(0o555, "")
    try set(0o644, "Kitchen.sqlite", "Kitchen.sqlite-wal")
    let before = try names()
    let run = try Stranger.run(["copy", "Kitchen.sqlite", "temporary/out.sqlite"], in: trial.place)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("private copy"), "\(run.output)")
    #expect(try names() == before)
    let tag = "SELECT ZNAME FROM ZTAG WHERE Z_PK = 1"
    #expect(try Program.sqlite3(path("temporary/out.sqlite"), tag) == "from the log")
    let left = try FileManager.default.contentsOfDirectory(atPath: path("temporary"))
    #expect(left == ["out.sqlite"])
  }

  @Test func `files that may not be looked at are not taken for lost`() throws {
    try FileManager.default.removeItem(at: trial.place)
    try FileManager.default.createDirectory(at: trial.place, withIntermediateDirectories: false)
    try Scenario.putFiles(trial.place)
    try set(0o777, "")
    try set(0o644, "Kitchen.sqlite")
    try set(0o700, ".Kitchen_SUPPORT/_EXTERNAL_DATA")
    try expectRefused("copy", "Kitchen.sqlite", "out.sqlite", mentions: "ermission denied")
    try expectRefused("copy", "Kitchen.sqlite", "sqlite:out.db", mentions: "ermission denied")
  }

  @Test(.enabled(if: SmallDisk.isPermitted, "needs the right to mount"))
  func `a disk that is mounted for reading is read, and takes nothing`() throws {
    let folder = try TemporaryFolder()
    let original = try names()
    let view = folder.url.appendingPathComponent("view")
    try FileManager.default.createDirectory(at: view, withIntermediateDirectories: false)
    let disk = try SmallDisk(at: view, readOnly: trial.place)
    for arguments in [
      ["Kitchen.sqlite", "out.sqlite"], ["Kitchen.sqlite", "Guests.sqlite", "--append"],
    ] {
      let run = try Program.run([DecantProgram.path, "copy"] + arguments, in: view)
      #expect(run.status == 1, "\(run.errors)")
      #expect(run.errors.split(separator: "\n").count > 1, "\(run.errors)")
    }
    let run = try Program.run([DecantProgram.path, "copy", "Kitchen.sqlite", folder.path("out.sqlite")], in: view)
    #expect(run.status == 0, "\(run.errors)")
    let tag = "SELECT ZNAME FROM ZTAG WHERE Z_PK = 1"
    #expect(try Program.sqlite3(folder.path("out.sqlite"), tag) == "from the log")
    #expect(try names() == original)
    withExtendedLifetime(disk) {}
  }
}

/// Somebody who owns nothing, as whom a program is run.
enum Stranger {
  private static let number = "65534"

  static func run(_ arguments: [String], in folder: URL) throws -> Program {
    try Program.run(
      ["setpriv", "--reuid", number, "--regid", number, "--clear-groups", DecantProgram.path]
        + arguments,
      in: folder,
      environment: ["TMPDIR": folder.appendingPathComponent("temporary").path]
    )
  }

  static func own(_ folder: URL) throws {
    _ = try Program.run(["chown", number, folder.path])
  }

  /// Whether this user may become another one, and that one may run the program.
  static let isThere: Bool = {
    let folder = FileManager.default.temporaryDirectory
    guard getuid() == 0, let run = try? run(["--version"], in: folder) else { return false }
    return run.status == 0
  }()
}
