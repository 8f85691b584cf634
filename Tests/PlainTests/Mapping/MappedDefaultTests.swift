import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Attributes that an object gets with its entity, and that nothing gives a value: they have the model's default.
@Suite struct MappedDefaultTests {
  private static let k =
    #"<attribute name="k" attributeType="Integer 32" defaultValueString="7"/>"#

  private func migrated(_ versions: [String], _ rows: String) throws -> (CheckReport, VersionScene) {
    let scene = try VersionScene(versions, rows: rows)
    let check = try scene.check(asFirst: true)
    var migration = Migrate([scene.store], to: scene.bundle)
    (migration.isUnversioned, migration.model) = (true, scene.bundle + "#Pantry")
    try migration.run()
    return (check, scene)
  }

  @Test(arguments: ["", "renamed"])
  func `what moves up to the parent has its default in siblings`(name: String) throws {
    func models(_ parent: String, _ child: String) -> String {
      """
      <entity name="P" isAbstract="YES">\(parent)</entity>
      <entity name="Q" parentEntity="P">\(child)</entity><entity name="W" parentEntity="P"/>
      """
    }
    let moved =
      name.isEmpty
      ? Self.k : Self.k.replacing("name=\"k\"", with: "name=\"\(name)\" elementID=\"k\"")
    let (check, scene) = try migrated(
      [models("", Self.k), models(moved, "")],
      "INSERT INTO ZP (Z_PK, Z_ENT, Z_OPT, ZK) VALUES (1, 2, 1, 5), (2, 3, 1, NULL)"
    )
    #expect(check.migration == .inferred)
    let column = name.isEmpty ? "ZK" : "Z\(name.uppercased())"
    #expect(try Program.sqlite3(scene.store, "SELECT Z_PK, \(column) FROM ZP ORDER BY 1") == "1|5\n2|7")
  }

  @Test func `objects of one entity have the defaults of theirs alone`() throws {
    let flag = { (name: String) in
      "<attribute name=\"\(name)\" attributeType=\"Boolean\" defaultValueString=\"YES\"/>"
    }
    let scene = try VersionScene([
      """
      <entity name="Message">\(flag("expired"))</entity>
      <entity name="Image" parentEntity="Message">\(flag("gif"))</entity>
      <entity name="Sound" parentEntity="Message">\(flag("loud"))</entity>
      """
    ])
    let databases = try MappedDatabases(
      "CREATE TABLE picture (id INTEGER PRIMARY KEY, bytes BLOB); INSERT INTO picture VALUES (1, x'00')"
    )
    let mapping = "entities: { Image: { from: picture, drop: [bytes] } }"
    try databases.copy(mapping, to: "new.sqlite") {
      ($0.template, $0.isUnversioned) = (scene.bundle, true)
    }
    #expect(
      try databases.rows("SELECT ZEXPIRED, ZGIF, ZLOUD FROM ZMESSAGE", of: "new.sqlite")
        == ["1,1,NULL"]
    )
  }

  @Test func `a UUID becomes its text`() throws {
    let model = { (type: String) in
      "<entity name=\"Tip\"><attribute name=\"u\" optional=\"YES\" attributeType=\"\(type)\"/></entity>"
    }
    let (check, scene) = try migrated(
      [model("UUID"), model("String")],
      """
      INSERT INTO ZTIP (Z_PK, Z_ENT, Z_OPT, ZU) VALUES
        (1, 1, 1, x'6BA7B8109DAD11D180B400C04FD430C8'), (2, 1, 1, NULL)
      """
    )
    #expect(check.migration == .inferred)
    // The example of RFC 9562.
    #expect(
      try Program.sqlite3(scene.store, "SELECT coalesce(lower(ZU), 'none') FROM ZTIP ORDER BY Z_PK")
        == "6ba7b810-9dad-11d1-80b4-00c04fd430c8\nnone"
    )
  }
}
