import Foundation
import TestSupport
import Testing

/// Text that a verb prints, as it once was found right: a file in `Golden/`.
enum GoldenText {
  /// Expects `text` to be that of the file `name`; with `RECORD_GOLDEN=1` writes it there and fails.
  static func expect(_ text: String, _ name: String, location: SourceLocation = #_sourceLocation) throws {
    let file = Fixtures.projectFolder.appendingPathComponent("Tests/CLITests/Golden/\(name)")
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try Data(text.utf8).write(to: file)
      Issue.record("recorded \(name): look at it, then run without RECORD_GOLDEN")
      return
    }
    let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(text == golden, sourceLocation: location)
  }
}
