import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Objects that a later version allows once only; what becomes of them is read with the `sqlite3` program.
@Suite struct MigrateDoublesTests {
  private func migrate(
    _ scene: VersionScene,
    _ duplicates: MergeRules.Duplicates?,
    _ set: (inout Migrate) -> Void = { _ in }
  ) throws -> (store: String, report: MigrationReport) {
    var migration = Migrate([scene.store], to: scene.bundle)
    let out = scene.folder.path("out.sqlite")
    migration.output = out
    migration.isUnversioned = true
    migration.duplicates = duplicates
    set(&migration)
    return (out, try migration.run())
  }

  private static func person(_ name: String, elementID: String? = nil, isUnique: Bool) -> String {
    """
    <entity name="Person">
    <attribute name="\(name)" \(elementID.map { "elementID=\"\($0)\" " } ?? "")optional="YES" attributeType="String"/>
    <attribute name="age" optional="YES" attributeType="Integer 16"/>
    <relationship name="dogs" optional="YES" toMany="YES" ordered="YES" destinationEntity="Dog" inverseName="owner" inverseEntity="Dog"/>
    <relationship name="clubs" optional="YES" toMany="YES" destinationEntity="Club" inverseName="members" inverseEntity="Club"/>
    \(isUnique ? "<uniquenessConstraints><uniquenessConstraint><constraint value=\"\(name)\"/></uniquenessConstraint></uniquenessConstraints>" : "")
    </entity>
    <entity name="Dog"><attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person" inverseName="dogs" inverseEntity="Person"/></entity>
    <entity name="Club"><relationship name="members" optional="YES" toMany="YES" destinationEntity="Person" inverseName="clubs" inverseEntity="Person"/></entity>
    """
  }

  private static let rows = """
    INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZAGE) VALUES (2, 3, 1, 'Ada', 36), (4, 3, 1, 'Bob', 40),
      (5, 3, 1, 'Ada', 37), (6, 3, 1, NULL, 1), (7, 3, 1, NULL, 1);
    INSERT INTO ZDOG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZOWNER, Z_FOK_OWNER) VALUES (1, 2, 1, 'Rex', 2, 1024),
      (2, 2, 1, 'Fido', 5, 1024), (3, 2, 1, 'Lassie', 5, 2048), (4, 2, 1, 'Wolf', 4, 1024);
    INSERT INTO ZCLUB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
    INSERT INTO Z_1MEMBERS VALUES (1, 2), (1, 5), (2, 5), (2, 4);
    """

  /// Two versions of which the later one wants names to differ.
  private func scene(_ more: [String] = []) throws -> VersionScene {
    try VersionScene(
      [Self.person("name", isUnique: false), Self.person("name", isUnique: true)] + more,
      rows: Self.rows
    )
  }

  @Test func `they are named, with what can be said, and nothing is made`() throws {
    let scene = try scene()
    let error = #expect(throws: DecantError.self) { try migrate(scene, nil) }
    #expect(error?.family == .modelMismatch)
    #expect(error?.place?.contains("Person p2 and p5") == true)
    #expect(error?.advice?.commandLine.contains("--merge skip") == true)
    #expect(!FileManager.default.fileExists(atPath: scene.folder.path("out.sqlite")))
    let same = #expect(throws: DecantError.self) { try migrate(scene, .error) }
    #expect(same?.message == error?.message)
  }

  @Test(arguments: [(MergeRules.Duplicates.first, 2, 5), (.last, 5, 2)])
  func `one stays, and what led to the other leads to it`(rule: MergeRules.Duplicates, kept: Int, gone: Int) throws {
    let scene = try scene()
    let (store, report) = try migrate(scene, rule)
    #expect(report.isVerified && report.copies[0]["Person"]?.merge?.duplicate == 1)
    func rows(_ sql: String) throws -> [Substring] {
      try Program.sqlite3(store, sql).split(separator: "\n")
    }
    let age = kept == 2 ? 36 : 37
    #expect(
      try rows("SELECT Z_PK, quote(ZNAME), ZAGE FROM ZPERSON ORDER BY 1")
        == ["4|'Bob'|40", "6|NULL|1", "7|NULL|1", "\(kept)|'Ada'|\(age)"].sorted().map { $0[...] }
    )
    #expect(
      try rows("SELECT Z_PK, ZOWNER FROM ZDOG ORDER BY 1")
        == ["1|\(kept)", "2|\(kept)", "3|\(kept)", "4|4"]
    )
    #expect(try Set(rows("SELECT * FROM Z_1MEMBERS")) == ["1|\(kept)", "2|\(kept)", "2|4"])
    // Two lists became one: whoever was before another one still is, and no two have one place.
    #expect(try rows("SELECT count(DISTINCT Z_FOK_OWNER) FROM ZDOG WHERE ZOWNER = \(kept)") == ["3"])
    #expect(
      try rows(
        """
        SELECT (SELECT Z_FOK_OWNER FROM ZDOG WHERE Z_PK = 2) < (SELECT Z_FOK_OWNER FROM ZDOG WHERE Z_PK = 3)
        """
      ) == ["1"]
    )
  }

  @Test func `all stay, and the others get names of their own`() throws {
    let scene = try scene()
    let (store, report) = try migrate(scene, .keepBoth)
    #expect(report.copies[0]["Person"]?.merge?.keptBoth == 1)
    #expect(
      try Program.sqlite3(store, "SELECT Z_PK, ZNAME FROM ZPERSON WHERE ZNAME LIKE 'A%' ORDER BY 1")
        == "2|Ada\n5|Ada (2)"
    )
    #expect(try Program.sqlite3(store, "SELECT ZOWNER FROM ZDOG ORDER BY Z_PK") == "2\n5\n5\n4")
  }

  @Test func `a name that changes behind the constraint is still known`() throws {
    let scene = try scene([Self.person("title", elementID: "name", isUnique: true)])
    let (store, report) = try migrate(scene, .first)
    #expect(report.stages.count == 1)
    #expect(try Program.sqlite3(store, "SELECT Z_PK FROM ZPERSON WHERE ZTITLE = 'Ada'") == "2")
  }

  @Test func `a mapping that makes objects the same is bound by it, too`() throws {
    let scene = try scene()
    _ = try Program.sqlite3(scene.store, "UPDATE ZPERSON SET ZNAME = 'ada' WHERE Z_PK = 5")
    let file = scene.folder.path("names.yaml")
    try Data("entities: { Person: { set: { name: upper(name) } } }".utf8)
      .write(to: URL(filePath: file))
    let first = scene.bundle + "#Pantry"
    let error = #expect(throws: DecantError.self) {
      try migrate(scene, nil) {
        $0.mappings = [Migrate.StepMapping(path: file)]
        $0.model = first
      }
    }
    #expect(error?.message == "cannot write Person p5: another object has the same name")
    #expect(error?.advice?.commandLine.contains("--merge skip") == true)
    let (store, _) = try migrate(scene, .last) {
      $0.mappings = [Migrate.StepMapping(path: file)]
      $0.model = first
    }
    #expect(
      try Program.sqlite3(store, "SELECT Z_PK, ZNAME, ZAGE FROM ZPERSON WHERE ZNAME >= 'A' ORDER BY 1")
        == "4|BOB|40\n5|ADA|37"
    )
  }

  /// A version of a person of whom several things may be had once only.
  private static func person(unique: [String]) -> String {
    let constraints = unique.map {
      "<uniquenessConstraint><constraint value=\"\($0)\"/></uniquenessConstraint>"
    }
    return """
      <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="mail" optional="YES" attributeType="String"/>
      <attribute name="age" optional="YES" attributeType="Integer 16"/>
      <uniquenessConstraints>\(constraints.joined())</uniquenessConstraints></entity>
      """
  }

  @Test func `who agree in one way and others in another are made one by one`() throws {
    let scene = try VersionScene(
      [Self.person(unique: []), Self.person(unique: ["name", "mail"])],
      rows: """
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZMAIL) VALUES (1, 1, 1, 'Ada', 'a'),
          (2, 1, 1, 'Ada', 'b'), (3, 1, 1, 'Bob', 'c'), (4, 1, 1, 'Eve', 'c'), (5, 1, 1, 'Joe', 'd')
        """
    )
    let error = #expect(throws: DecantError.self) { try migrate(scene, .first) }
    let remedy = try #require(error?.advice?.commandLine)
    let command =
      "decant copy \(scene.store) --model '\(scene.bundle)#Pantry' NEW --identity 'Person: mail' --duplicates first"
    #expect(
      remedy
        == "--merge uses name here; first merge the objects with the same mail: \(command), then migrate NEW"
    )
    // What is advised leads there.
    let between = scene.folder.path("between.sqlite")
    let words = command.dropFirst("decant ".count).replacingOccurrences(of: "NEW", with: between)
    let copy = try Program.run(["/bin/sh", "-c", "\"$0\" \(words)", DecantProgram.path])
    #expect(copy.status == 0, "\(copy.errors)")
    var migration = Migrate([between], to: scene.bundle)
    (migration.isUnversioned, migration.duplicates) = (true, .first)
    migration.model = scene.bundle + "#Pantry"
    try migration.run()
    #expect(
      try Program.sqlite3(between, "SELECT Z_PK, ZNAME, ZMAIL FROM ZPERSON ORDER BY 1")
        == "1|Ada|a\n3|Bob|c\n5|Joe|d"
    )
  }

  @Test func `what cannot be made another is advised to be one`() throws {
    let scene = try VersionScene(
      [Self.person(unique: []), Self.person(unique: ["age"])],
      rows: """
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZAGE) VALUES (1, 1, 1, 'Ada', 5), (2, 1, 1, 'Bob', 5)
        """
    )
    let error = #expect(throws: DecantError.self) { try migrate(scene, .keepBoth) }
    #expect(error?.advice?.commandLine == "use another policy: --merge skip or update")
    #expect(!FileManager.default.fileExists(atPath: scene.folder.path("out.sqlite")))
  }
}
