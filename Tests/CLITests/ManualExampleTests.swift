import Foundation
import TestSupport
import Testing

/// The examples of the manual and of the README do what the pages show.
@Suite struct ManualExampleTests {
  private static let pages = ManualPage.all.filter {
    (try? !ManualSession($0.text()).commands.isEmpty) ?? true
  }

  /// With `RECORD_GOLDEN=1` writes into the page what its commands print now, and fails.
  @Test(arguments: pages) func `every command of a page prints what stands below it`(
    page: ManualPage
  ) throws {
    var text = try page.text()
    let session = ManualSession(text)
    let outcomes = try session.run()
    #expect(outcomes.count == session.commands.count, "the session ended early")
    let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1"
    var start = text.startIndex
    for outcome in outcomes {
      let command = outcome.command
      #expect(outcome.status == 0 || outcome.isStatusShown, "\(command.text): \(outcome.output)")
      guard let expected = command.expected else { continue }
      let printed = "$ " + command.text.replacing("\n", with: "\n> ")
      let place = try #require(text.range(of: printed, range: start..<text.endIndex))
      start = place.upperBound
      if ManualSession.fits(outcome.output, expected) { continue }
      Issue.record("\(command.text)\nprints\n\(outcome.output)\ninstead of\n\(expected)")
      guard isRecording else { continue }
      let below = (expected.isEmpty ? "" : "\n") + expected
      let end = text.index(start, offsetBy: below.count)
      let output = outcome.output.trimmingCharacters(in: .newlines)
      let offset = text.distance(from: text.startIndex, to: start)
      text.replaceSubrange(start..<end, with: (output.isEmpty ? "" : "\n") + output)
      start = text.index(text.startIndex, offsetBy: offset)
    }
    if isRecording { try Data(text.utf8).write(to: page.file) }
  }

  @Test(arguments: ManualPage.all) func `a command of decant stands where it is run`(
    page: ManualPage
  ) throws {
    for block in try page.blocks() where block.language != "console" {
      for line in block.lines where line.hasPrefix("decant ") || line.hasPrefix("$ decant ") {
        // The form of a command, as “decant merge [options] SOURCE… DESTINATION”, is none.
        #expect(line.contains("[options]"), "\(line)")
      }
    }
  }

  @Test func `the guides have examples`() {
    let guides = [
      "README", "RestoreBackup", "TwoDatabases", "NextVersion", "ShareRecipe", "RecipeFiles",
      "OutOfCoreData", "Git",
    ]
    #expect(Set(Self.pages.map(\.name)).isSuperset(of: guides))
  }

  @Test func `a session tells other output from the expected one`() {
    #expect(ManualSession.fits("a\nb\nc\n", "a\nb\nc"))
    #expect(ManualSession.fits("a\nb\nc\nd", "a\n…\nd"))
    #expect(ManualSession.fits("a\nb\nc\nd", "…\nb\n…\nd"))
    #expect(ManualSession.fits("x · 0.12 s · 30.1 MB of memory", "x · 1.50 s · 9 MB of memory"))
    #expect(!ManualSession.fits("a\nb\nc", "a\nc"))
    #expect(!ManualSession.fits("a\nb\nc", "a\n…\nd"))
    #expect(!ManualSession.fits("a\nb\nc", "…\nc\n…\nb\n…"))
    #expect(!ManualSession.fits("a", "a\n…\na"))
  }
}
