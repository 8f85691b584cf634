import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What a migration arrives at where the models alone tell it; values are read with the `sqlite3` program.
@Suite struct InferredMigrationTests {
  /// Migrates a scene to a version, the current one unless told otherwise, and returns the new store.
  private func migrate(
    _ scene: VersionScene,
    to version: String? = nil,
    _ set: (inout Migrate) -> Void = { _ in }
  ) throws -> (store: String, report: MigrationReport) {
    let target = scene.bundle + (version.map { "#\($0)" } ?? "")
    var migration = Migrate([scene.store], to: target)
    let out = scene.folder.path("out.sqlite")
    migration.output = out
    migration.isUnversioned = true
    set(&migration)
    return (out, try migration.run())
  }

  private func rows(_ store: String, _ sql: String) throws -> String {
    try Program.sqlite3(store, sql)
  }

  private static let person = """
    <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
    <attribute name="age" optional="YES" attributeType="Integer 16"/></entity>
    """

  @Test func `a renamed entity and a renamed attribute keep objects, keys and values`() throws {
    let scene = try VersionScene(
      [
        Self.person,
        """
        <entity name="Human" elementID="Person">
        <attribute name="title" elementID="name" optional="YES" attributeType="String"/>
        <attribute name="age" optional="YES" attributeType="Integer 16"/></entity>
        """,
      ],
      rows:
        "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZAGE) VALUES (3, 1, 7, 'Ada', 36), (9, 1, 1, NULL, 2)"
    )
    let (store, report) = try migrate(scene)
    #expect(try rows(store, "SELECT Z_PK, ZTITLE, ZAGE FROM ZHUMAN ORDER BY 1") == "3|Ada|36\n9||2")
    #expect(report.outcome == .written && report.isVerified)
    #expect(report.stages.map(\.versions) == [["Pantry", "Pantry 2"]])
    // A key that was handed out once is never given to another object.
    #expect(try rows(store, "SELECT Z_MAX FROM Z_PRIMARYKEY") == "9")
  }

  @Test(arguments: [
    ("entries", "", "box", "crate"), ("entries", "", "box", "box"), ("lines", #" elementID="entries""#, "box", "crate"),
  ])
  func `a to-many relationship keeps its links whatever its inverse is called`(
    _ name: String,
    _ identifier: String,
    _ old: String,
    _ new: String
  ) throws {
    func entities(_ many: String, _ identifier: String, _ one: String) -> String {
      """
      <entity name="Box"><attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="\(many)"\(identifier) optional="YES" toMany="YES" destinationEntity="Entry" inverseName="\(one)" inverseEntity="Entry"/>
      </entity>
      <entity name="Entry"><attribute name="text" optional="YES" attributeType="String"/>
      <relationship name="\(one)" optional="YES" maxCount="1" destinationEntity="Box" inverseName="\(many)" inverseEntity="Box"/>
      </entity>
      """
    }
    let scene = try VersionScene(
      [entities("entries", "", old), entities(name, identifier, new)],
      rows: """
        INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a'), (4, 1, 1, 'b');
        INSERT INTO ZENTRY (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZBOX) VALUES (1, 2, 1, 'x', 4), (2, 2, 1, 'y', 1), (3, 2, 1, 'z', 4),
          (5, 2, 1, 'none', NULL);
        """
    )
    let (store, report) = try migrate(scene) { $0.model = scene.bundle + "#Pantry" }
    #expect(report.isVerified)
    #expect(
      try rows(store, "SELECT ZTEXT, ZNAME FROM ZENTRY AS e LEFT JOIN ZBOX AS b ON b.Z_PK = Z\(new) ORDER BY 1")
        == "none|\nx|b\ny|a\nz|b"
    )
  }

  @Test func `what one version drops is gone, though a later one has something of that name`() throws {
    let scene = try VersionScene(
      [
        Self.person,
        #"<entity name="Person"><attribute name="age" optional="YES" attributeType="Integer 16"/></entity>"#,
        """
        <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="age" optional="YES" attributeType="Integer 16"/></entity>
        """,
      ],
      rows: "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZAGE) VALUES (1, 1, 1, 'Ada', 36)"
    )
    let (store, report) = try migrate(scene) { $0.model = scene.bundle + "#Pantry" }
    #expect(try rows(store, "SELECT quote(ZNAME), ZAGE FROM ZPERSON") == "NULL|36")
    #expect(report.stages.map(\.versions) == [["Pantry", "Pantry 2", "Pantry 3"]])
    let lost = report.check.changes.first {
      $0.subject == "Person.name" && $0.kind == .attributeRemoved
    }
    #expect(lost?.count == 1)
  }

  @Test func `a name that goes to another thing does not take its values along`() throws {
    // Two attributes change places, and a third takes a name that was somebody's.
    let scene = try VersionScene(
      [
        """
        <entity name="Box"><attribute name="left" optional="YES" attributeType="String"/>
        <attribute name="right" optional="YES" attributeType="String"/></entity>
        """,
        """
        <entity name="Box"><attribute name="left" elementID="right" optional="YES" attributeType="String"/>
        <attribute name="right" elementID="left" optional="YES" attributeType="String"/></entity>
        """,
      ],
      rows: "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZLEFT, ZRIGHT) VALUES (1, 1, 1, 'L', 'R')"
    )
    // By its tables the store may be of either version.
    let (store, _) = try migrate(scene) { $0.model = scene.bundle + "#Pantry" }
    #expect(try rows(store, "SELECT ZLEFT, ZRIGHT FROM ZBOX") == "R|L")
  }

  @Test func `an entity that is new gets nothing of one whose name it has`() throws {
    let scene = try VersionScene(
      [
        #"<entity name="Cup"><attribute name="size" optional="YES" attributeType="Integer 16"/></entity>"#,
        """
        <entity name="Mug" elementID="Cup"><attribute name="size" optional="YES" attributeType="Integer 16"/></entity>
        <entity name="Cup" elementID="other"><attribute name="size" optional="YES" attributeType="Integer 16"/></entity>
        """,
      ],
      rows: "INSERT INTO ZCUP (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, 5)"
    )
    let (store, _) = try migrate(scene)
    #expect(try rows(store, "SELECT count(*) FROM ZCUP") == "0")
    #expect(try rows(store, "SELECT ZSIZE FROM ZMUG") == "5")
  }

  @Test func `what is new begins with the default of the version that brought it`() throws {
    let scene = try VersionScene(
      [
        Self.person,
        """
        <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="age" optional="YES" attributeType="Integer 16"/>
        <attribute name="mood" attributeType="String" defaultValueString="calm"/></entity>
        """,
        """
        <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="age" optional="YES" attributeType="Integer 16"/>
        <attribute name="temper" elementID="mood" attributeType="String" defaultValueString="wild"/></entity>
        """,
      ],
      rows: "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Ada')"
    )
    let (store, _) = try migrate(scene)
    #expect(try rows(store, "SELECT ZTEMPER FROM ZPERSON") == "calm")
  }

  @Test func `what becomes required takes the default where there was nothing, and keeps it`() throws {
    func person(_ age: String) -> String {
      """
      <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="age" \(age) attributeType="Integer 16"/></entity>
      """
    }
    let scene = try VersionScene(
      [
        Self.person, person(#"defaultValueString="7""#),
        person(#"optional="YES" defaultValueString="8""#),
      ],
      rows: "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZAGE) VALUES (1, 1, 1, NULL), (2, 1, 1, 5)"
    )
    let (store, _) = try migrate(scene) { $0.model = scene.bundle + "#Pantry" }
    #expect(try rows(store, "SELECT ZAGE FROM ZPERSON ORDER BY Z_PK") == "7\n5")
  }

  @Test func `an entity that gets a parent keeps what it had, and its links`() throws {
    let shelf = """
      <entity name="Shelf"><relationship name="jars" toMany="YES" optional="YES" destinationEntity="Jar" inverseName="shelf" inverseEntity="Jar"/></entity>
      """
    let jar = """
      <attribute name="label" optional="YES" attributeType="String"/>
      <relationship name="shelf" optional="YES" maxCount="1" destinationEntity="Shelf" inverseName="jars" inverseEntity="Shelf"/>
      """
    let scene = try VersionScene(
      [
        "\(shelf)<entity name=\"Jar\">\(jar)</entity>",
        """
        \(shelf)<entity name="Vessel" isAbstract="YES"><attribute name="volume" optional="YES" attributeType="Double"/></entity>
        <entity name="Jar" parentEntity="Vessel">\(jar)</entity>
        """,
      ],
      rows: """
        INSERT INTO ZSHELF (Z_PK, Z_ENT, Z_OPT) VALUES (4, 2, 1);
        INSERT INTO ZJAR (Z_PK, Z_ENT, Z_OPT, ZLABEL, ZSHELF) VALUES (1, 1, 1, 'salt', 4), (2, 1, 1, 'rice', NULL)
        """
    )
    let (store, report) = try migrate(scene)
    #expect(
      try rows(
        store,
        """
        SELECT v.Z_PK, v.ZLABEL, v.ZSHELF, p.Z_NAME FROM ZVESSEL v JOIN Z_PRIMARYKEY p USING (Z_ENT) ORDER BY 1
        """
      ) == "1|salt|4|Jar\n2|rice||Jar"
    )
    #expect(report.copies.last?.links.copied == 1)
  }

  @Test func `two hierarchies become one, and links follow the keys`() throws {
    let tag = """
      <entity name="Tag"><relationship name="cat" optional="YES" maxCount="1" destinationEntity="Cat"/>
      <relationship name="dog" optional="YES" maxCount="1" destinationEntity="Dog"/></entity>
      """
    func pet(_ name: String, _ parent: String) -> String {
      "<entity name=\"\(name)\" \(parent)><attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/></entity>"
    }
    let scene = try VersionScene(
      [
        tag + pet("Cat", "") + pet("Dog", ""),
        tag + #"<entity name="Pet" isAbstract="YES"/>"# + pet("Cat", #"parentEntity="Pet""#)
          + pet("Dog", #"parentEntity="Pet""#),
      ],
      rows: """
        INSERT INTO ZCAT (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Tom'), (2, 1, 1, 'Kit');
        INSERT INTO ZDOG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'Rex');
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZCAT, ZDOG) VALUES (1, 3, 1, 2, 1)
        """
    )
    let (store, _) = try migrate(scene)
    let columns = try rows(store, "SELECT group_concat(name) FROM pragma_table_info('ZTAG')")
    #expect(columns.contains("ZCAT") && columns.contains("ZDOG"))
    #expect(
      try rows(
        store,
        """
        SELECT c.ZNAME, d.ZNAME FROM ZTAG t JOIN ZPET c ON c.Z_PK = t.ZCAT JOIN ZPET d ON d.Z_PK = t.ZDOG
        """
      ).hasPrefix("Kit|")
    )
    #expect(try rows(store, "SELECT count(*), count(DISTINCT Z_PK) FROM ZPET") == "3|3")
  }

  @Test func `a link to one that leads to many from now on is kept, its place in the list too`() throws {
    func model(_ user: String, _ order: String = "") -> String {
      """
      <entity name="Book"><attribute name="title" optional="YES" attributeType="String"/>\(user)</entity>
      <entity name="User"><relationship name="books" optional="YES" toMany="YES" \(order) destinationEntity="Book" inverseName="\(user.contains("users") ? "users" : "user")" inverseEntity="Book"/></entity>
      """
    }
    let one =
      #"<relationship name="user" optional="YES" maxCount="1" destinationEntity="User" inverseName="books" inverseEntity="User"/>"#
    let many =
      #"<relationship name="users" optional="YES" toMany="YES" destinationEntity="User" inverseName="books" inverseEntity="User"/>"#
    let scene = try VersionScene(
      [model(one), model(many)],
      rows: """
        INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT) VALUES (3, 2, 1), (4, 2, 1);
        INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZUSER)
          VALUES (1, 1, 1, 'a', 3), (2, 1, 1, 'b', 3), (5, 1, 1, 'c', 4), (6, 1, 1, 'd', NULL)
        """
    )
    let (store, report) = try migrate(scene)
    let table = try rows(store, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
    let columns = try rows(store, "SELECT group_concat(quote(name), ', ') FROM pragma_table_info('\(table)') ")
    let book =
      columns.contains("BOOKS")
      ? columns.split(separator: ", ").first { $0.contains("BOOKS") } : nil
    let user = columns.split(separator: ", ").first { $0.contains("USERS") }
    let pairs = try rows(
      store,
      """
      SELECT \(book.map { $0.replacing("'", with: "\"") } ?? ""), \(user.map { $0.replacing("'", with: "\"") } ?? "")
      FROM \(table) ORDER BY 1
      """
    )
    #expect(pairs == "1|3\n2|3\n5|4")
    #expect(report.copies.last?.links.copied == 3)
    // Nothing is said to be lost: the other end keeps the links.
    #expect(report.check.changes.first { $0.subject == "Book.user" }?.count == nil)
  }

  @Test func `links of one to one under other names become links of many to many`() throws {
    func model(_ kind: String, _ left: String, _ right: String) -> String {
      """
      <entity name="Cup"><relationship name="\(left)" elementID="lid" optional="YES" \(kind) destinationEntity="Lid" inverseName="\(right)" inverseEntity="Lid"/></entity>
      <entity name="Lid"><relationship name="\(right)" elementID="cup" optional="YES" \(kind) destinationEntity="Cup" inverseName="\(left)" inverseEntity="Cup"/></entity>
      """
    }
    let scene = try VersionScene(
      [model(#"maxCount="1""#, "lid", "cup"), model(#"toMany="YES""#, "lids", "cups")],
      rows: """
        INSERT INTO ZCUP (Z_PK, Z_ENT, Z_OPT, ZLID) VALUES (1, 1, 1, 4), (2, 1, 1, NULL), (3, 1, 1, 5);
        INSERT INTO ZLID (Z_PK, Z_ENT, Z_OPT, ZCUP) VALUES (4, 2, 1, 1), (5, 2, 1, 3)
        """
    )
    let (store, _) = try migrate(scene)
    let table = try rows(store, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
    let columns = try rows(store, "SELECT name FROM pragma_table_info('\(table)')")
      .split(separator: "\n")
    let lid = try #require(columns.first { $0.hasSuffix("LIDS") })
    let cup = try #require(columns.first { $0.hasSuffix("CUPS") })
    #expect(try rows(store, "SELECT \(cup), \(lid) FROM \(table) ORDER BY 1") == "1|4\n3|5")
  }

  @Test func `links that were two from end to end become one`() throws {
    let inverse = #"inverseName="jar" inverseEntity="Lid""#
    func model(_ here: String, _ there: String) -> String {
      """
      <entity name="Jar"><relationship name="lids" optional="YES" toMany="YES" destinationEntity="Lid" \(here)/></entity>
      <entity name="Lid"><relationship name="jar" optional="YES" maxCount="1" destinationEntity="Jar" \(there)/></entity>
      """
    }
    let scene = try VersionScene(
      [model("", ""), model(inverse, #"inverseName="lids" inverseEntity="Jar""#)],
      rows: """
        INSERT INTO ZJAR (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
        INSERT INTO ZLID (Z_PK, Z_ENT, Z_OPT, ZJAR, Z1LIDS) VALUES (1, 2, 1, 1, NULL), (2, 2, 1, NULL, 2), (3, 2, 1, 1, 1)
        """
    )
    let (store, _) = try migrate(scene)
    #expect(try rows(store, "SELECT Z_PK, ZJAR FROM ZLID ORDER BY 1") == "1|1\n2|2\n3|1")
  }

  @Test func `integers that become texts, and texts that are integers, convert`() throws {
    let scene = try VersionScene(
      [
        """
        <entity name="Note"><attribute name="number" optional="YES" attributeType="Integer 32"/>
        <attribute name="text" optional="YES" attributeType="String"/></entity>
        """,
        """
        <entity name="Note"><attribute name="number" optional="YES" attributeType="String"/>
        <attribute name="text" optional="YES" attributeType="Integer 64"/></entity>
        """,
      ],
      rows:
        "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZTEXT) VALUES (1, 1, 1, 42, '-7'), (2, 1, 1, NULL, NULL)"
    )
    let (store, _) = try migrate(scene) { $0.model = scene.bundle + "#Pantry" }
    #expect(
      try rows(store, "SELECT quote(ZNUMBER), quote(ZTEXT) FROM ZNOTE ORDER BY Z_PK")
        == "'42'|-7\nNULL|NULL"
    )
  }

  @Test func `where somebody has to decide nothing is made, and the objects are named`() throws {
    let scene = try VersionScene(
      [
        Self.person,
        """
        <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="age" optional="YES" attributeType="Integer 16"/>
        <attribute name="uuid" attributeType="UUID"/></entity>
        """,
      ],
      rows: "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (4, 1, 1, 'Ada')"
    )
    let error = #expect(throws: DecantError.self) { try migrate(scene) }
    #expect(error?.family == .modelMismatch)
    #expect(error?.place?.contains("Person.uuid") == true)
    #expect(error?.place?.contains("Person p4") == true)
    #expect(!FileManager.default.fileExists(atPath: scene.folder.path("out.sqlite")))
    // A mapping file decides; objects that never had a key get one.
    let map = scene.folder.path("map.yaml")
    try Data("entities:\n  Person:\n    generate: { uuid: uuid5 }\n".utf8).write(to: URL(fileURLWithPath: map))
    let (store, report) = try migrate(scene) {
      $0.mappings = [Migrate.StepMapping(version: "Pantry 2", path: map)]
    }
    #expect(report.stages.map(\.origin) == [.mappingFile(map)])
    #expect(try rows(store, "SELECT ZNAME, typeof(ZUUID), length(ZUUID) FROM ZPERSON") == "Ada|blob|16")
  }

  @Test func `a mapping file in the middle parts the way in three, and no store of a step stays`() throws {
    func person(_ more: String) -> String {
      "<entity name=\"Person\"><attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>\(more)</entity>"
    }
    let full = #"<attribute name="full" attributeType="String"/>"#
    let scene = try VersionScene(
      [
        person(""), person(#"<attribute name="nick" optional="YES" attributeType="String"/>"#),
        person(full), person(#"<attribute name="whole" elementID="full" attributeType="String"/>"#),
      ],
      rows:
        "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (4, 1, 1, 'Ada'), (7, 1, 1, 'Bob')"
    )
    let map = scene.folder.path("map.yaml")
    try Data("entities:\n  Person:\n    set: { full: \"name || '!'\" }\n    drop: [nick]\n".utf8)
      .write(to: URL(fileURLWithPath: map))
    let (store, report) = try migrate(scene) { $0.mappings = [Migrate.StepMapping(path: map)] }
    #expect(
      report.stages.map(\.versions) == [
        ["Pantry", "Pantry 2"], ["Pantry 2", "Pantry 3"], ["Pantry 3", "Pantry 4"],
      ]
    )
    #expect(
      try rows(store, "SELECT Z_PK, ZNAME, ZWHOLE FROM ZPERSON ORDER BY 1")
        == "4|Ada|Ada!\n7|Bob|Bob!"
    )
    let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.url.path)
    #expect(names.sorted() == ["Pantry.sqlite", "Pantry.xcdatamodeld", "map.yaml", "out.sqlite"])
  }
}
