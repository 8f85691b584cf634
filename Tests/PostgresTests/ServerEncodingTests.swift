import Foundation
import TestSupport
import Testing

/// Databases whose encoding has only some characters.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ServerEncodingTests {
  private let place: PostgresFolder
  private let database: String
  private var location: String { place.server.location(database) }

  init() throws {
    place = try PostgresFolder()
    database = "\(place.database)_latin"
    try place.psql("CREATE DATABASE \(database) ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    _ = try Program.sqlite3(
      place.folder.path("s.db"),
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT, n INTEGER);
      INSERT INTO t VALUES (1, 'é', 1), (2, 'plain', 2), (3, '日本', 3), (4, '€', 4), (5, NULL, 5)
      """)
  }

  private func psql(_ sql: String) throws -> String { try place.server.psql(database, sql) }

  @Test(arguments: ["copy", "append", "merge"])
  func `a character that the encoding lacks is named, and its row can be left out`(verb: String) throws {
    if verb != "copy" { _ = try psql("CREATE TABLE t (id serial PRIMARY KEY, s text, n int UNIQUE)") }
    let arguments = [verb == "merge" ? "merge" : "copy", "s.db", location] + (verb == "append" ? ["--append"] : [])
    try place.expect(
      arguments, 1, "write t key 3: s contains a character that the encoding LATIN1 of the database lacks")
    let run = try place.run(arguments + ["--on-error", "reject", "--rejects", "left.decant"])
    #expect(run.status == 3, "\(run.output)\(run.errors)")
    #expect(
      try psql("SELECT string_agg(coalesce(ascii(s), 0) || ':' || n, ' ' ORDER BY n) FROM t") == "233:1 112:2 0:5")
    _ = try Program.sqlite3(place.folder.path("s.db"), "DELETE FROM t WHERE id IN (3, 4)")
    try place.expect("verify", "s.db", location)
  }

  @Test func `objects of a model are refused and left out as well`() throws {
    // The sample has texts in several scripts.
    try place.expect(["copy", "Kitchen.sqlite", location], 1, "LATIN1")
    let run = try place.run(["copy", "Kitchen.sqlite", location, "--on-error", "reject"])
    #expect(run.status == 3, "\(run.output)\(run.errors)")
    let titles = try Program.sqlite3(place.folder.path("Kitchen.sqlite"), "SELECT ZTITLE FROM ZRECIPE")
      .split(separator: "\n").filter { $0.unicodeScalars.allSatisfy { $0.value < 0x100 } }.map(String.init)
    let kept = try psql("SELECT encode(convert_to(title, 'UTF8'), 'hex') FROM recipe").split(separator: "\n")
      .map(String.init)
    func hex(_ text: String) -> String {
      text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    #expect(Set(kept).isSubset(of: titles.map(hex)) && kept.contains(hex("Baked Trout with Lemon")), "\(kept)")
  }

  @Test func `escaped characters of JSON are looked at`() throws {
    _ = try psql("CREATE TABLE j (id serial PRIMARY KEY, v jsonb)")
    _ = try Program.sqlite3(
      place.folder.path("j.db"),
      #"CREATE TABLE j (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO j VALUES (1, '"\u65e5"'), (2, '"\u00e9"')"#)
    let run = try place.run(["copy", "j.db", location, "--append", "--on-error", "reject"])
    #expect(run.status == 3, "\(run.output)\(run.errors)")
    #expect(try psql("SELECT ascii(v #>> '{}') FROM j") == "233")
  }
}
