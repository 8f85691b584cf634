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
