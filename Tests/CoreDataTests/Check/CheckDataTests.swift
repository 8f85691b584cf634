import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What a store holds decides; every number is counted by the `sqlite3` program as well.
@Suite struct CheckDataTests {
  private static let first = """
    <entity name="Dish">
      <attribute name="title" attributeType="String" optional="YES"/>
      <attribute name="code" attributeType="String" optional="YES"/>
      <attribute name="rating" attributeType="Integer 64" optional="YES"/>
      <relationship name="tags" toMany="YES" optional="YES" destinationEntity="Tag" inverseName="dishes" inverseEntity="Tag"/>
      <relationship name="steps" toMany="YES" optional="YES" destinationEntity="Step" inverseName="dish" inverseEntity="Step"/>
    </entity>
    <entity name="Soup" parentEntity="Dish"/>
    <entity name="Step">
      <attribute name="text" attributeType="String"/>
      <relationship name="dish" optional="YES" maxCount="1" destinationEntity="Dish" inverseName="steps" inverseEntity="Dish"/>
    </entity>
    <entity name="Tag">
      <attribute name="name" attributeType="String"/>
      <relationship name="dishes" toMany="YES" optional="YES" destinationEntity="Dish" inverseName="tags" inverseEntity="Dish"/>
    </entity>
    """

  /// Numbers of entities: Dish 1, Soup 2, Step 3, Tag 4.
  private static let rows = """
    INSERT INTO ZDISH (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCODE, ZRATING) VALUES
      (1, 1, 1, 'pie', 'a', 1), (2, 1, 1, NULL, 'b', 70000), (3, 1, 1, 'tart', 'a', NULL),
      (4, 2, 1, 'broth', 'b', 3), (5, 2, 1, NULL, NULL, 4), (6, 1, 1, 'cake', NULL, 40000);
    INSERT INTO ZSTEP (Z_PK, Z_ENT, Z_OPT, ZDISH, ZTEXT) VALUES
      (1, 3, 1, 1, 'mix'), (2, 3, 1, 1, 'bake'), (3, 3, 1, 4, 'boil'), (4, 3, 1, NULL, 'lost');
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 4, 1, 'sweet'), (2, 4, 1, 'warm');
    INSERT INTO Z_1TAGS VALUES (1, 1), (1, 2), (2, 2);
    """

  /// Checks against the first version after `old` became `new` in it.
  private func change(_ old: String, _ new: String, of kind: ModelChange.Kind) throws -> (
    scene: VersionScene, change: ModelChange, report: CheckReport
  ) {
    try #require(Self.first.contains(old))
    let scene = try VersionScene([Self.first, Self.first.replacingOccurrences(of: old, with: new)], rows: Self.rows)
    let report = try scene.check(asFirst: true)
    let change = try #require(report.changes.first { $0.kind == kind }, "\(report.changes)")
    return (scene, change, report)
  }

  private let title = #"<attribute name="title" attributeType="String" optional="YES"/>"#
  private let code = #"<attribute name="code" attributeType="String" optional="YES"/>"#
  private let rating = #"<attribute name="rating" attributeType="Integer 64" optional="YES"/>"#

  @Test func `a new required attribute is counted by the objects that would lack it`() throws {
    let new = title + #"<attribute name="maker" attributeType="String"/>"#
    let (scene, change, report) = try change(title, new, of: .attributeAdded)
    #expect(report.migration == .mapping)
    #expect(change.subject == "Dish.maker" && change.demand == .mapping)
    #expect(change.count == (try scene.count("SELECT count(*) FROM ZDISH")))
    #expect(change.examples == ["Dish p1", "Dish p2", "Dish p3"])
  }

  @Test func `without objects it is inferred, beyond Core Data`() throws {
    let new = title + #"<attribute name="maker" attributeType="String"/>"#
    let scene = try VersionScene([
      Self.first, Self.first.replacingOccurrences(of: title, with: new),
    ])
    let report = try scene.check()
    #expect(report.migration == .inferred && report.isBeyondCoreData)
    #expect(report.changes.map(\.count) == [0])
  }

  @Test func `a value that becomes required is counted by those that are missing`() throws {
    let new = #"<attribute name="title" attributeType="String"/>"#
    let (scene, change, report) = try change(title, new, of: .optionalToRequired)
    #expect(report.migration == .mapping)
    #expect(change.count == (try scene.count("SELECT count(*) FROM ZDISH WHERE ZTITLE IS NULL")))
    #expect(change.examples == ["Dish p2", "Soup p5"])
  }

  @Test func `a type that becomes narrower is counted by the values that do not fit`() throws {
    let new = rating.replacingOccurrences(of: "64", with: "16")
    let (scene, change, report) = try change(rating, new, of: .typeChanged)
    let sql = "SELECT count(*) FROM ZDISH WHERE ZRATING NOT BETWEEN -32768 AND 32767"
    #expect(report.migration == .mapping)
    #expect(change.count == (try scene.count(sql)))
    #expect(change.examples == ["Dish p2", "Dish p6"])
    let wide = rating.replacingOccurrences(of: "Integer 64", with: "Integer 32")
    let (_, other, inferred) = try self.change(rating, wide, of: .typeChanged)
    #expect(inferred.migration == .inferred && other.demand == .beyondCoreData)
    #expect(other.count == 0)
  }

  @Test func `a type that nothing converts is counted by the values there are`() throws {
    let new = code.replacingOccurrences(of: "String", with: "Date")
    let (scene, change, _) = try change(code, new, of: .typeChanged)
    #expect(change.demand == .mapping)
    #expect(change.count == (try scene.count("SELECT count(ZCODE) FROM ZDISH")))
  }

  @Test func `an attribute that is removed says how many values go with it`() throws {
    let (scene, change, report) = try change(code, "", of: .attributeRemoved)
    #expect(report.migration == .inferred && !report.isBeyondCoreData)
    #expect(change.subject == "Dish.code")
    #expect(change.count == (try scene.count("SELECT count(ZCODE) FROM ZDISH")))
  }

  @Test func `an entity that is removed says how many objects go with it`() throws {
    let (scene, change, report) = try change(
      #"<entity name="Soup" parentEntity="Dish"/>"#,
      "",
      of: .entityRemoved
    )
    #expect(report.migration == .mapping)
    #expect(change.count == (try scene.count("SELECT count(*) FROM ZDISH WHERE Z_ENT = 2")))
    #expect(change.examples == ["Soup p4", "Soup p5"])
  }

  @Test func `an entity that becomes abstract counts its own objects alone`() throws {
    let (scene, change, _) = try change(
      #"<entity name="Dish">"#,
      #"<entity name="Dish" isAbstract="YES">"#,
      of: .abstractChanged
    )
    #expect(change.demand == .mapping)
    #expect(change.count == (try scene.count("SELECT count(*) FROM ZDISH WHERE Z_ENT = 1")))
  }

  @Test func `uniqueness is violated by objects that agree, and not by those without a value`() throws {
    let new = """
      <uniquenessConstraints><uniquenessConstraint><constraint value="code"/>\
      </uniquenessConstraint></uniquenessConstraints></entity><entity name="Soup" parentEntity="Dish"/>
      """
    let (scene, change, report) = try change(
      """
      </entity>
      <entity name="Soup" parentEntity="Dish"/>
      """,
      new,
      of: .uniquenessAdded
    )
    let groups = "FROM ZDISH WHERE ZCODE IS NOT NULL GROUP BY ZCODE HAVING count(*) > 1"
    #expect(report.migration == .mapping)
    #expect(change.count == (try scene.count("SELECT sum(n) FROM (SELECT count(*) AS n \(groups))")))
    #expect(
      change.examples.map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == [
        "p1 and p3", "p2 and p4",
      ]
    )
    #expect(change.text.contains("in 2 groups"))
    _ = try Program.sqlite3(scene.store, "UPDATE ZDISH SET ZCODE = Z_PK")
    #expect(try scene.check().migration == .inferred)
  }

  @Test func `many that become one are counted by the objects that have more`() throws {
    let tags =
      #"<relationship name="tags" toMany="YES" optional="YES" destinationEntity="Tag" inverseName="dishes" inverseEntity="Tag"/>"#
    let one = tags.replacingOccurrences(of: #"toMany="YES""#, with: #"maxCount="1""#)
    let (scene, change, _) = try change(tags, one, of: .toManyToOne)
    let sql =
      "SELECT count(*) FROM (SELECT 1 FROM Z_1TAGS GROUP BY Z_1DISHES HAVING count(*) > 1)"
    #expect(change.demand == .mapping)
    #expect(change.count == (try scene.count(sql)))
    #expect(change.examples == ["Dish p1"])
    let steps =
      #"<relationship name="steps" toMany="YES" optional="YES" destinationEntity="Step" inverseName="dish" inverseEntity="Dish"/>"#
      .replacingOccurrences(of: #"inverseEntity="Dish""#, with: #"inverseEntity="Step""#)
    let (other, second, _) = try self.change(
      steps,
      steps.replacingOccurrences(of: #"toMany="YES""#, with: #"maxCount="1""#),
      of: .toManyToOne
    )
    let keys =
      "SELECT count(*) FROM (SELECT 1 FROM ZSTEP WHERE ZDISH NOT NULL GROUP BY ZDISH HAVING count(*) > 1)"
    #expect(second.count == (try other.count(keys)))
  }

  @Test func `a link that becomes required is counted by the objects without one`() throws {
    let dish =
      #"<relationship name="dish" optional="YES" maxCount="1""#
    let (scene, change, _) = try change(
      dish,
      #"<relationship name="dish" maxCount="1""#,
      of: .optionalToRequired
    )
    #expect(change.demand == .mapping)
    #expect(change.count == (try scene.count("SELECT count(*) FROM ZSTEP WHERE ZDISH IS NULL")))
    #expect(change.examples == ["Step p4"])
  }

  @Test func `a destination that becomes narrower is counted by the links that lead elsewhere`() throws {
    // Step.dish leads to Soup from now on: step 1 and 2 lead to a Dish.
    let narrow = Self.first.replacingOccurrences(
      of: #"destinationEntity="Dish" inverseName="steps" inverseEntity="Dish""#,
      with: #"destinationEntity="Soup""#
    ).replacingOccurrences(of: #"inverseName="dish" inverseEntity="Step""#, with: "")
    let scene = try VersionScene([Self.first, narrow], rows: Self.rows)
    let report = try scene.check()
    let change = try #require(report.changes.first { $0.kind == .destinationChanged })
    let sql =
      "SELECT count(*) FROM ZSTEP JOIN ZDISH ON ZDISH.Z_PK = ZSTEP.ZDISH WHERE ZDISH.Z_ENT <> 2"
    #expect(change.subject == "Step.dish" && change.demand == .mapping)
    #expect(change.count == (try scene.count(sql)))
    #expect(change.examples == ["Step p1", "Step p2"])
    _ = try Program.sqlite3(scene.store, "DELETE FROM ZSTEP WHERE Z_PK < 3")
    #expect(try scene.check().changes.first { $0.kind == .destinationChanged }?.demand == .beyondCoreData)
  }

  // MARK: Through several versions

  @Test func `what a version between drops is gone, although a later one has it again`() throws {
    let without = Self.first.replacingOccurrences(of: #"<entity name="Soup" parentEntity="Dish"/>"#, with: "")
    let scene = try VersionScene([Self.first, without, Self.first], rows: Self.rows)
    let report = try scene.check(asFirst: true)
    #expect(report.steps.map(\.from) == ["Pantry", "Pantry 2"])
    #expect(report.steps.map(\.demand) == [.mapping, .inferred])
    #expect(report.steps.first?.changes.first?.count == 2)
    #expect(report.migration == .mapping)
    // Straight there nothing changes.
    #expect(report.straightDemand == .nothing)
  }

  @Test func `a later step asks the store for what its properties were`() throws {
    // `title` becomes `name`, then required: two objects have none.
    let renamed = Self.first.replacingOccurrences(
      of: title,
      with: #"<attribute name="name" attributeType="String" optional="YES" elementID="title"/>"#
    )
    let required = Self.first.replacingOccurrences(
      of: title,
      with: #"<attribute name="name" attributeType="String" elementID="title"/>"#
    )
    let scene = try VersionScene([Self.first, renamed, required], rows: Self.rows)
    let report = try scene.check()
    #expect(report.steps.map(\.demand) == [.inferred, .mapping])
    let change = try #require(report.changes.first { $0.kind == .optionalToRequired })
    #expect(change.count == (try scene.count("SELECT count(*) FROM ZDISH WHERE ZTITLE IS NULL")))
    #expect(report.straightDemand == .mapping)
  }

  @Test func `what an earlier step adds stands in the way of a later one, or does not`() throws {
    func with(_ attribute: String) -> String {
      Self.first.replacingOccurrences(of: title, with: title + attribute)
    }
    let empty = with(#"<attribute name="maker" attributeType="String" optional="YES"/>"#)
    let filled = with(
      #"<attribute name="maker" attributeType="String" optional="YES" defaultValueString="?"/>"#
    )
    let required = with(#"<attribute name="maker" attributeType="String"/>"#)
    let scene = try VersionScene([Self.first, empty, required], rows: Self.rows)
    let steps = try scene.check().steps
    #expect(steps.map(\.demand) == [.inferred, .mapping])
    #expect(steps.last?.changes.first?.count == (try scene.count("SELECT count(*) FROM ZDISH")))
    let other = try VersionScene([Self.first, filled, required], rows: Self.rows)
    #expect(try other.check().steps.map(\.demand) == [.inferred, .beyondCoreData])
  }

  /// Whether a value is required leaves no trace in tables: the newest version that fits would hide what is needed.
  @Test func `of versions with the same tables the oldest is assumed, unless another is named`() throws {
    let required = Self.first.replacingOccurrences(
      of: title,
      with: #"<attribute name="title" attributeType="String"/>"#
    )
    let scene = try VersionScene([Self.first, required], rows: Self.rows)
    let report = try scene.check()
    #expect(report.version == RecognisedVersion(name: "Pantry", evidence: .tables))
    #expect(report.notes.commandLine.contains { $0.contains("“Pantry”, “Pantry 2”") })
    #expect(report.migration == .mapping)
    var check = Check(scene.store, against: scene.bundle)
    check.model = scene.bundle + "#Pantry 2"
    let named = try check.run()
    #expect(named.version == RecognisedVersion(name: "Pantry 2", evidence: .named))
    #expect(named.migration == .none)
    check.model = scene.bundle
    #expect(try check.run().migration == .mapping)
  }

  @Test func `a store is not changed, and a version before its own is out of reach`() throws {
    let scene = try VersionScene([Self.first, Self.first.replacingOccurrences(of: code, with: "")])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: scene.store))
    let report = try scene.check()
    #expect(report.version == RecognisedVersion(name: "Pantry", evidence: .tables))
    #expect(try Data(contentsOf: URL(fileURLWithPath: scene.store)) == bytes)
    let newer = try VersionScene([Self.first.replacingOccurrences(of: code, with: ""), Self.first])
    let back = try Check(newer.store, against: scene.bundle + "#Pantry 2").run()
    #expect(back.version?.name == "Pantry 2" && back.migration == .none)
    let impossible = try Check(newer.store, against: scene.bundle + "#Pantry").run()
    #expect(impossible.migration == .impossible)
    #expect(impossible.obstacle?.message.contains("newer than the model") == true)
  }
}
