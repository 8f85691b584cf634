import Foundation
import TestSupport
import Testing

/// What verbs lay in the folder for temporary files is gone with them, or with the next run where they were killed.
@Suite(.serialized, .enabled(if: FaultShim.isAvailable)) struct ScratchFolderTests {
  private let folder: TemporaryFolder
  private let temporary: URL

  init() throws {
    folder = try TemporaryFolder()
    temporary = folder.url.appendingPathComponent("temporary")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
    for name in ["Kitchen.sqlite", "Guests.sqlite"] {
      let sample = Fixtures.projectFolder.appendingPathComponent("samples/\(name)")
      try FileManager.default.copyItem(atPath: sample.path, toPath: folder.path(name))
    }
    let soup = #"{"@type":"Recipe","name":"Soup","recipeIngredient":["1 leek"]}"#
    try Data(soup.utf8).write(to: folder.url.appendingPathComponent("soup.json"))
    for arguments in [
      ["export", "Guests.sqlite", "g.decant"], ["export", "Guests.sqlite", "g.eml"],
      ["import", "soup.json", "soup.sqlite"],
    ] { #expect(try run(arguments).status == 0) }
    #expect(try left().isEmpty)
  }

  /// The names of what is in the folder for temporary files.
  private func left() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: temporary.path)
  }

  private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Program {
    try Program.run(
      [DecantProgram.path] + arguments,
      in: folder.url,
      environment: environment.merging(["TMPDIR": temporary.path, "SQLITE_TMPDIR": folder.url.path]) { $1 }
    )
  }

  @Test(arguments: [
    ["import", "g.decant", "new.sqlite"], ["import", "g.eml", "new.sqlite"],
    ["import", "soup.json", "new.sqlite"], ["import", "soup.json", "coredata:new.sqlite"],
    ["copy", "g.decant", "new.sqlite"], ["copy", "Kitchen.sqlite", "new.sqlite", "--private-copy"],
    ["merge", "g.decant", "Kitchen.sqlite"], ["export", "Kitchen.sqlite", "new.decant"],
    ["export", "Kitchen.sqlite", "new.decant", "--where", "Recipe: title > 'M'"],
    ["export", "Kitchen.sqlite", "new.html"], ["export", "Kitchen.sqlite", "new.eml"],
    ["export", "soup.sqlite", "new.paprikarecipes"], ["export", "soup.sqlite", "new.json"],
    ["query", "g.decant", "SELECT * FROM Recipe"], ["inspect", "soup.json"],
    ["verify", "g.decant", "Guests.sqlite"], ["diff", "g.decant", "Guests.sqlite"],
  ])
  func `the next run takes away what a killed one has left`(arguments: [String]) throws {
    let report = folder.path("report")
    func fault(_ call: Int) -> [String: String] {
      Fault(kind: .change, number: call, error: EIO, kills: call > 0)
        .environment(in: temporary, report: report)
    }
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    let kitchen = try Data(contentsOf: folder.url.appendingPathComponent("Kitchen.sqlite"))
    func reset() throws {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      where !before.contains(name) { try FileManager.default.removeItem(atPath: folder.path(name)) }
      try kitchen.write(to: folder.url.appendingPathComponent("Kitchen.sqlite"))
    }
    #expect(try [0, 4].contains(run(arguments, fault(0)).status))
    #expect(try left().isEmpty)
    let count = try #require(FaultReport(report).counts[.change])
    try #require(count > 1)
    var kept = 0
    for call in Set([2, count / 3, count / 2, count - 1]) where call > 1 {
      try reset()
      #expect(try run(arguments, fault(call)).isCrash)
      if try !left().isEmpty { kept += 1 }
      try reset()
      #expect(try run(["stores"]).status == 0)
      #expect(try left() == [], "killed before call \(call) of \(count)")
    }
    #expect(kept > 0)
  }

  /// A run that waits for more of its input keeps what it has.
  @Test func `what a living process uses stays`() throws {
    let process = try RunningProgram(
      [DecantProgram.path, "import", "-", "new.sqlite", "--quiet"],
      in: folder.url,
      environment: ["TMPDIR": temporary.path],
      output: .inherited,
      errors: .inherited
    )
    let archive = try Data(contentsOf: folder.url.appendingPathComponent("g.decant"))
    process.write(archive.prefix(archive.count / 2))
    while try left().isEmpty, process.isRunning { usleep(1000) }
    let names = try left()
    #expect(names.count == 1)
    #expect(names[0].hasPrefix("decant-\(process.number)-"))
    #expect(try run(["stores"]).status == 0)
    #expect(try left() == names)
    // Nor where its number was another's, as it seems to who cannot see it.
    let other = names[0].replacing("decant-\(process.number)-", with: "decant-1-")
    try FileManager.default.moveItem(
      at: temporary.appendingPathComponent(names[0]),
      to: temporary.appendingPathComponent(other)
    )
    #expect(try run(["stores"]).status == 0)
    #expect(try left() == [other])
    try FileManager.default.moveItem(
      at: temporary.appendingPathComponent(other),
      to: temporary.appendingPathComponent(names[0])
    )
    process.write(archive.suffix(from: archive.count / 2))
    process.closeInput()
    #expect(process.waitUntilExit() == .exited(0))
    #expect(try left().isEmpty)
  }

  /// When a process began, as the system tells.
  private func began(_ process: Int32) throws -> String {
    let script = "print(open('/proc/\(process)/stat').read().rpartition(')')[2].split()[19])"
    return try Program.run(["python3", "-c", script]).output.trimmingCharacters(in: .newlines)
  }

  @Test func `what is not a dead run's own stays`() throws {
    let files = FileManager.default
    func make(_ name: String) throws -> String {
      let place = temporary.appendingPathComponent(name)
      try files.createDirectory(at: place, withIntermediateDirectories: false)
      try Data("x".utf8).write(to: place.appendingPathComponent("data"))
      return place.path
    }
    let (own, start) = (getpid(), try began(getpid()))
    let treasure = folder.path("treasure")
    try files.createDirectory(atPath: treasure, withIntermediateDirectories: false)
    try Data("x".utf8).write(to: URL(fileURLWithPath: treasure + "/data"))
    var kept: Set<String> = [
      "decant-\(own)-\(start)-living", "decant-\(UUID())", "decant-abc123", "decant-1-2-3-4",
      "decant-01-5-abcdef", "decant-0-5-abcdef", "decant--1-5-abcdef", "other-999999999-5-abcdef",
      "decant-99999999999-5-abcdef", "decant-999999999-5-abcdefg",
    ]
    for name in kept { _ = try make(name) }
    for (name, isFolder) in [("linked", true), ("lonely", false)] {
      try files.createSymbolicLink(
        atPath: temporary.path + "/decant-999999999-5-\(name)",
        withDestinationPath: isFolder ? treasure : treasure + "/data"
      )
      kept.insert("decant-999999999-5-\(name)")
    }
    try Data().write(to: temporary.appendingPathComponent("decant-999999999-5-afile1"))
    kept.insert("decant-999999999-5-afile1")
    if geteuid() == 0 {
      let theirs = try make("decant-999999999-5-theirs")
      #expect(chown(theirs, 4321, 4321) == 0)
      kept.insert("decant-999999999-5-theirs")
    }
    // The number of a process that lives, but began at another time; and one that nobody has.
    let reused = try make("decant-\(own)-\(start)1-reused")
    let dead = try make("decant-999999999-5-dead00")
    // What a link in it leads to is nobody's litter.
    try files.createSymbolicLink(atPath: dead + "/link", withDestinationPath: treasure)
    #expect(try run(["stores"]).status == 0)
    #expect(try Set(left()) == kept)
    #expect(!files.fileExists(atPath: reused) && !files.fileExists(atPath: dead))
    #expect(files.fileExists(atPath: treasure + "/data"))
  }
}
