internal import StoreTestSupport

import Decant
import Foundation
import TestSupport
import Testing

/// Laws of errors: what an app can switch on, what a script sees, and that both mean the same.
@Suite struct ErrorSituationTests {
  /// What the manual says of exit codes.
  private static let families: [Int32: DecantError.Family] = [
    1: .failed, 10: .storeNotFound, 11: .storeBusy, 12: .modelMismatch, 13: .corruptStore,
    64: .usage, 130: .interrupted,
  ]

  @Test(
    arguments: ErrorSituation.requests + ErrorSituation.files + ErrorSituation.work
      + ErrorSituation.said + ErrorSituation.versions + ErrorSituation.archives
  )
  func `a situation has its code, its exit code and its remedies`(situation: ErrorSituation) throws {
    try expect(situation)
  }

  @Test(.enabled(if: SmallDisk.isPermitted, "needs the right to mount"), arguments: ErrorSituation.disks)
  func `a disk that takes nothing has its code as well`(situation: ErrorSituation) throws {
    try expect(situation)
  }

  private func expect(_ situation: ErrorSituation) throws {
    let scene = try ErrorScene()
    try situation.prepare(scene)
    let found = #expect(throws: DecantError.self) { try situation.attempt(scene) }
    let error = try #require(found)
    #expect(error.code == situation.code, "\(error.code.rawValue): \(error)")
    #expect(error.family == Self.families[situation.exitCode], "\(error)")
    #expect(error.remedies == situation.remedies(scene), "\(error.remedies): \(error)")
    // The text and the values offer the same.
    #expect(
      error.remedies.contains(.resume)
        == (error.advice?.commandLine.contains("with --resume") ?? false),
      "\(error)"
    )
    let text = "\(error) \(error.place ?? "")"
    #expect(!text.contains("--"), "an app has no options of a command line: \(text)")
    guard let command = situation.command else { return }
    let run = try Program.run([DecantProgram.path] + command, in: scene.kitchens.folder.url)
    #expect(run.status == situation.exitCode, "\(run.errors)")
    for case .setOption(let option, let value) in error.remedies {
      let written = "--\(option.rawValue)" + (value.map { " \($0.shellWord)" } ?? "")
      #expect(option == .what || run.errors.contains(written), "\(run.errors)")
    }
  }

  @Test func `contexts tell what was done, and are no part of the text`() throws {
    let scene = try ErrorScene()
    try scene.sql("Kitchen.sqlite", "CREATE UNIQUE INDEX one ON ZTAG (ZNAME)")
    let error = try #require(
      #expect(throws: DecantError.self) {
        try scene.copy("Guests.sqlite", "Kitchen.sqlite") { $0.appends = true }
      }
    )
    #expect(error.contexts == ["copy", "Tag"])
    let text = [error.message, error.place, error.remedy].compactMap(\.self)
    #expect(error.description == text.joined(separator: "\n  "))
  }
}
