import Decant
import DecantFoundation
import Foundation
import TestSupport
import Testing

/// What an app shows of errors; the test sees what is public and nothing else.
@Suite struct ErrorTextTests {
  private let folder: TemporaryFolder
  private let kitchen: URL
  private let guests: URL

  init() throws {
    folder = try TemporaryFolder()
    (kitchen, guests) = (folder.url.appending(path: "Kitchen.sqlite"), folder.url.appending(path: "Guests.sqlite"))
    for store in [kitchen, guests] {
      try FileManager.default.copyItem(
        at: Fixtures.projectFolder.appending(path: "samples/\(store.lastPathComponent)"),
        to: store
      )
    }
  }

  private func error(_ work: () throws -> Void) throws -> DecantError {
    try #require(#expect(throws: DecantError.self, performing: work))
  }

  @Test func `an error says what, where and what helps`() throws {
    let error = try error {
      var copy = Copy(from: kitchen, to: folder.url.appending(path: "out.sqlite"))
      copy.selection.conditions = [EntityCondition(entity: "Recipee", expression: "1")]
      try copy.run()
    }
    #expect(error.localizedDescription == "There is no entity Recipee in “\(kitchen.path)”.")
    #expect(error.failureReason?.hasSuffix("During: copy.") == true)
    #expect(error.recoverySuggestion == "Did you mean Recipe?")
  }

  @Test func `a place that has nothing is told with its name`() throws {
    let none = folder.url.appending(path: "a#b%20c ü.sqlite")
    let error = try error { try Inspect(none).run() }
    #expect(error.code == .storeNotFound)
    #expect(error.errorDescription?.contains(none.path) == true)
    #expect(error.recoverySuggestion?.hasSuffix("Choose another place.") == true)
  }

  @Test func `a note says what is so and what helps`() throws {
    let report = try #require(Merge([guests], into: kitchen).run().reports.first)
    let note = try #require(report.notes.first { $0.kind == .identityFound })
    #expect(
      note.noteDescription.hasPrefix("Objects are matched by Category.uuid, ") && note.noteDescription.hasSuffix("."))
    #expect(note.recoverySuggestion == "“identity Category: none” turns this off.")
    #expect(note.remedies == [.setOption(.identity, "Category: none")])
  }

  @Test(arguments: [
    (DecantError.Remedy.closeOtherProgram([]), "Close the programs that use the file, or wait"),
    (.closeOtherProgram([.init(process: 7, name: "Notes")]), "Close “Notes”, or wait"),
    (.closeOtherProgram([.init(process: 7, name: nil)]), "Close process 7, or wait"),
    (.freeSpace(byteCount: nil), "Free disk space."),
    (.freeSpace(byteCount: 2_000_000), "Free disk space: 2 MB more."),
    (.makeFolder("/a b"), "Create the folder “/a b”."), (.makeFolder(nil), "Create the folder."),
    (.moveAway("/a b"), "Move “/a b” away."), (.moveAway(nil), "Move the file away."),
    (.restoreBackup("/b"), "Restore a backup: “/b”."),
    (.correctName(nearest: nil), "Correct the name."),
  ])
  func `a remedy is a sentence`(remedy: DecantError.Remedy, text: String) {
    #expect(remedy.suggestion.hasPrefix(text), "\(remedy.suggestion)")
    #expect(remedy.suggestion.hasSuffix("."))
  }
}
