import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Real stores, copied to PostgreSQL and back.
@Suite(.enabled(if: PostgresServer.isInstalled && Fixtures.areAvailable)) struct FixtureStoreTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  /// Small ones by default: with an own model file, missing external files, composite attributes, a many-to-many relationship, sub-entities, a
  /// large one.
  private static let names =
    Effort.isThorough
    ? ExpectedStore.all.keys.sorted()
    : [
      "tavant", "wire-1-24", "apple-recipes", "easylife-1.5.0", "moody-5", "wibosco-2", "ddg-bookmarks-v4", "wire-2-3",
    ]
    .filter { ExpectedStore.all[$0] != nil }
  /// The model files of stores that have none inside.
  private static let models = [
    "tavant": "tavant/Model.xcdatamodeld#Model", "issue4-model1": "issue4/Model.xcdatamodeld#Model1",
  ]

  @Test(arguments: names) func `a real store comes back equal`(name: String) throws {
    let expected = try #require(ExpectedStore.all[name])
    let store = try Fixtures.copyStore(expected.file, into: place.folder.url).path
    let models = Fixtures.stores?.appendingPathComponent("models").path ?? ""
    let model = Self.models[name].map { ["--model", "\(models)/\($0)"] } ?? []
    let copy = try place.run(["copy", store, place.location, "--exact-dates"] + model)
    try #require(copy.status == 0, "\(copy.errors)")
    try place.expect("copy", place.location, "back.sqlite")
    let back = place.folder.path("back.sqlite")
    let diff = try place.run(["diff", store, back] + model)
    #expect(diff.status == 0, "\(diff.output)\(diff.errors)")
    // Rows, counted by a program of another make.
    for table in try Program.sqlite3(store, Self.tables).split(separator: "\n") {
      let query = "SELECT count(*) FROM \"\(table)\""
      let copied =
        Self.copied[table == "Z_PRIMARYKEY" ? "Z_PRIMARYKEY" : "\(name) \(table)"].map { " WHERE \($0)" } ?? ""
      #expect(try Program.sqlite3(back, query) == Program.sqlite3(store, query + copied), "\(table)")
    }
    let metadata = try Program.run(["python3", "-c", Self.metadata, store, back])
    #expect(metadata.status == 0 && metadata.output.isEmpty, "\(metadata.output)\(metadata.errors)")
  }

  /// The conditions of the rows that are copied, by table, where these are not all: persistent history is not copied, whose
  /// entities have the numbers from 16001 on, nor are links that lead nowhere.
  private static let copied = [
    "Z_PRIMARYKEY": "Z_ENT < 16001",
    "photos-13.0.0 Z_47MERGECANDIDATES":
      "Z_47MERGECANDIDATES IN (SELECT Z_PK FROM ZPERSON) AND REFLEXIVE IN (SELECT Z_PK FROM ZPERSON)",
  ]

  /// Prints the keys of the app's metadata that differ, but for that of persistent history, which is not copied.
  private static let metadata = """
    import sqlite3, plistlib, sys
    one, two = [
        plistlib.loads(sqlite3.connect(path).execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0])
        for path in sys.argv[1:]
    ]
    for key in set(one) | set(two):
        if one.get(key) != two.get(key) and not key.startswith("_NSStoreAncillary"):
            print(key)
    """

  private static let tables = """
    SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z*'
    AND name NOT GLOB 'ZBTREE*' AND name NOT IN ('Z_MODELCACHE', 'Z_METADATA')
    """
}
