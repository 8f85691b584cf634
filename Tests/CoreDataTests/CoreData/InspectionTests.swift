import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@Suite(.enabled(if: Fixtures.areAvailable)) struct InspectionFixtureTests {
  @Test(arguments: ExpectedStore.namesWithModel)
  func `a real store holds what an independent reader found`(_ name: String) throws {
    let expected = try #require(try InspectionFixtureTests.expectations()[name] as? [String: Any])
    let folder = try TemporaryFolder()
    let store = try Fixtures.copyStore(try #require(expected["file"] as? String), into: folder.url)
    let inspection = try Inspect(store.path).run()
    let entities = try #require(expected["entities"] as? [String: [String: Any]])
    #expect(Set(inspection.entities.map(\.name)) == Set(entities.keys))
    for (name, entity) in entities {
      let found = try #require(inspection[name])
      #expect(found.objectCount == entity["count"] as? Int64, "\(name)")
      let relationships = try #require(entity["relationships"] as? [String: [String: Any]])
      let links = relationships.map { name, relationship in
        "\(name) \(relationship["links"] ?? 0) \(relationship["dangling"] ?? 0)"
      }
      #expect(found.links == links.sorted(), "\(name)")
    }
    #expect(inspection.objectCount == expected["objects"] as? Int64)
    #expect(inspection.linkEndCount == expected["links"] as? Int64)
    #expect(inspection.danglingCount == expected["dangling"] as? Int64)
    #expect(inspection.triggerCount == expected["triggers"] as? Int64)
    #expect(inspection.facts.frameworkVersion == expected["framework"] as? Int64)
    #expect(inspection.facts.metadataKeys == expected["appMetadataKeys"] as? [String])
    let history = inspection.facts.syncMetadata.filter { $0.kind == "history" }.flatMap(\.tables)
    #expect(history.map(\.name).sorted() == expected["history"] as? [String])
    #expect(inspection.isSound == (expected["integrity"] as? String == "ok"))
    let missing = inspection.problems.filter { $0.kind == .missingFiles }
    let sum = missing.reduce(0) { $0 + ($1.count ?? 0) }
    let problems = sum == 0 ? [] : ["\(sum) external files are missing"]
    #expect(problems == expected["problems"] as? [String])
    // Whatever looks odd in a real store and is normal must not be called a problem.
    let others = inspection.problems.filter {
      $0.kind != .missingFiles && $0.kind != .danglingLinks
    }
    #expect(others == [])
  }

  private static func expectations() throws -> [String: Any] {
    let file = try #require(Fixtures.stores).appendingPathComponent("expected.json")
    let document = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    return try #require(document as? [String: Any])
  }
}

@Suite struct InspectionTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = folder.path("Kitchen.sqlite")
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite")
    try Data(contentsOf: sample).write(to: URL(fileURLWithPath: store))
  }

  @Test func `a sound store has no problems`() throws {
    let inspection = try Inspect(store).run()
    #expect(inspection.problems.isEmpty)
    #expect(inspection.isSound)
    #expect(inspection.objectCount == 147)
    #expect(inspection.facts.syncMetadata.isEmpty)
  }

  @Test(arguments: [
    (
      "UPDATE ZINGREDIENT SET ZRECIPE = 999 WHERE Z_PK <= 2",
      "danglingLinks", "Ingredient.recipe: 2 dangling links (the target object does not exist)"
    ),
    (
      "INSERT INTO Z_6TAGS VALUES (1, 777)",
      "danglingLinks", "Recipe.tags: 1 dangling link (the target object does not exist)"
    ),
    (
      "INSERT INTO Z_6TAGS VALUES (777, 1)",
      "danglingLinks", "Tag.recipes: 1 dangling link (the target object does not exist)"
    ),
    (
      "INSERT INTO ZIMAGE (Z_PK, Z_ENT) VALUES (100, 99); UPDATE Z_PRIMARYKEY SET Z_MAX = 100",
      "unknownEntity",
      "ZIMAGE: 1 row of an entity with number 99, which is not in the model"
    ),
    (
      "UPDATE ZRECIPE SET Z_ENT = 1 WHERE Z_PK = 13",
      "unknownEntity",
      "ZRECIPE: 1 row of an entity with number 1, Category, which does not belong in this table"
    ),
    (
      "UPDATE ZRECIPE SET Z2_COVER = 7 - Z2_COVER WHERE Z_PK IN (1, 4)",
      "wrongTargetEntity",
      "Recipe.cover: 2 objects with the wrong entity number next to the key"
    ),
    (
      "UPDATE ZRECIPE SET Z2_COVER = NULL WHERE Z_PK = 1",
      "wrongTargetEntity",
      "Recipe.cover: 1 object with the wrong entity number next to the key"
    ),
    (
      "UPDATE ZRECIPE SET Z2_COVER = 3 WHERE ZCOVER IS NULL AND Z_PK = 3",
      "wrongTargetEntity",
      "Recipe.cover: 1 object with the wrong entity number next to the key"
    ),
    (
      "UPDATE ZSTEP SET Z_FOK_RECIPE = NULL WHERE Z_PK = 1",
      "missingPositions", "Step.recipe: 1 link without a position in the ordered list"
    ),
    (
      "UPDATE ZSTEP SET Z_FOK_RECIPE = 'first' WHERE Z_PK < 3",
      "missingPositions", "Step.recipe: 2 links without a position in the ordered list"
    ),
    (
      "INSERT INTO Z_METADATA SELECT 2, 'other', Z_PLIST FROM Z_METADATA",
      "metadataRows",
      "table Z_METADATA has 2 rows instead of 1: only the first is read and copied"
    ),
    ("DELETE FROM Z_METADATA", "metadataRows", "table Z_METADATA is empty: the store has no identifier and no version"),
    (
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_NAME = 'Tag'",
      "fullCounter",
      "the keys of Tag have reached 9223372036854775807, the maximum: no object can be added"
    ),
    (
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 12 WHERE Z_NAME = 'Recipe'",
      "lowCounter",
      "Z_MAX of Recipe is 12, but its highest key is 13: new objects would get keys that are taken"
    ),
    (
      "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Label' WHERE Z_NAME = 'Tag'",
      "staleName", "Z_PRIMARYKEY still uses the former name of the entity Tag, Label"
    ),
  ])
  func `a problem is named`(_ sql: String, _ kind: String, _ text: String) throws {
    _ = try Program.sqlite3(store, sql)
    let problems = try Inspect(store).run().problems
    #expect(problems.map(\.text) == [text])
    #expect(problems.map(\.kind.rawValue) == [kind])
  }

  @Test(arguments: ["x'FFD8FF'", "zeroblob(5000)", "'text'", "1.5", "x''", "x'0241'"])
  func `a value of an unknown form is named`(_ value: String) throws {
    _ = try Program.sqlite3(store, "UPDATE ZIMAGE SET ZDATA = \(value) WHERE Z_PK < 3")
    let inspection = try Inspect(store).run()
    #expect(
      inspection.problems.map(\.text) == [
        "Image.data in RecipeImage: 2 values in a form that is neither inline data nor a file name"
      ]
    )
    #expect(inspection.problems.map(\.kind) == [.unreadableValues])
    #expect(inspection.externalFiles.isEmpty)
  }

  @Test func `a model that cannot be read is a problem, also where another is named`() throws {
    let whole = folder.path("Whole.sqlite")
    try FileManager.default.copyItem(atPath: store, toPath: whole)
    _ = try Program.sqlite3(store, "UPDATE Z_MODELCACHE SET Z_CONTENT = x'00FF'")
    for model in [nil, whole] {
      let problems = try Inspect(store, model: model).run().problems
      #expect(problems.map(\.kind) == [.unreadableModel])
      #expect(problems.first?.subject == "Z_MODELCACHE")
    }
    // To have none is no problem: old stores are sound.
    _ = try Program.sqlite3(store, "DELETE FROM Z_MODELCACHE")
    #expect(try Inspect(store).run().problems.isEmpty)
  }

  @Test func `the tables of an app's own are named`() throws {
    _ = try Program.sqlite3(
      store,
      "CREATE TABLE dup (a); INSERT INTO dup VALUES (1), (2), (3); CREATE TABLE \"a b\" (c)"
    )
    let tables = try Inspect(store).run().otherTables
    #expect(tables.map(\.name) == ["a b", "dup"])
    #expect(tables.map(\.rowCount) == [0, 3])
  }

  @Test func `an index that lies is damage`() throws {
    _ = try Program.sqlite3(
      store,
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'ZTAG')
      WHERE name = 'ZSTEP_ZRECIPE_INDEX';
      """
    )
    do {
      let inspection = try Inspect(store).run()
      #expect(!inspection.isSound)
      #expect(inspection.problems.contains { $0.kind == .damage })
    } catch {
      #expect(error.family == .corruptStore)
    }
  }

  @Test func `large values are looked for in their files`() throws {
    let (there, gone) = (UUID().uuidString, UUID().uuidString)
    let files = folder.url.appendingPathComponent(".Kitchen_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    try Data(count: 5_000).write(to: files.appendingPathComponent(there))
    let before = try #require(try Inspect(store).run()["RecipeImage"]).binaryByteCount
    for (key, name) in [(1, there), (2, gone)] {
      let hex = name.utf8.map { String($0, radix: 16) }.joined()
      _ = try Program.sqlite3(
        store,
        "UPDATE ZIMAGE SET ZDATA = x'02\(hex)00' WHERE Z_PK = "
          + "(SELECT Z_PK FROM ZIMAGE WHERE Z_ENT = 3 ORDER BY 1 LIMIT 1 OFFSET \(key - 1))"
      )
    }
    let inspection = try Inspect(store).run()
    #expect(
      inspection.problems.map(\.text) == [
        "Image.data in RecipeImage: 1 of 2 external files missing"
      ]
    )
    #expect(inspection.size.externalFiles == 5_000)
    #expect(try #require(inspection["RecipeImage"]).binaryByteCount != before)
    #expect(inspection.externalFiles.map(\.referenceCount) == [2])
  }

  @Test func `a name of a file cannot lead out of its folder`() throws {
    let path = "../../../../../../../../../etc/pass"
    #expect(path.utf8.count <= 36)
    let name = (path + String(repeating: "/", count: 36 - path.utf8.count)).utf8
    let hex = name.map { String($0, radix: 16) }.joined()
    _ = try Program.sqlite3(store, "UPDATE ZIMAGE SET ZDATA = x'02\(hex)00'")
    let inspection = try Inspect(store).run()
    #expect(inspection.externalFiles.isEmpty)
    #expect(inspection.problems.map(\.count) == [6, 3])
    #expect(inspection.problems.allSatisfy { $0.kind == .unreadableValues })
  }

  @Test func `syncMetadata is told apart from what the app keeps`() throws {
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/SyncMetadata.sqlite")
    try Data(contentsOf: sample).write(to: URL(fileURLWithPath: store))
    let facts = try Inspect(store).run().facts
    #expect(facts.syncMetadata.map(\.kind) == ["icloud", "cloudkit", "history"])
    #expect(facts.syncMetadata.map(\.metadataKeys.count) == [3, 0, 0])
    #expect(facts.syncMetadata.last?.tables.map(\.rowCount) == [3, 34, 4])
    #expect(facts.metadataKeys == ["dev.example.kitchen.theme"])
  }

  @Test func `an identity is unique by the model, or by its name and all values`() throws {
    #expect(
      try Inspect(store).run()["Recipe"]?.identityCandidates
        == [IdentityCandidate(attributes: ["uuid"], reason: .values)]
    )
    _ = try Program.sqlite3(store, "UPDATE ZRECIPE SET ZUUID = NULL WHERE Z_PK = 1")
    #expect(try Inspect(store).run()["Recipe"]?.identityCandidates == [])
    _ = try Program.sqlite3(store, "UPDATE ZRECIPE SET ZUUID = x'01'")
    #expect(try Inspect(store).run()["Recipe"]?.identityCandidates == [])
  }

  @Test(arguments: [(0, false), (1, false), (2, true)])
  func `values that all differ are those of two objects or more`(count: Int, isIdentity: Bool) throws {
    let keys = "SELECT Z_PK FROM ZTAG ORDER BY Z_PK LIMIT \(count)"
    _ = try Program.sqlite3(store, "DELETE FROM ZTAG WHERE Z_PK NOT IN (\(keys))")
    let tag = try #require(try Inspect(store).run()["Tag"])
    #expect(tag.objectCount == Int64(count))
    let expected = IdentityCandidate(attributes: ["uuid"], reason: .values)
    #expect(tag.identityCandidates == (isIdentity ? [expected] : []))
  }
}

extension EntityInspection {
  /// Relationships with links and dangling links, as lines to compare.
  fileprivate var links: [String] {
    relationships.map { "\($0.relationship.name) \($0.linkCount) \($0.danglingCount)" }.sorted()
  }
}
