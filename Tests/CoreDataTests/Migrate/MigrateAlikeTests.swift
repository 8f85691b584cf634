import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Versions whose tables are alike, and stores that have no version hashes: none goes through a step twice.
@Suite struct MigrateAlikeTests {
  /// Bytes that may lie in files of their own from the second version on, and then begin with a tag.
  private func tagged() throws -> VersionScene {
    let photo = { (more: String) in
      #"<entity name="Box"><attribute name="photo" optional="YES" attributeType="Binary"\#(more)/></entity>"#
    }
    return try VersionScene(
      [photo(""), photo(#" allowsExternalBinaryDataStorage="YES""#)],
      rows: "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZPHOTO) VALUES (1, 1, 1, x'0A0B')"
    )
  }

  private func sizes(_ types: String..., unique: String = "", rows: Int = 1) throws -> VersionScene {
    try VersionScene(
      types.enumerated().map { index, type in
        """
        <entity name="Box"><attribute name="size" optional="YES" attributeType="\(type)"/>\
        \(index > 0 ? unique : "")</entity>
        """
      },
      rows: (1...rows).map {
        "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (\($0), 1, 1, \($0 * 5))"
      }.joined(separator: ";\n")
    )
  }

  private func migration(_ scene: VersionScene, model version: String? = nil) -> Migrate {
    var migration = Migrate([scene.store], to: scene.bundle)
    migration.isUnversioned = true
    migration.model = version.map { "\(scene.bundle)#\($0)" }
    return migration
  }

  private func photo(_ path: String) throws -> String {
    try Program.sqlite3(path, "SELECT hex(ZPHOTO) FROM ZBOX")
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test func `a tag is not put before bytes that may have one`() throws {
    let scene = try tagged()
    let before = FileManager.default.contents(atPath: scene.store)
    let error = #expect(throws: DecantError.self) { try migration(scene).run() }
    #expect(error?.family == .modelMismatch)
    #expect(
      error?.advice?.commandLine
        == "choose one: --model '\(scene.bundle)#Pantry' or --model '\(scene.bundle)#Pantry 2'"
    )
    #expect(FileManager.default.contents(atPath: scene.store) == before)
    let check = try scene.check()
    #expect(check.migration == .impossible && check.obstacle?.message == error?.message)
  }

  @Test(arguments: ["Pantry", nil])
  func `a store that decant made is known again, whatever is said of it`(named: String?) throws {
    let scene = try tagged()
    try migration(scene, model: "Pantry").run()
    #expect(try photo(scene.store) == "010A0B")
    let after = FileManager.default.contents(atPath: scene.store)
    let second = try migration(scene, model: named).run()
    #expect(second.outcome == .none && second.check.migration == .none)
    #expect(second.check.version == RecognisedVersion(name: "Pantry 2", evidence: .mark))
    #expect(FileManager.default.contents(atPath: scene.store) == after)
    // Whoever reads it without a word about the version takes the one it is of.
    let out = scene.folder.path("out.sqlite")
    var options = CopyOptions()
    options.model = scene.bundle
    options.succeedsSource = true
    try Copy(from: scene.store, to: out, options: options).run()
    #expect(try photo(out) == "010A0B")
  }

  @Test func `a copy holds to what a store was made after, whatever is said of its model`() throws {
    let (old, new) = (try tagged(), try tagged())
    try migration(new, model: "Pantry").run()
    // The version that is said is that of the source: its bytes have no tag.
    var options = CopyOptions()
    options.model = "\(old.bundle)#Pantry"
    options.appends = true
    let before = FileManager.default.contents(atPath: new.store)
    let error = #expect(throws: DecantError.self) {
      try Copy(from: old.store, to: new.store, options: options).run()
    }
    #expect(error?.family == .modelMismatch)
    #expect(FileManager.default.contents(atPath: new.store) == before)
    let out = new.folder.path("out.sqlite")
    options.appends = false
    options.model = "\(new.bundle)#Pantry"
    options.succeedsSource = true
    try Copy(from: new.store, to: out, options: options).run()
    #expect(try photo(out) == "010A0B")
  }

  @Test func `a table of keys needs a folder before anything is written`() throws {
    let scene = try tagged()
    let before = FileManager.default.contents(atPath: scene.store)
    for isDryRun in [true, false] {
      var migration = migration(scene, model: "Pantry")
      migration.idTableFile = scene.folder.path("nowhere/ids")
      migration.isDryRun = isDryRun
      let error = #expect(throws: DecantError.self) { try migration.run() }
      #expect(
        error?.message.contains("there is no folder") == true
          && error?.spot?.commandLine == "--keep-ids"
      )
    }
    #expect(FileManager.default.contents(atPath: scene.store) == before)
    #expect(!exists("\(scene.store).decant-work"))
  }

  @Test func `a store that was moved is known at its new place`() throws {
    let scene = try tagged()
    let place = scene.folder.path("New.sqlite")
    var move = migration(scene, model: "Pantry")
    (move.place, move.removesOld) = (place, true)
    let report = try move.run()
    #expect(report.outcome == .moved && report.removed == [scene.store])
    #expect(try photo(place) == "010A0B")
    #expect(!exists(scene.store))
    #expect(try move.run().outcome == .none)
    #expect(try photo(place) == "010A0B")
  }

  @Test func `the mark is that of the last version`() throws {
    let scene = try tagged()
    try migration(scene, model: "Pantry").run()
    let third = scene.bundle + "/Pantry 3.xcdatamodel"
    try FileManager.default.createDirectory(atPath: third, withIntermediateDirectories: false)
    let photo = #"<attribute name="photo" optional="YES" attributeType="Binary"/>"#
    try Data("<model><entity name=\"Box\">\(photo)</entity></model>".utf8).write(
      to: URL(fileURLWithPath: third + "/contents")
    )
    var next = Migrate([scene.store], to: scene.bundle + "#Pantry 3")
    next.isUnversioned = true
    next.through = [scene.bundle + "#Pantry 2"]
    #expect(try next.run().stages.map(\.versions) == [["Pantry 2", "Pantry 3"]])
    #expect(try self.photo(scene.store) == "0A0B")
    #expect(try next.run().outcome == .none)
  }

  @Test func `a mark is worth nothing where the tables are others`() throws {
    let scene = try tagged()
    try migration(scene, model: "Pantry").run()
    _ = try Program.sqlite3(scene.store, "ALTER TABLE ZBOX RENAME COLUMN ZPHOTO TO ZPICTURE")
    #expect(try scene.check().version == nil)
  }

  @Test func `nothing is done where nothing differs that a store keeps`() throws {
    let scene = try sizes("Integer 16", "Integer 64")
    let before = FileManager.default.contents(atPath: scene.store)
    let report = try migration(scene).run()
    #expect(report.outcome == .none)
    #expect(
      report.notes.commandLine.contains(
        "the store already fits “Pantry 2”: the versions do not differ in anything that a store holds")
    )
    #expect(FileManager.default.contents(atPath: scene.store) == before)
    #expect(!exists(scene.store + ".backup-1"))
    let check = try scene.check()
    #expect(check.migration == .none && check.demand == .nothing)
    // Who says that it is of the first is believed.
    #expect(try migration(scene, model: "Pantry").run().outcome == .migrated)
  }

  @Test func `a uniqueness is a difference that a store keeps`() throws {
    let unique =
      #"<uniquenessConstraints><uniquenessConstraint><constraint value="size"/></uniquenessConstraint></uniquenessConstraints>"#
    let scene = try sizes("Integer 16", "Integer 16", unique: unique, rows: 2)
    #expect(try migration(scene).run().outcome == .migrated)
    #expect(try Program.sqlite3(scene.store, "SELECT count(*) FROM pragma_index_list('ZBOX') WHERE \"unique\"") == "1")
    #expect(try migration(scene).run().outcome == .none)
  }

  @Test func `a mapping to the version that the store may have is not carried out`() throws {
    let scene = try sizes("Integer 16", "Integer 64")
    let file = scene.folder.path("double.yaml")
    try Data("entities:\n  Box: { set: { size: \"size * 2\" } }\n".utf8).write(to: URL(fileURLWithPath: file))
    var doubling = migration(scene)
    doubling.mappings = [Migrate.StepMapping(path: file)]
    let error = #expect(throws: DecantError.self) { try doubling.run() }
    #expect(error?.message.hasSuffix("the mapping to “Pantry 2” must not run twice") == true)
    doubling.model = scene.bundle + "#Pantry"
    try doubling.run()
    #expect(try Program.sqlite3(scene.store, "SELECT ZSIZE FROM ZBOX") == "10")
  }
}
