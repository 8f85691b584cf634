import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What each refusal of a database is called, beside SQLite's own words.
@Suite struct RejectCodeTests {
  private let place: PlainDatabase

  init() throws { place = try PlainDatabase() }

  /// Makes a source that takes anything, and a destination of the same tables that does not.
  private func make() throws {
    try place.make(
      "a.db",
      """
      CREATE TABLE shelf (id INTEGER PRIMARY KEY, name);
      CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL, shelf INT REFERENCES shelf);
      CREATE TABLE loose (id INTEGER PRIMARY KEY, amount INT);
      CREATE TABLE label (code TEXT, lang TEXT, text TEXT, PRIMARY KEY (code, lang)) WITHOUT ROWID;
      INSERT INTO shelf VALUES (1, 's');
      INSERT INTO item VALUES (1, 'a', 1, 1), (2, NULL, 1, 1), (3, 'there', 1, 1), (4, 'b', -1, 1),
        (5, 'c', 1, 99), (6, 'thirteen', 13, 1), (7, 'there', 2, 1), (8, 'd', 1, 1);
      INSERT INTO loose VALUES (1, 5), (2, 'five');
      INSERT INTO label VALUES ('x', 'de', 't'), ('x', 'en', NULL), ('y', 'en', 'u');
      """
    )
    try place.make(
      "b.db",
      """
      CREATE TABLE shelf (id INTEGER PRIMARY KEY, name);
      CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, price REAL CHECK (price >= 0),
        shelf INT NOT NULL REFERENCES shelf);
      CREATE TABLE loose (id INTEGER PRIMARY KEY, amount INT) STRICT;
      CREATE TABLE label (code TEXT, lang TEXT, text TEXT NOT NULL, PRIMARY KEY (code, lang)) WITHOUT ROWID;
      CREATE TRIGGER unlucky BEFORE INSERT ON item WHEN new.price = 13
        BEGIN SELECT RAISE(ABORT, 'not that number'); END;
      INSERT INTO shelf VALUES (1, 'other');
      INSERT INTO item VALUES (1, 'there', 1, 1);
      """
    )
  }

  @Test(arguments: [1, 3, 1000])
  func `every refusal has the code of what was broken`(batchSize: Int64) throws {
    try make()
    let report = try place.append {
      $0.onError = .reject
      $0.batchSize = batchSize
    }
    #expect(report.isVerified)
    #expect(
      report.rejectedByCode
        == [.notnull: 2, .unique: 2, .check: 2, .link: 1, .convert: 1]
    )
    #expect(report.rejectedCount == 8)
    #expect(report.rejectedByCode.values.reduce(0, +) == report.rejectedCount)
    #expect(try place.read("b.db", "SELECT name FROM item ORDER BY id") == ["'there'", "'a'", "'d'"])
    #expect(try place.complaints("b.db") == "")
  }

  @Test func `a copy in which nothing is rejected counts no codes`() throws {
    try make()
    _ = try Program.sqlite3(
      place.path("a.db"),
      "DELETE FROM item WHERE id BETWEEN 2 AND 7; DELETE FROM loose WHERE id = 2; DELETE FROM label"
    )
    let report = try place.append { $0.onError = .reject }
    #expect(report.rejectedByCode.isEmpty)
    #expect(report.rejectedCount == 0)
  }
}
