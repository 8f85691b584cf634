import Decant
import Foundation
import TestSupport
import Testing

/// One sample archive, cut off and changed in as many places as time allows.
@Suite struct DamagedArchiveTests {
  private static let forms = ["k.decant", "k.decant.gz", "k.decant.zst", "k.decant.zip"]
  private let places: ArchivePlaces

  init() throws {
    places = try ArchivePlaces()
    try places.takeSample("Kitchen.sqlite")
  }

  private static let content = """
    SELECT 'Category', Z_PK, hex(ZUUID), ZNAME FROM ZCATEGORY
    UNION ALL SELECT 'Image', Z_PK, hex(ZUUID), hex(ZDATA) FROM ZIMAGE
    UNION ALL SELECT 'Ingredient', Z_PK, hex(ZUUID), ZNAME FROM ZINGREDIENT
    UNION ALL SELECT 'Recipe', Z_PK, hex(ZUUID), ZTITLE FROM ZRECIPE
    UNION ALL SELECT 'Step', Z_PK, hex(ZUUID), ZTEXT FROM ZSTEP
    UNION ALL SELECT 'Tag', Z_PK, hex(ZUUID), ZNAME FROM ZTAG
    """

  /// The objects of a store, as the sqlite3 program reads them.
  private func objects(of store: String) throws -> Set<Substring> {
    Set(try Program.sqlite3(places.path(store), Self.content, isQuoted: true).split(separator: "\n"))
  }

  /// Every value and link of a store.
  private func dump(of store: String) throws -> String {
    let tables = "ZCATEGORY ZIMAGE ZINGREDIENT ZRECIPE ZSTEP ZTAG Z_6TAGS"
    return try Program.sqlite3(places.path(store), ".dump \(tables)")
  }

  /// Expects the import of `file` to be refused as damaged, with nothing left behind.
  private func expectRefusal(of file: String, _ what: String, location: SourceLocation = #_sourceLocation) throws {
    do {
      try places.import(file, into: "out.sqlite")
      Issue.record("\(what) was taken", sourceLocation: location)
      try FileManager.default.removeItem(atPath: places.path("out.sqlite"))
    } catch let error as DecantError {
      #expect(error.family == .corruptStore, "\(what): \(error)", sourceLocation: location)
      #expect("\(error)".contains(file), "\(what): \(error)", sourceLocation: location)
    }
    let left = try places.names().filter { $0.hasPrefix("out") }
    #expect(left.isEmpty, "\(what)", sourceLocation: location)
  }

  @Test func `an archive cut off at a line is refused, and what is whole of it can be saved`() throws {
    try places.export("Kitchen.sqlite", to: "k.decant")
    let whole = try objects(of: "Kitchen.sqlite")
    let bytes = try #require(places.bytes("k.decant"))
    let borders = bytes.indices.filter { bytes[$0] == 0x0a }
    for border in borders.dropLast() {
      let cut = bytes[...border]
      try cut.write(to: URL(fileURLWithPath: places.path("cut.decant")))
      try expectRefusal(of: "cut.decant", "cut at byte \(border)")
      let lines = cut.split(separator: 0x0a)
      let count = lines.count {
        $0.starts(with: #"{"e":"#.utf8) && !$0.contains(Data(#","more":"#.utf8))
      }
      // Behind the header alone there are no tables yet, which travel as a large value.
      guard lines.count > 1 else { continue }
      let reports = try places.import("cut.decant", into: "out.sqlite") { $0.salvages = true }
      #expect(reports.map(\.isPartial) == [true])
      let saved = try objects(of: "out.sqlite")
      #expect(saved.count == count, "cut at byte \(border)")
      #expect(saved.isSubset(of: whole), "cut at byte \(border)")
      #expect(try Program.sqlite3(places.path("out.sqlite"), "PRAGMA integrity_check") == "ok")
      try FileManager.default.removeItem(atPath: places.path("out.sqlite"))
    }
  }

  @Test(arguments: forms)
  func `an archive cut off anywhere is refused, and never saved beyond what is whole`(form: String) throws {
    try places.export("Kitchen.sqlite", to: form)
    let whole = try objects(of: "Kitchen.sqlite")
    let bytes = try #require(places.bytes(form))
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<50 {
      let count = Int.random(in: 1..<bytes.count, using: &generator)
      try bytes.prefix(count).write(to: URL(fileURLWithPath: places.path("cut.decant")))
      try expectRefusal(of: "cut.decant", "\(form) cut to \(count) bytes")
      do {
        let reports = try places.import("cut.decant", into: "out.sqlite") { $0.salvages = true }
        #expect(reports.map(\.isPartial) == [true], "\(form) cut to \(count) bytes")
        #expect(try objects(of: "out.sqlite").isSubset(of: whole), "\(form) cut to \(count) bytes")
        try FileManager.default.removeItem(atPath: places.path("out.sqlite"))
      } catch let error as DecantError {
        #expect(error.family == .corruptStore, "\(form) cut to \(count) bytes: \(error)")
      }
    }
  }

  @Test(arguments: ["id", "again", "null"])
  func `a line that the tables refuse is lost alone`(fault: String) throws {
    let original = places.path("r.sqlite")
    _ = try Program.sqlite3(
      original,
      """
      CREATE TABLE r (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE);
      INSERT INTO r SELECT value, 'code ' || value FROM generate_series(1, 50)
      """)
    try places.export("r.sqlite", to: "r.decant")
    var lines = try #require(places.bytes("r.decant")).split(separator: 0x0a).map {
      String(decoding: $0, as: UTF8.self)
    }
    let place = try #require(lines.firstIndex { $0.contains("code 21\"") })
    switch fault {
    case "id": lines[place] = lines[place].replacingOccurrences(of: "\"id\":21", with: "\"id\":11")
    case "again": lines.insert(lines[place], at: place)
    default: lines[place] = lines[place].replacingOccurrences(of: "\"code 21\"", with: "null")
    }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: places.path("bad.decant")))
    try expectRefusal(of: "bad.decant", fault)
    let reports = try places.import("bad.decant", into: "out.sqlite") { $0.salvages = true }
    #expect(reports.map(\.isPartial) == [true])
    let lost = fault == "again" ? "" : "21"
    #expect(
      try Program.sqlite3(
        places.path("out.sqlite"),
        "ATTACH '\(original)' AS o; SELECT group_concat(id) FROM (SELECT * FROM o.r EXCEPT SELECT * FROM main.r)")
        == lost)
    #expect(try Program.sqlite3(places.path("out.sqlite"), "SELECT count(*) FROM r") == (lost.isEmpty ? "50" : "49"))
  }

  @Test func `a packed archive with other bytes behind it is refused, and saved whole`() throws {
    try places.export("Kitchen.sqlite", to: "whole.decant.gz")
    let bytes = try #require(places.bytes("whole.decant.gz")) + Data("garbage".utf8)
    try bytes.write(to: URL(fileURLWithPath: places.path("longer.decant.gz")))
    try expectRefusal(of: "longer.decant.gz", "bytes behind gzip data")
    let reports = try places.import("longer.decant.gz", into: "out.sqlite") { $0.salvages = true }
    #expect(reports.map(\.isPartial) == [true])
    #expect(try objects(of: "out.sqlite") == objects(of: "Kitchen.sqlite"))
  }

  @Test(arguments: forms)
  func `an archive with a bit changed is refused, or means the same`(form: String) throws {
    try places.export("Kitchen.sqlite", to: form)
    let expected = try dump(of: "Kitchen.sqlite")
    let bytes = try #require(places.bytes(form))
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<125 {
      var changed = bytes
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      changed[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
      try changed.write(to: URL(fileURLWithPath: places.path("flipped.decant")))
      do {
        try places.import("flipped.decant", into: "out.sqlite")
        #expect(try dump(of: "out.sqlite") == expected, "\(form), byte \(place)")
        try FileManager.default.removeItem(atPath: places.path("out.sqlite"))
      } catch let error as DecantError {
        #expect(error.family == .corruptStore, "\(form), byte \(place): \(error)")
        let left = try places.names().filter { $0.hasPrefix("out") }
        #expect(left.isEmpty, "\(form), byte \(place)")
      }
    }
  }
}
