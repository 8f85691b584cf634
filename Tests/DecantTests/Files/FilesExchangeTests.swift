import Foundation
import TestSupport
import Testing

@testable import DecantBase

@Suite struct FilesExchangeTests {
  let folder: TemporaryFolder
  var place: String { folder.path("store") }
  var other: String { folder.path("store.backup-1") }
  var aside: String { folder.path("store.backup-1.decant-swap") }

  init() throws {
    folder = try TemporaryFolder()
    try write("old", place)
    try write("new", other)
  }

  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func read(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `two files change names, and again`() throws {
    try Files.exchange(place, with: other)
    #expect(read(place) == "new" && read(other) == "old")
    try Files.exchange(place, with: other)
    #expect(read(place) == "old" && read(other) == "new")
    #expect(read(aside) == nil)
  }

  @Test func `a file that is missing changes nothing`() throws {
    #expect(throws: SystemError.self) {
      try Files.exchange(place, with: folder.path("nowhere"))
    }
    #expect(read(place) == "old")
  }

  @Test func `an exchange that was only prepared is taken back`() throws {
    try FileManager.default.linkItem(atPath: place, toPath: aside)
    #expect(try !Files.endExchange(place, with: other))
    #expect(read(place) == "old" && read(other) == "new" && read(aside) == nil)
  }

  @Test func `an exchange that was begun is completed`() throws {
    try FileManager.default.linkItem(atPath: place, toPath: aside)
    try FileManager.default.removeItem(atPath: place)
    try FileManager.default.moveItem(atPath: other, toPath: place)
    #expect(try Files.endExchange(place, with: other))
    #expect(read(place) == "new" && read(other) == "old" && read(aside) == nil)
  }

  @Test func `an exchange whose last name was given twice is completed`() throws {
    try Files.exchange(place, with: other)
    try FileManager.default.linkItem(atPath: other, toPath: aside)
    #expect(try Files.endExchange(place, with: other))
    #expect(read(place) == "new" && read(other) == "old" && read(aside) == nil)
  }

  @Test func `what no exchange has left stays where it is`() throws {
    #expect(try !Files.endExchange(place, with: other))
    try write("of another", aside)
    #expect(throws: SystemError.self) { try Files.endExchange(place, with: other) }
    #expect(read(place) == "old" && read(other) == "new" && read(aside) == "of another")
  }

  @Test func `a file that somebody has open is told from one that nobody has`() throws {
    #expect(try !Files.isOpen(place))
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: place))
    #expect(try Files.isOpen(place))
    try handle.close()
    #expect(try !Files.isOpen(place))
  }
}
