import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Chains of versions that may be meant in two ways, or that have a gap: one is right, or none is taken.
@Suite struct MigrateWaysTests {
  func attribute(_ name: String, _ more: String = "", type: String = "String") -> String {
    "<attribute name=\"\(name)\" optional=\"YES\" \(more) attributeType=\"\(type)\"/>"
  }

  func box(_ attributes: String...) -> String {
    "<entity name=\"Box\">\(attributes.joined())</entity>"
  }

  func migration(
    _ scene: VersionScene,
    to version: String? = nil,
    _ set: (inout Migrate) -> Void = { _ in }
  ) -> Migrate {
    var migration = Migrate([scene.store], to: scene.bundle + (version.map { "#\($0)" } ?? ""))
    migration.output = scene.folder.path("out.sqlite")
    migration.isUnversioned = true
    set(&migration)
    return migration
  }

  func values(_ scene: VersionScene, _ sql: String) throws -> String {
    try Program.sqlite3(scene.folder.path("out.sqlite"), sql)
  }

  /// Expects a refusal that changes nothing, and returns it.
  func refusal(_ scene: VersionScene, _ migration: Migrate) throws -> DecantError {
    let before = FileManager.default.contents(atPath: scene.store)
    let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.url.path)
    let error = try #require(#expect(throws: DecantError.self) { try migration.run() })
    #expect(error.family == .modelMismatch)
    #expect(FileManager.default.contents(atPath: scene.store) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scene.folder.url.path).sorted()
        == names.sorted()
    )
    return error
  }

  // MARK: Two versions explain the tables

  /// Two attributes change places: the tables stay what they were.
  func swapped() throws -> VersionScene {
    try VersionScene(
      [
        box(attribute("left"), attribute("right")),
        box(attribute("left", #"elementID="right""#), attribute("right", #"elementID="left""#)),
      ],
      rows: "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZLEFT, ZRIGHT) VALUES (1, 1, 1, 'L', 'R')"
    )
  }

  @Test func `tables of two versions are no reason to do a step that may be done`() throws {
    let scene = try swapped()
    let error = try refusal(scene, migration(scene))
    #expect(
      error.message
        == "the store may have version “Pantry” or “Pantry 2”: its tables are the same in both, and the migration "
        + "would be applied to objects that may already be migrated"
    )
    #expect(
      error.advice?.commandLine
        == "choose one: --model '\(scene.bundle)#Pantry' or --model '\(scene.bundle)#Pantry 2'"
    )
    let check = try scene.check()
    #expect(check.migration == .impossible && check.obstacle?.message == error.message)
  }

  @Test(arguments: [("Pantry", "R|L"), ("Pantry 2", "L|R")])
  func `who says the version gets what it asks for`(version: String, result: String) throws {
    let scene = try swapped()
    try migration(scene) { $0.model = scene.bundle + "#\(version)" }.run()
    #expect(try values(scene, "SELECT ZLEFT, ZRIGHT FROM ZBOX") == result)
  }

  @Test func `what a version between drops may be of the one behind it`() throws {
    let scene = try VersionScene(
      [
        box(attribute("name"), attribute("size")), box(attribute("size")),
        box(attribute("name"), attribute("size")),
        box(attribute("name"), attribute("size"), attribute("more")),
      ],
      rows: "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'blue')"
    )
    let error = try refusal(scene, migration(scene))
    #expect(error.message.hasPrefix("the store may have version “Pantry” or “Pantry 3”"))
    try migration(scene) { $0.model = scene.bundle + "#Pantry 3" }.run()
    #expect(try values(scene, "SELECT ZNAME FROM ZBOX") == "blue")
  }

  @Test func `where it makes no difference the first is assumed`() throws {
    let scene = try VersionScene(
      [
        box(attribute("size", type: "Integer 16")), box(attribute("size", type: "Integer 64")),
        box(attribute("size", type: "Integer 64"), attribute("name")),
      ],
      rows: "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, 5)"
    )
    let report = try migration(scene).run()
    #expect(report.stages.map(\.versions) == [["Pantry", "Pantry 2", "Pantry 3"]])
    #expect(report.notes.commandLine.contains { $0.contains("the same in the versions “Pantry”, “Pantry 2”") })
    #expect(try values(scene, "SELECT ZSIZE FROM ZBOX") == "5")
  }

  @Test func `a text may be a number by its columns, and is not converted on suspicion`() throws {
    let scene = try VersionScene(
      [box(attribute("size", type: "Integer 16")), box(attribute("size"))],
      rows: "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, 5)"
    )
    #expect(try refusal(scene, migration(scene)).message.hasPrefix("the store may have version “Pantry”"))
  }

  @Test func `a mapping is not carried out where it may have been`() throws {
    let scene = try VersionScene(
      [
        box(attribute("price", type: "Integer 16")), box(attribute("price", type: "Integer 32")),
        box(attribute("price", type: "Integer 32"), attribute("name")),
      ],
      rows: "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZPRICE) VALUES (1, 1, 1, 5)"
    )
    let file = scene.folder.path("cents.yaml")
    try Data("entities:\n  Box: { set: { price: \"price * 100\" } }\n".utf8).write(to: URL(fileURLWithPath: file))
    let mapping = Migrate.StepMapping(version: "Pantry 2", path: file)
    let error = try refusal(scene, migration(scene) { $0.mappings = [mapping] })
    #expect(
      error.message
        == "the store may have version “Pantry” or “Pantry 2”: its tables are the same in both, and the mapping to "
        + "“Pantry 2” must not run twice"
    )
    try migration(scene) {
      $0.mappings = [mapping]
      $0.model = scene.bundle + "#Pantry"
    }.run()
    #expect(try values(scene, "SELECT ZPRICE FROM ZBOX") == "500")
  }

  // MARK: Two versions are the same

  @Test func `of versions that are the same the newest before the wanted one is the store's`() throws {
    let scene = try VersionScene(
      [
        box(attribute("name")), box(attribute("name"), attribute("size")), box(attribute("name")),
        box(attribute("name"), attribute("more")),
      ],
      rows: "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'blue')"
    )
    let back = try migration(scene, to: "Pantry 2") { $0.model = scene.bundle + "#Pantry" }.run()
    #expect(back.stages.map(\.versions) == [["Pantry", "Pantry 2"]])
    try FileManager.default.removeItem(atPath: scene.folder.path("out.sqlite"))
    // A model of its own, which is that of two versions.
    let alone = scene.folder.path("Alone.xcdatamodel")
    try FileManager.default.copyItem(atPath: scene.bundle + "/Pantry.xcdatamodel", toPath: alone)
    let report = try migration(scene) { $0.model = alone }.run()
    #expect(report.stages.map(\.versions) == [["Pantry 3", "Pantry 4"]])
    #expect(
      report.notes.commandLine.contains(
        "versions “Pantry” and “Pantry 3” are the same: the versions between them are skipped")
    )
  }

  // MARK: Versions that are named

  func chain() throws -> VersionScene {
    try VersionScene(
      [
        box(attribute("name")), box(attribute("name"), attribute("size")),
        box(attribute("name"), attribute("more")),
      ],
      rows: "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'blue')"
    )
  }

  @Test(arguments: [["#Pantry", "#Pantry 2", "#Pantry"], ["", "#Pantry 2"]])
  func `a version that is named twice is refused`(versions: [String]) throws {
    let scene = try chain()
    let error = try refusal(scene, migration(scene, to: "Pantry 3") { $0.through = versions.map { scene.bundle + $0 } })
    #expect(error.message.hasSuffix("appears twice in the versions to go through"))
    #expect(error.advice?.commandLine == "list each version once, the oldest first: --through MODEL")
  }

  @Test func `two bundles with a way each are refused, and one of them is right`() throws {
    let scene = try chain()
    var copies: [String] = []
    for name in ["one", "two"] {
      let place = scene.folder.path("\(name)/Pantry.xcdatamodeld")
      try FileManager.default.createDirectory(atPath: scene.folder.path(name), withIntermediateDirectories: false)
      try FileManager.default.copyItem(atPath: scene.bundle, toPath: place)
      copies.append(place)
    }
    let own = scene.bundle + "#Pantry"
    let both = migration(scene) {
      $0.model = own
      $0.through = copies
    }
    let error = try refusal(scene, both)
    #expect(error.message == "there are two paths from the store's version to the requested one")
    let ways = copies.map { "“\($0)/Pantry.xcdatamodel” to “\($0)/Pantry 3.xcdatamodel”" }
    #expect(error.place == ways.joined(separator: ", "))
    #expect(error.advice?.commandLine == "list the versions of one of them: --through MODEL")
    let report = try migration(scene) {
      $0.model = own
      $0.through = [copies[1]]
    }.run()
    #expect(report.stages.map(\.versions) == [["Pantry", "Pantry 2", "Pantry 3"]])
  }

  @Test func `versions without a common entity are no chain`() throws {
    let scene = try chain()
    let other = try VersionScene([
      "<entity name=\"Lamp\"><attribute name=\"watt\" optional=\"YES\" attributeType=\"Double\"/></entity>"
    ])
    let error = try refusal(
      scene,
      migration(scene) {
        $0.model = scene.bundle + "#Pantry"
        $0.through = [scene.bundle + "#Pantry 2", other.bundle + "#Pantry"]
      }
    )
    #expect(error.message == "there is no migration from “Pantry 2” to “Pantry”: they have no entity in common")
    #expect(
      error.remedy
        == "give versions of one model, the oldest first, including those in between"
    )
  }

  @Test func `a current version with a later one beside it is said to be the last`() throws {
    let scene = try chain()
    let current = try PropertyListSerialization.data(
      fromPropertyList: ["_XCCurrentVersionName": "Pantry 2.xcdatamodel"],
      format: .xml,
      options: 0
    )
    try current.write(to: URL(fileURLWithPath: scene.bundle + "/.xccurrentversion"))
    let report = try migration(scene).run()
    #expect(report.stages.map(\.versions) == [["Pantry", "Pantry 3", "Pantry 2"]])
    #expect(
      report.notes.commandLine.contains {
        $0.hasPrefix("the path goes through “Pantry 3”, although “Pantry 2” sorts before by name")
      }
    )
    try FileManager.default.removeItem(atPath: scene.folder.path("out.sqlite"))
    let other = try migration(scene) { $0.through = [scene.bundle + "#Pantry"] }.run()
    #expect(other.stages.map(\.versions) == [["Pantry", "Pantry 2"]])
    #expect(other.notes.commandLine.allSatisfy { !$0.hasPrefix("the path goes through") })
  }

  // MARK: Two mapping models

  @Test func `versions of another app to go through are named as such`() throws {
    let scene = try VersionScene(
      [box(attribute("name")), box(attribute("name"), attribute("size"))],
      rows: "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'blue')"
    )
    let other = try VersionScene([
      "<entity name=\"Lamp\">\(attribute("name"))</entity>",
      "<entity name=\"Lamp\">\(attribute("name"))\(attribute("size"))</entity>",
    ])
    let error = try refusal(scene, migration(scene) { $0.through = [other.bundle] })
    #expect(error.what.commandLine.hasSuffix("and none of the versions given with --through is the store's"))
    #expect(error.spot?.commandLine == "--through \(other.bundle)")
    #expect(
      error.advice?.commandLine
        == "remove --through: version “Pantry” in “Pantry.xcdatamodeld” matches the store's tables"
    )
    let last = try refusal(scene, migration(scene, to: "Pantry 2") { $0.through = [other.bundle + "#Pantry"] })
    #expect(last.message == error.message)
    // Where the bundle does not hold the store's version either, only naming it helps.
    try FileManager.default.removeItem(atPath: scene.bundle + "/Pantry.xcdatamodel")
    let alone = try refusal(scene, migration(scene) { $0.through = [other.bundle] })
    #expect(alone.message == error.message)
    #expect(
      alone.advice?.commandLine
        == "pass the versions of the store's own app, the oldest first: --through MODEL"
    )
  }

  // MARK: What a check says before

  @Test func `links that no model tells the table of are told by a check, too`() throws {
    let end = { (name: String, other: String) in
      """
      <relationship name="\(name)" optional="YES" toMany="YES" destinationEntity="Box" inverseName="\(other)" \
      inverseEntity="Box"/>
      """
    }
    let scene = try VersionScene(
      [
        box(attribute("name")),
        box(attribute("name"), end("above", "below"), end("below", "above")),
      ],
      rows: "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'blue')"
    )
    let error = try refusal(scene, migration(scene))
    #expect(error.message.contains("does not define which tables hold the links"))
    // Another place of the same model has them: a store.
    let check = try scene.check()
    #expect(check.migration == .inferred)
    #expect(
      check.notes.commandLine.contains(
        "“decant migrate” refuses it: no store can be created from this model: \(error.message); pass a store of that "
          + "version, even an empty one: --to STORE"
      )
    )
  }
}
