import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Tables of an app's own, which no model speaks of.
@Suite struct AppTableTests {
  private let kitchens: Kitchens

  init() throws {
    kitchens = try Kitchens()
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      CREATE TABLE Recipe (x, y); INSERT INTO Recipe VALUES (1, 2), (3, 4); DELETE FROM Recipe WHERE x = 1;
      CREATE TABLE pairs (k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO pairs VALUES ('a', 1), ('b', x'00');
      CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, rowid TEXT, twice AS (id * 2));
      INSERT INTO counted (rowid) VALUES ('x'), ('y'); DELETE FROM counted WHERE id = 2;
      CREATE TABLE "odd name" ("a b" TEXT, rowid, oid, _rowid_); INSERT INTO "odd name" VALUES (1, 2, 3, NULL);
      CREATE TABLE strict (a INT) STRICT; INSERT INTO strict VALUES (5);
      CREATE VIEW shown AS SELECT * FROM pairs
      """
    )
  }

  private static let queries = [
    "SELECT rowid, * FROM Recipe", "SELECT * FROM pairs", "SELECT id, rowid, twice FROM counted",
    "SELECT * FROM \"odd name\"", "SELECT rowid, * FROM strict", "SELECT * FROM shown",
    "SELECT * FROM sqlite_sequence",
  ]

  @Test(arguments: [false, true]) func `go along into a new store`(rowByRow: Bool) throws {
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out) {
      if rowByRow { $0.filters = [.everything] }
      $0.batchSize = 1
    }
    #expect(report.isVerified)
    for query in Self.queries {
      #expect(
        try Program.sqlite3(kitchens.out, query, isQuoted: true)
          == Program.sqlite3(kitchens.kitchen, query, isQuoted: true),
        "\(query)"
      )
    }
    let schema = "SELECT group_concat(sql) FROM (SELECT sql FROM sqlite_schema ORDER BY name)"
    #expect(try Program.sqlite3(kitchens.out, schema) == Program.sqlite3(kitchens.kitchen, schema))
  }

  @Test func `stay where they are when objects are added to another store`() throws {
    try kitchens.copy(kitchens.guests, to: kitchens.out)
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out) { $0.appends = true }
    #expect(
      report.notes.commandLine.contains(
        "not copied, because an existing store keeps its own tables: Recipe, counted, odd name, pairs, strict"
      )
    )
    #expect(
      try Program.sqlite3(kitchens.out, "SELECT count(*) FROM sqlite_schema WHERE name = 'pairs'")
        == "0"
    )
  }

  @Test func `an application's own tables may be called as decant's work tables`() throws {
    for name in ["decant_run", "decant_checkpoint", "decant_links", "decant_ids"] {
      _ = try Program.sqlite3(kitchens.kitchen, "CREATE TABLE \(name) (a); INSERT INTO \(name) VALUES ('mine')")
    }
    try kitchens.copy(kitchens.kitchen, to: kitchens.out, rowByRow: false)
    for name in ["decant_run", "decant_checkpoint", "decant_links", "decant_ids"] {
      #expect(try Program.sqlite3(kitchens.out, "SELECT a FROM \(name)") == "mine")
    }
  }

  @Test(arguments: ["decant_rejects", "decant_run", "decant_links"])
  func `a table of the app's own with the name of a work table is never touched`(table: String) throws {
    let make = "CREATE TABLE \(table) (mine TEXT); INSERT INTO \(table) VALUES ('recipe box')"
    _ = try Program.sqlite3(kitchens.kitchen, make)
    let rows = "SELECT mine FROM \(table)"
    try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    #expect(try Program.sqlite3(kitchens.out, rows) == "recipe box")
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.kitchen, to: kitchens.folder.path("rows.sqlite")) {
        $0.filters = [.everything]
      }
    }
    #expect(error?.message.contains(table) == true)
    #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
        $0.appends = true
        $0.commit = .batch
      }
    }
    #expect(try Program.sqlite3(kitchens.kitchen, rows) == "recipe box")
    try kitchens.copy(kitchens.guests, to: kitchens.kitchen) { $0.appends = true }
    #expect(try Program.sqlite3(kitchens.kitchen, rows) == "recipe box")
  }

  @Test func `a full-text table is carried by pages and refused row by row`() throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      CREATE VIRTUAL TABLE search USING fts5(title);
      INSERT INTO search (rowid, title) SELECT Z_PK, ZTITLE FROM ZRECIPE
      """
    )
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.kitchen, to: kitchens.out, rowByRow: true)
    }
    #expect(error?.message.contains("virtual table search") == true)
    #expect(Kitchens.bytes(of: kitchens.out) == nil)
    try kitchens.copy(kitchens.kitchen, to: kitchens.out, rowByRow: false)
    let found = "SELECT rowid FROM search WHERE search MATCH 'soup' ORDER BY rowid"
    #expect(try Program.sqlite3(kitchens.out, found) == "1\n2")
    #expect(try Program.sqlite3(kitchens.out, "PRAGMA integrity_check") == "ok")
  }
}
