import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Tables whose keys are declared differently in two databases, as those that scripts and other programs make.
@Suite struct KeyColumnTests {
  private let place: PlainDatabase

  init() throws { place = try PlainDatabase() }

  static let keys = [
    "id INTEGER PRIMARY KEY", "id INT PRIMARY KEY", "id BIGINT PRIMARY KEY NOT NULL", "id INTEGER UNIQUE", "id INTEGER",
    "id", "id BIGINT NOT NULL DEFAULT 7", "uuid TEXT PRIMARY KEY DEFAULT (hex(randomblob(4))), id INTEGER",
    "uuid TEXT PRIMARY KEY DEFAULT (hex(randomblob(4))), id INTEGER UNIQUE NOT NULL",
  ]
  /// Pairs of which one has an integer key; columns of the source are in the destination.
  static let pairs = keys.flatMap { key in keys.map { (key, $0) } }.filter { key, other in
    (key + other).contains(/INT(EGER)? PRIMARY KEY/) && (!key.contains("uuid") || other.contains("uuid"))
  }

  private func make(_ name: String, _ key: String, _ people: [(Int, String)], _ pets: [(String, Int)]) throws {
    try place.make(
      name,
      """
      CREATE TABLE person (\(key), name TEXT UNIQUE); CREATE TABLE pet (\(key), name TEXT UNIQUE, person INTEGER);
      INSERT INTO person (id, name) VALUES \(people.map { "(\($0.0), '\($0.1)')" }.joined(separator: ", "));
      INSERT INTO pet (id, name, person)
        VALUES \(pets.enumerated().map { "(\($0 + 1), '\($1.0)', \($1.1))" }.joined(separator: ", "))
      """)
  }

  /// The pets, each with the name of its person, as SQLite joins them.
  private func pets(_ name: String) throws -> [String] {
    try place.read(
      name,
      "SELECT pet.name || ':' || coalesce(person.name, '?') FROM pet LEFT JOIN person ON person.id = person ORDER BY 1")
  }

  @Test(arguments: pairs) func `links follow, whatever makes the key one`(_ key: String, other: String) throws {
    let link = CopyOptions.Link(Property("pet", "person"), to: "person")
    for merge in [nil, MergeRules(.skip), MergeRules(.update)] {
      try? FileManager.default.removeItem(atPath: place.path("a.db"))
      try? FileManager.default.removeItem(atPath: place.path("b.db"))
      try make("a.db", key, [(1, "cid"), (12, "dan"), (5, "ann 2")], [("tom", 12), ("tim", 5), ("jim", 1)])
      try make("b.db", other, [(11, "ann"), (12, "bob")], [("rex", 12), ("kit", 11)])
      let report = try place.copy("a.db", to: "b.db") {
        $0.links = [link]
        $0.appends = merge == nil
        $0.merge = merge
      }
      #expect(report.isVerified)
      #expect(try pets("b.db") == ["'jim:cid'", "'kit:ann'", "'rex:bob'", "'tim:ann 2'", "'tom:dan'"])
      let sound = "SELECT count(*) = count(id) AND count(id) = count(DISTINCT id) AND count(*) = 5 FROM person"
      #expect(try place.read("b.db", sound) == ["1"])
      #expect(try place.read("b.db", sound.replacing("person", with: "pet")) == ["1"])
      guard let merge else { continue }
      // The second time everything is there.
      let again = try place.copy("a.db", to: "b.db") {
        $0.links = [link]
        $0.merge = merge
      }
      #expect(again.changesNothing)
    }
  }

  @Test(arguments: [
    ("id INTEGER", "(NULL, 'cid')", "1 row there has no integer in it"),
    ("id INTEGER", "(11, 'cid')", "several rows there have the number 11"),
    ("id TEXT", "('13', 'cid')", "3 rows there have no integer in it"),
    ("nr INTEGER PRIMARY KEY, id INTEGER", "(13, 'cid')", "there it is nr"),
  ])
  func `a column that is a key in one of them only is refused`(_ key: String, row: String, message: String) throws {
    try make("good.db", "id INTEGER PRIMARY KEY", [(1, "dan")], [("tom", 1)])
    try make("bad.db", key, [(11, "ann"), (12, "bob")], [("rex", 12)])
    try place.make("bad.db", "INSERT INTO person (id, name) VALUES \(row)")
    for (from, to) in [("good.db", "bad.db"), ("bad.db", "good.db")] {
      let before = try place.read(to, "SELECT id, name FROM person ORDER BY name")
      let error = #expect(throws: DecantError.self) { try place.copy(from, to: to) { $0.appends = true } }
      #expect(error?.code == .modelsDiffer)
      let text = "\(error?.message ?? "") \(error?.place ?? "")"
      // The other way round the column of the key is missing.
      #expect(text.contains(message) || text.contains("no column person.nr"), "\(text)")
      #expect(try place.read(to, "SELECT id, name FROM person ORDER BY name") == before)
    }
  }

  @Test func `rows whose column is empty get keys`() throws {
    try make("b.db", "id INTEGER PRIMARY KEY", [(11, "ann")], [("rex", 11)])
    try place.make(
      "a.db",
      "CREATE TABLE person (id INTEGER, name TEXT UNIQUE); INSERT INTO person VALUES (NULL, 'cid'), (NULL, 'dan')")
    try place.copy("a.db", to: "b.db") { $0.appends = true }
    #expect(try place.read("b.db", "SELECT id, name FROM person") == ["11,'ann'", "12,'cid'", "13,'dan'"])
  }

  @Test func `a table without rows to add prevents nothing`() throws {
    let note = "CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT);"
    try place.make(
      "a.db", "\(note) CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO note VALUES (1, 'new')")
    try place.make(
      "b.db", "\(note) CREATE TABLE tag (id TEXT PRIMARY KEY, name TEXT); INSERT INTO tag VALUES ('x', 'old')")
    try place.copy("a.db", to: "b.db") { $0.appends = true }
    #expect(try place.read("b.db", "SELECT title FROM note") == ["'new'"])
  }
}
