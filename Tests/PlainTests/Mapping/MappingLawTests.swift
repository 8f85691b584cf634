import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What holds for every mapping.
@Suite struct MappingLawTests {
  /// A household's store, with inheritance, ordered lists, many-to-many links, and files beside it.
  private func kitchen(in folder: TemporaryFolder) throws -> String {
    let path = folder.path("Kitchen.sqlite")
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite")
    try FileManager.default.copyItem(at: sample, to: URL(fileURLWithPath: path))
    return path
  }

  /// Everything in a store but what belongs to the copy itself, by the `sqlite3` program.
  private func content(_ path: String) throws -> [String] {
    let tables = try Program.sqlite3(
      path,
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'Z%'
      AND name NOT IN ('Z_METADATA', 'Z_MODELCACHE') ORDER BY 1
      """
    ).split(separator: "\n")
    return try tables.map { table in
      // Links from many to many have no order of their own.
      "\(table)\n"
        + (try Program.sqlite3(path, "SELECT * FROM \"\(table)\"", isQuoted: true))
        .split(separator: "\n").sorted().joined(separator: "\n")
    }
  }

  private func mapping(_ text: String) throws -> Mapping {
    try Mapping(text: text, place: "map.yaml")
  }

  @Test func `a mapping that says nothing is a plain copy`() throws {
    let folder = try TemporaryFolder()
    let source = try kitchen(in: folder)
    try Copy(from: source, to: folder.path("plain.sqlite")).run()
    var options = CopyOptions()
    options.mapping = try mapping("")
    let report = try Copy(from: source, to: folder.path("mapped.sqlite"), options: options).run()
    #expect(report.isVerified && report.copiedCount == 147)
    #expect(try content(folder.path("mapped.sqlite")) == content(folder.path("plain.sqlite")))
  }

  @Test(
    .enabled(if: Fixtures.areAvailable, "needs the fixtures"),
    arguments: [
      "apple-recipes/Recipes.sqlite", "easylife-1.5.0/EasyLife 1.5.0.sqlite",
      "xcserver-1.2.0/XCServerCoreData_1.2.0.sqlite", "cyface-v11/V11TestData.sqlite",
      "ddg-bookmarks-v4/Bookmarks_V4.sqlite", "cdp-samplemodel2-v2/SampleModel2_V2.sqlite",
    ]
  )
  func `and so it is for real stores`(_ name: String) throws {
    let folder = try TemporaryFolder()
    let source = try Fixtures.copyStore(name, into: folder.url).path
    try Copy(from: source, to: folder.path("plain.sqlite")).run()
    var options = CopyOptions()
    options.mapping = try mapping("{}")
    try Copy(from: source, to: folder.path("mapped.sqlite"), options: options).run()
    #expect(try content(folder.path("mapped.sqlite")) == content(folder.path("plain.sqlite")))
  }

  @Test func `what is split and merged again is what it was`() throws {
    let schema = """
      CREATE TABLE Thing (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, weight REAL, part_of INTEGER REFERENCES Thing (id))
      """
    let databases = try MappedDatabases(
      schema + """
        ;
        INSERT INTO Thing VALUES (3, 'desk', 'heavy', 40.5, NULL), (4, 'pen', 'light', 0.02, 3),
          (9, 'drawer', 'heavy', 7, 3), (12, 'ink', 'light', NULL, 4), (13, 'odd', NULL, 1, 77)
        """,
      to: """
        CREATE TABLE Light (id INTEGER PRIMARY KEY, name TEXT, weight REAL, kind TEXT, light INTEGER REFERENCES Light (id),
          heavy INTEGER REFERENCES Heavy (id));
        CREATE TABLE Heavy (id INTEGER PRIMARY KEY, name TEXT, weight REAL, light INTEGER REFERENCES Light (id),
          heavy INTEGER REFERENCES Heavy (id))
        """
    )
    try databases.copy(
      """
      entities:
        Light:
          from: Thing
          where: "kind IS NOT 'heavy'"
          set: { light: part_of, heavy: part_of }
        Heavy: { from: Thing, where: "kind = 'heavy'", set: { light: part_of, heavy: part_of }, drop: [kind] }
      """
    )
    #expect(
      try databases.rows("SELECT id, heavy, light FROM Light") == [
        "4,3,NULL", "12,NULL,4", "13,NULL,NULL",
      ]
    )
    try databases.place.make("back.db", schema)
    try databases.copy(
      """
      entities:
        Thing:
          - { from: Light, set: { part_of: "coalesce(light, heavy)" } }
          - { from: Heavy, set: { kind: "'heavy'", part_of: heavy }, drop: [light] }
      """,
      from: "new.db",
      to: "back.db"
    )
    // What led nowhere at all is gone since the first copy.
    let all = "SELECT id, name, kind, weight, nullif(part_of, 77) FROM Thing"
    #expect(try databases.rows(all, of: "back.db") == databases.rows(all, of: "old.db"))
  }

  @Test func `the same mapping gives the same keys and identifiers twice`() throws {
    let folder = try TemporaryFolder()
    let source = try kitchen(in: folder)
    var options = CopyOptions()
    options.mapping = try mapping(
      """
      entities:
        Recipe: { generate: { uuid: uuid5 } }
        Tag: { generate: { uuid: { uuid5: [name] } } }
        Step: { from: Step, where: "length(text) > 20" }
      """
    )
    for name in ["one.sqlite", "two.sqlite"] {
      try Copy(from: source, to: folder.path(name), options: options).run()
    }
    #expect(try content(folder.path("one.sqlite")) == content(folder.path("two.sqlite")))
    #expect(try content(folder.path("one.sqlite")) != content(source))
  }

  @Test func `the plan that is printed is the plan that is run`() throws {
    let databases = try MappedDatabases(
      "CREATE TABLE A (id INTEGER PRIMARY KEY, n TEXT); INSERT INTO A VALUES (1, 'x')",
      to: "CREATE TABLE B (id INTEGER PRIMARY KEY, n TEXT, m TEXT)"
    )
    let text = "entities: { B: { from: A, where: 'n > 0', set: { m: 'upper(n)' } } }"
    let dry = try databases.copy(text) { $0.isDryRun = true }
    #expect(dry.definitions.contains { $0.contains("upper(n)") })
    let file = databases.place.path("ids.db")
    try databases.copy(text) { $0.idTableFile = file }
    let noted = try databases.rows("SELECT value FROM about WHERE key = 'plan'", of: "ids.db")
    #expect(noted == ["'\(try #require(dry.planHash))'"])
    try databases.place.make("new2.db", "CREATE TABLE B (id INTEGER PRIMARY KEY, n TEXT, m TEXT)")
    let other = try databases.copy(text.replacing("upper", with: "lower"), to: "new2.db") {
      $0.isDryRun = true
    }
    #expect(other.planHash != dry.planHash)
  }

  @Test func `a run is not resumed under another mapping`() throws {
    let folder = try TemporaryFolder()
    let source = try kitchen(in: folder)
    var options = CopyOptions()
    options.batchSize = 5
    options.mapping = try mapping("entities: { Recipe: { set: { title: 'upper(title)' } } }")
    let place = folder.path("new.sqlite")
    let cancellation = Cancellation()
    #expect(throws: DecantError.self) {
      try Copy(from: source, to: place, options: options).run(cancellation: cancellation) { event in
        if case .working(.progress(let progress), _) = event, progress.rowCount > 20 {
          cancellation.cancel()
        }
      }
    }
    options.leftOver = .resume
    options.mapping = try mapping("entities: { Recipe: { set: { title: 'lower(title)' } } }")
    let error = #expect(throws: DecantError.self) {
      try Copy(from: source, to: place, options: options).run()
    }
    #expect(error?.family == .failed)
    #expect(error?.message.contains("started with other options") == true, "\(String(describing: error))")
    options.mapping = try mapping("entities: { Recipe: { set: { title: 'upper(title)' } } }")
    let report = try Copy(from: source, to: place, options: options).run()
    #expect(report.isVerified && report.copiedCount == 147)
    #expect(
      try Program.sqlite3(place, "SELECT count(*) FROM ZRECIPE WHERE ZTITLE <> upper(ZTITLE)")
        == "0"
    )
  }
}
