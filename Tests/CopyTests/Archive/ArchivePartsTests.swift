import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Archives that are cut into parts.
@Suite struct ArchivePartsTests {
  private let places: ArchivePlaces
  private var source: String { places.path("a.sqlite") }

  /// A database whose archive has some two megabytes, and its parts.
  init() throws {
    places = try ArchivePlaces()
    _ = try Program.sqlite3(
      source,
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, v BLOB, parent INTEGER REFERENCES p);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
      INSERT INTO p SELECT i, randomblob(i * 1500), nullif(i / 2, 0) FROM n;
      """
    )
    try places.export("a.sqlite", to: "a.decant") { $0.partByteCount = 512 << 10 }
  }

  private func parts(of name: String = "a") throws -> [String] {
    try places.names().filter { $0.wholeMatch(of: /(\w+)\.\d+\.decant.*/)?.1 == name[...] }
  }

  @Test func `no part is larger than it may be, and together they are the archive`() throws {
    let parts = try parts()
    #expect(parts.count >= 4)
    #expect(parts == (1...parts.count).map { "a.\($0).decant" })
    #expect(parts.allSatisfy { (places.bytes($0)?.count ?? .max) <= 512 << 10 })
    #expect(try ArchiveScript.faults(in: parts.reversed().map(places.path), from: source) == [])
  }

  @Test(arguments: SeededGenerator.seeds(3)) func `parts come in any order`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let reports = try places.import(parts().shuffled(using: &generator), into: "b.sqlite")
    #expect(reports.map(\.isVerified) == [true])
    #expect(try PlainCheck.differences(of: places.path("b.sqlite"), from: source) == [])
  }

  @Test(arguments: ["gz", "zst", "xz", "lz4", "zip"])
  func `packed parts are parts`(_ ending: String) throws {
    try places.export("a.sqlite", to: "p.decant.\(ending)") { $0.partByteCount = 512 << 10 }
    let parts = try parts(of: "p")
    #expect(parts.count >= 4)
    #expect(try ArchiveScript.faults(in: parts.map(places.path), from: source) == [])
    try places.import(parts.reversed(), into: "b.sqlite")
    #expect(try PlainCheck.differences(of: places.path("b.sqlite"), from: source) == [])
  }

  /// Leaves each part out in turn.
  @Test(arguments: 1...4) func `a missing part is named, and nothing is made`(_ number: Int) throws {
    let all = try parts()
    let number = number == 4 ? all.count : number
    let before = try places.names()
    let error = #expect(throws: DecantError.self) {
      try places.import(all.filter { $0 != "a.\(number).decant" }, into: "b.sqlite")
    }
    #expect(error?.family == .corruptStore)
    let message = error.map { "\($0.message)" } ?? ""
    #expect(
      message.contains(number == all.count ? "the last part is missing" : "part \(number) is missing"),
      "\(message)"
    )
    #expect(try places.names() == before)
  }

  @Test func `a part of another archive is told from the others`() throws {
    try places.export("a.sqlite", to: "o.decant") { $0.partByteCount = 512 << 10 }
    var parts = try parts()
    parts[1] = "o.2.decant"
    let error = #expect(throws: DecantError.self) { try places.import(parts, into: "b.sqlite") }
    #expect(error?.family == .corruptStore)
    #expect(error?.message.contains("missing") == true, "\(error?.message ?? "")")
    #expect(places.bytes("b.sqlite") == nil)
  }

  @Test func `a part that comes twice is no other part`() throws {
    let parts = try parts()
    let before = try places.names()
    #expect(throws: DecantError.self) {
      try places.import(parts + [parts[1]], into: "b.sqlite")
    }
    #expect(try places.names() == before)
  }

  @Test func `no part is overwritten`() throws {
    let before = try parts().map(places.bytes)
    let error = #expect(throws: DecantError.self) {
      try places.export("a.sqlite", to: "a.decant") { $0.partByteCount = 512 << 10 }
    }
    #expect(error?.family == .usage)
    #expect(try parts().map(places.bytes) == before)
    // Not even one that only later parts meet.
    try FileManager.default.removeItem(atPath: places.path("a.1.decant"))
    let rest = try places.names()
    #expect(throws: DecantError.self) {
      try places.export("a.sqlite", to: "a.decant") { $0.partByteCount = 512 << 10 }
    }
    #expect(try places.names() == rest)
  }
}
