import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Places where something lies already that is not for a copy to write over.
@Suite struct OccupiedPlaceTests {
  private let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  @Test(arguments: ["-wal", "-journal"], [false, true])
  func `a log or journal that is left at a new place is refused and stays`(suffix: String, rowByRow: Bool) throws {
    let stale = kitchens.out + suffix
    let text = Data("what a lost store left\n".utf8)
    try text.write(to: URL(fileURLWithPath: stale))
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.kitchen, to: kitchens.out, rowByRow: rowByRow)
    }
    #expect(error?.message.contains("out.sqlite\(suffix)") == true)
    #expect(Kitchens.bytes(of: stale) == text)
    #expect(Kitchens.bytes(of: kitchens.out) == nil)
    #expect(Kitchens.bytes(of: kitchens.out + ".decant-partial") == nil)
  }

  @Test(
    arguments: [
      "Kitchen.sqlite", "Kitchen.sqlite-wal", "Kitchen.sqlite-journal", "Guests.sqlite",
      "Guests.sqlite-wal", "Guests.sqlite-journal", "notes.txt",
    ],
    [\CopyOptions.idTableFile, \CopyOptions.rejectsFile]
  )
  func `no list is written over a store or over what is there`(
    name: String,
    option: any WritableKeyPath<CopyOptions, String?> & Sendable
  ) throws {
    let notes = kitchens.folder.path("notes.txt")
    try Data("Two cups of flour\n".utf8).write(to: URL(fileURLWithPath: notes))
    let place = kitchens.folder.path(name)
    let before = [kitchens.kitchen, kitchens.guests, place].map(Kitchens.bytes(of:))
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
        $0.appends = true
        $0.onError = .reject
        $0[keyPath: option] = place
      }
    }
    #expect(error?.family == .usage)
    #expect([kitchens.kitchen, kitchens.guests, place].map(Kitchens.bytes(of:)) == before)
  }

  @Test(arguments: [false, true])
  func `a source that lies where the copy would be built is refused`(rowByRow: Bool) throws {
    let source = kitchens.out + ".decant-partial"
    try FileManager.default.copyItem(atPath: kitchens.kitchen, toPath: source)
    let before = Kitchens.bytes(of: source)
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(source, to: kitchens.out, rowByRow: rowByRow)
    }
    #expect(error?.family == .usage)
    #expect(Kitchens.bytes(of: source) == before)
    #expect(Kitchens.bytes(of: kitchens.out) == nil)
  }
}
