import Decant
import Foundation
import TestSupport
import Testing

extension RecipeShelf {
  /// The reason why an entry became no recipe.
  func reason(_ report: CopyReport, _ entry: String?) -> String? {
    report.unread.first { $0.entry == entry }?.reason
  }

  func check(
    _ report: CopyReport,
    titles: [String],
    rejects: [String?: String],
    notes: [String] = [],
    location: SourceLocation = #_sourceLocation
  ) throws {
    let content = try content()
    #expect(content.faults == [], sourceLocation: location)
    #expect(content.titles == titles, sourceLocation: location)
    #expect(report.unread.count == rejects.count, "\(report.unread)", sourceLocation: location)
    #expect(report["Recipe"]?.rejected == Int64(rejects.count), sourceLocation: location)
    for (entry, text) in rejects {
      let said = reason(report, entry)
      #expect(
        said.map { text.isEmpty ? !$0.isEmpty : $0.contains(text) } == true,
        "\(entry ?? "–"): \(said ?? "") of \(report.unread)",
        sourceLocation: location
      )
    }
    for note in notes {
      #expect(
        report.notes.commandLine.contains { $0.contains(note) }, "\(note): \(report.notes)", sourceLocation: location)
    }
  }
}
