import Foundation
import TestSupport
import Testing

/// Dates that are more precise than a column of the server: they are compared as the copy was proven.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct PreciseDateTests {
  private let place: PostgresFolder
  private let note = "compared rounded to microseconds"

  /// Makes a store in which three dates have more digits.
  init() throws {
    place = try PostgresFolder()
    _ = try Program.sqlite3(
      place.folder.path("Kitchen.sqlite"),
      """
      UPDATE ZRECIPE SET ZCREATEDAT = 700000000.1234567 WHERE Z_PK = 1;
      UPDATE ZRECIPE SET ZCREATEDAT = -0.00000025 WHERE Z_PK = 2;
      UPDATE ZRECIPE SET ZMODIFIEDAT = 1000000000.0000004 WHERE Z_PK = 3
      """)
  }

  /// Expects both stores to be called equal by both verbs and in both directions, with so many dates rounded.
  private func expectEqual(_ one: String, _ other: String, rounding count: Int) throws {
    for (verb, a, b) in [("verify", one, other), ("verify", other, one), ("diff", one, other), ("diff", other, one)] {
      let run = try place.run([verb, a, b, "--json"])
      #expect(run.status == 0, "\(verb) \(a) \(b): \(run.output)\(run.errors)")
      #expect(run.output.contains(note) == (count > 0), "\(verb) \(a) \(b): \(run.output)")
      if count > 0 { #expect(run.output.contains("\(count) dates of “\(one)” were \(note)"), "\(run.output)") }
    }
  }

  private func expectDifferent(_ one: String, _ other: String, in property: String) throws {
    for (verb, a, b) in [("verify", one, other), ("verify", other, one), ("diff", one, other), ("diff", other, one)] {
      let run = try place.run([verb, a, b])
      #expect(run.status == 4, "\(verb) \(a) \(b): \(run.output)\(run.errors)")
      #expect(run.output.contains(property), "\(verb) \(a) \(b): \(run.output)")
    }
  }

  @Test func `a store is equal to its copy, and a microsecond makes a difference`() throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try expectEqual("Kitchen.sqlite", place.location, rounding: 3)
    try place.psql("UPDATE recipe SET created_at = created_at + interval '1 microsecond' WHERE id = 1")
    try expectDifferent("Kitchen.sqlite", place.location, in: "createdAt")
    try place.psql("UPDATE recipe SET created_at = created_at - interval '1 microsecond' WHERE id = 1")
    _ = try Program.sqlite3(
      place.folder.path("Kitchen.sqlite"), "UPDATE ZRECIPE SET ZCREATEDAT = ZCREATEDAT + 0.000001 WHERE Z_PK = 2")
    try expectDifferent("Kitchen.sqlite", place.location, in: "createdAt")
  }

  @Test func `the store that comes back is not called equal to the first one`() throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try place.expect("copy", place.location, "back.sqlite")
    try expectEqual("back.sqlite", place.location, rounding: 0)
    try expectDifferent("Kitchen.sqlite", "back.sqlite", in: "createdAt")
  }

  @Test func `a plain database of the model is compared alike`() throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try place.expect("copy", "Kitchen.sqlite", "plain.db")
    try expectEqual("plain.db", place.location, rounding: 3)
    try place.psql("UPDATE recipe SET created_at = created_at + interval '1 microsecond' WHERE id = 1")
    try expectDifferent("plain.db", place.location, in: "createdAt")
  }

  @Test func `dates that the server keeps exactly are compared exactly`() throws {
    try place.expect("copy", "Kitchen.sqlite", place.location, "--exact-dates")
    try expectEqual("Kitchen.sqlite", place.location, rounding: 0)
    try place.psql("UPDATE recipe SET created_at = created_at + 0.0000003 WHERE id = 1")
    try expectDifferent("Kitchen.sqlite", place.location, in: "createdAt")
    // A plain database is copied with its texts and numbers.
    _ = try Program.sqlite3(
      place.folder.path("notes.db"),
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, at DATETIME, day REAL);
      INSERT INTO note VALUES (1, '2020-01-31T08:15:00.1234567Z', 700000000.1234567)
      """)
    let other = place.server.location(place.database, schema: "notes")
    try place.expect("copy", "notes.db", other)
    try expectEqual("notes.db", other, rounding: 0)
    try place.psql("UPDATE notes.note SET day = day + 0.0000003")
    try expectDifferent("notes.db", other, in: "day")
  }

  @Test func `a database on the server is compared with another one`() throws {
    let other = place.server.location(place.database, schema: "other")
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try place.expect("copy", "Kitchen.sqlite", other)
    try expectEqual(place.location, other, rounding: 0)
  }

  /// Seconds that a store holds, all digits of them, and the nearest microsecond.
  private static let distant = [
    ("700000000.5", "700000000500000"), ("8589934593.000001907348632812", "8589934593000002"),
    ("568080000000.2501220703125", "568080000000250122"), ("9223339708799.998046875", "9223339708799998047"),
    ("-211845110399.500030517578125", "-211845110399500031"), ("-0.000030517578125", "-31"),
  ]

  @Test(arguments: distant) func `a distant date is rounded once`(seconds: String, microseconds: String) throws {
    let store = place.folder.path("Kitchen.sqlite")
    _ = try Program.sqlite3(store, "UPDATE ZRECIPE SET ZCREATEDAT = \(seconds), ZMODIFIEDAT = 1")
    try place.expect("copy", "Kitchen.sqlite", place.location)
    let date = "timestamptz '2001-01-01 00:00:00+00' + interval '\(microseconds) microseconds'"
    #expect(try place.psql("SELECT DISTINCT created_at = \(date) FROM recipe") == "t")
    try place.expect("copy", place.location, "back.sqlite")
    let isKept = "SELECT DISTINCT ZCREATEDAT = \(seconds) FROM ZRECIPE"
    let isRounded = seconds.hasPrefix("-0.")
    #expect(try Program.sqlite3(place.folder.path("back.sqlite"), isKept) == (isRounded ? "0" : "1"))
  }
}
