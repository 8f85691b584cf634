import Foundation
import TestSupport
import Testing

/// A folder with the sample stores in it, and how verbs are run there.
struct CommandFolder {
  let folder: TemporaryFolder
  var url: URL { folder.url }

  init() throws {
    folder = try TemporaryFolder()
    for name in ["Kitchen.sqlite", "Guests.sqlite"] {
      let sample = Fixtures.projectFolder.appendingPathComponent("samples/\(name)")
      try FileManager.default.copyItem(at: sample, to: url.appendingPathComponent(name))
    }
  }

  /// Runs `decant` with `arguments` in the folder.
  func run(_ arguments: [String]) throws -> Program {
    try Program.run([DecantProgram.path] + arguments, in: url)
  }

  /// What the file `name` holds, or `nil` where there is none.
  func content(_ name: String) -> Data? {
    FileManager.default.contents(atPath: folder.path(name))
  }

  /// The names of all files, hidden ones too.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  /// Runs `decant`, expects it to end with `status`, to print nothing and to say `message`.
  func expect(
    _ arguments: [String],
    _ status: Int32,
    _ message: String,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let run = try run(arguments)
    #expect(run.status == status, "\(run.errors)", sourceLocation: location)
    #expect(run.errors.contains(message), "\(run.errors)", sourceLocation: location)
    #expect(run.output.isEmpty, sourceLocation: location)
  }

  /// Makes `Large.sqlite`, whose copy takes a while: every ingredient four hundred times.
  func makeLargeStore() throws {
    try FileManager.default.copyItem(atPath: folder.path("Kitchen.sqlite"), toPath: folder.path("Large.sqlite"))
    _ = try Program.sqlite3(
      folder.path("Large.sqlite"),
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO ZINGREDIENT SELECT Z_PK + 1000 * i, Z_ENT, Z_OPT, ZISGARNISH, ZSORTINDEX, ZRECIPE,
        ZAMOUNT, ZNAME, ZNOTE, ZUNIT, ZUUID FROM ZINGREDIENT, n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 500000 WHERE Z_NAME = 'Ingredient'
      """
    )
  }

  /// Returns `text` without what differs from run to run: seconds, memory and new identifiers.
  static func lasting(_ text: String) -> String {
    text.replacing(/· \d+\.\d\d s · [\d.]+ [kMG]?B of memory/, with: "· …")
      .replacing(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/, with: "UUID")
  }
}

/// A program that runs beside the test, and what it says.
final class RunningProgram {
  private let process = Process()
  private let input = Pipe()
  private let said = Pipe()

  var processIdentifier: Int32 { process.processIdentifier }

  /// Starts `arguments`; `listensToErrors` says which of its two outputs is read.
  init(_ arguments: [String], in folder: URL, listensToErrors: Bool = false) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = input
    process.standardOutput = listensToErrors ? FileHandle.nullDevice : said
    process.standardError = listensToErrors ? said : FileHandle.nullDevice
    try process.run()
  }

  /// Writes `text` to its input.
  func write(_ text: String) {
    input.fileHandleForWriting.write(Data(text.utf8))
  }

  /// Reads until `text` was said, or until it ends; returns what it said.
  @discardableResult
  func wait(for text: String) -> String {
    var read = Data()
    while !String(decoding: read, as: UTF8.self).contains(text) {
      let more = said.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      read += more
    }
    return String(decoding: read, as: UTF8.self)
  }

  /// Closes its input, reads the rest, and returns how it ended and what it said last.
  func end() -> (status: Int32, rest: String) {
    try? input.fileHandleForWriting.close()
    let rest = said.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: rest, as: UTF8.self))
  }
}
