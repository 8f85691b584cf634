import Foundation
import TestSupport
import Testing

@Suite struct MigrateCommandTests {
  private let folder: CommandFolder

  /// A store of one entity, as Core Data makes it, and two versions of its model.
  init() throws {
    folder = try CommandFolder()
    _ = try Program.sqlite3(
      folder.folder.path("Tags.sqlite"),
      """
      CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCOLOR VARCHAR, ZNAME VARCHAR );
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Tag', 0, 9);
      INSERT INTO Z_METADATA VALUES (1, 'C0C0A000-0000-4000-8000-000000000005', NULL);
      INSERT INTO ZTAG VALUES (1, 1, 1, 'red', 'warm soup'), (4, 1, 1, NULL, 'cold soup')
      """
    )
    let name = #"<attribute name="name" optional="YES" attributeType="String"/>"#
    try write("Tags", name + #"<attribute name="color" optional="YES" attributeType="String"/>"#)
    try write("Tags 2", name + #"<attribute name="rank" attributeType="Integer 16" defaultValueString="3"/>"#)
    let current = try PropertyListSerialization.data(
      fromPropertyList: ["_XCCurrentVersionName": "Tags 2.xcdatamodel"],
      format: .xml,
      options: 0
    )
    try current.write(to: URL(fileURLWithPath: folder.folder.path("Tags.xcdatamodeld/.xccurrentversion")))
  }

  private func write(_ version: String, _ attributes: String) throws {
    let place = folder.folder.path("Tags.xcdatamodeld/\(version).xcdatamodel")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try Data("<model><entity name=\"Tag\">\(attributes)</entity></model>".utf8)
      .write(to: URL(fileURLWithPath: place + "/contents"))
  }

  private let migrate = ["migrate", "Tags.sqlite", "--to", "Tags.xcdatamodeld", "--unversioned"]

  private func json(_ arguments: [String]) throws -> [String: Any] {
    let run = try folder.run(arguments + ["--json"])
    #expect(run.status == 0, "\(run.errors)")
    return try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  @Test func `the report says through which versions, what was lost, and how to undo it`() throws {
    let run = try folder.run(migrate)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.output.contains("“Tags” → “Tags 2”: from the models"))
    #expect(run.output.contains("Tag.color: removed: the values of 1 object are lost"))
    #expect(run.output.contains("now at version “Tags 2”; everything was read back and is equal"))
    #expect(run.output.contains("decant rollback Tags.sqlite"))
    #expect(!run.output.contains("soup"), "values of objects are nobody's business")
    let second = try folder.run(migrate)
    #expect(second.status == 0)
    #expect(second.output.contains("nothing to do: it already has version “Tags 2”"))
    #expect(try folder.run(["rollback", "Tags.sqlite"]).status == 0)
    #expect(
      try Program.sqlite3(folder.folder.path("Tags.sqlite"), "SELECT ZCOLOR FROM ZTAG WHERE Z_PK = 1")
        == "red"
    )
  }

  @Test func `the document for scripts has versions, copies and the backup`() throws {
    let report = try json(migrate)
    #expect(report["verb"] as? String == "migrate" && report["outcome"] as? String == "migrated")
    #expect((report["backup"] as? String)?.hasSuffix("Tags.sqlite.backup-1") == true)
    #expect(report["verified"] as? Bool == true && report["fellBack"] as? Bool == false)
    let plan = try #require(report["plan"] as? [[String: Any]])
    #expect(plan.count == 1 && plan[0]["versions"] as? [String] == ["Tags", "Tags 2"])
    #expect(plan[0]["by"] as? String == "models")
    let copies = try #require(report["copies"] as? [[String: Any]])
    let entities = try #require(copies[0]["entities"] as? [String: [String: Any]])
    #expect(entities["Tag"]?["source"] as? Int == 2 && entities["Tag"]?["copied"] as? Int == 2)
    #expect(try json(migrate)["outcome"] as? String == "none")
  }

  @Test func `a dry run writes nothing and says so`() throws {
    let store = folder.folder.path("Tags.sqlite")
    let before = FileManager.default.contents(atPath: store)
    let run = try folder.run(migrate + ["--dry-run"])
    #expect(run.status == 0)
    #expect(run.output.contains("would be migrated to version “Tags 2”; nothing was written"))
    #expect(FileManager.default.contents(atPath: store) == before)
    #expect(try json(migrate + ["--dry-run"])["dryRun"] as? Bool == true)
  }

  @Test func `a model without hashes is refused with the two ways out`() throws {
    let run = try folder.run(["migrate", "Tags.sqlite", "--to", "Tags.xcdatamodeld"])
    #expect(run.status == 12)
    #expect(run.errors.contains("App.momd") && run.errors.contains("--unversioned"))
  }

  @Test(arguments: [
    (["migrate", "no.sqlite", "--to", "Tags.xcdatamodeld"], 10, "no.sqlite"),
    (["migrate", "Tags.sqlite", "--to", "No.momd"], 10, "No.momd"),
    (["migrate", "Tags.sqlite", "--to", "Tags.xcdatamodeld#Tags 9"], 64, "Tags 9"),
    (["migrate", "Tags.sqlite", "b.sqlite", "--to", "Tags.xcdatamodeld"], 64, "--place"),
    (["migrate", "Tags.sqlite", "--to", "Tags.xcdatamodeld", "--remove-old"], 64, "--place"),
    (["migrate", "Tags.sqlite", "--to", "Kitchen.sqlite"], 12, "matches its tables"),
    (
      [
        "migrate", "Tags.sqlite", "--to", "Tags.xcdatamodeld", "--unversioned", "--mapping",
        "no.yaml",
      ],
      64, "no.yaml"
    ),
    (
      [
        "migrate", "Tags.sqlite", "--to", "Tags.xcdatamodeld", "--unversioned", "--mapping",
        "Tags 7=map.yaml",
      ],
      64, "there is no step to the version “Tags 7”"
    ),
    (
      [
        "migrate", "Tags.sqlite", "--to", "Tags.xcdatamodeld", "--unversioned", "--out",
        "Kitchen.sqlite",
      ],
      64, "already exists"
    ),
  ]) func `what cannot be done is told, and nothing is changed`(
    arguments: [String],
    status: Int,
    words: String
  ) throws {
    let store = folder.folder.path("Tags.sqlite")
    try Data("entities: {}\n".utf8).write(to: URL(fileURLWithPath: folder.folder.path("map.yaml")))
    let before = FileManager.default.contents(atPath: store)
    let run = try folder.run(arguments)
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(FileManager.default.contents(atPath: store) == before)
    #expect(!FileManager.default.fileExists(atPath: store + ".decant-work"))
  }

  @Test func `progress tells of the migration, its stages and the copy`() throws {
    let run = try folder.run(migrate + ["--progress", "json", "--quiet"])
    let events = run.errors.split(separator: "\n").compactMap { line in
      try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }.compactMap { $0["event"] as? String }
    #expect(events.first == "migration" && events.dropFirst().first == "stage")
    #expect(events.contains("planned") && events.contains("phase"))
  }
}
