import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Where the table of a migration's keys may not be written: on what the migration itself makes or reads.
@Suite struct MigrateKeepIDsTests {
  private let scene: VersionScene

  init() throws {
    let name = #"<attribute name="name" optional="YES" attributeType="String"/>"#
    let rank = #"<attribute name="rank" optional="YES" attributeType="Integer 16"/>"#
    scene = try VersionScene(
      [#"<entity name="Tag">\#(name)</entity>"#, #"<entity name="Tag">\#(name)\#(rank)</entity>"#],
      rows: "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (5, 1, 1, 'warm')"
    )
  }

  private func path(_ name: String) -> String { scene.folder.path(name) }

  private func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: scene.folder.url.path).sorted()
  }

  private func migration(_ table: String, _ set: (inout Migrate) -> Void) -> Migrate {
    var migration = Migrate([scene.store], to: scene.bundle)
    migration.isUnversioned = true
    migration.idTableFile = path(table)
    set(&migration)
    return migration
  }

  /// Expects that a dry run and a run are refused alike, and leave everything as it is.
  private func expectRefusal(_ migration: Migrate) throws {
    let (before, bytes) = (try names(), FileManager.default.contents(atPath: scene.store))
    for isDryRun in [true, false] {
      var migration = migration
      migration.isDryRun = isDryRun
      let told = Comment(rawValue: "\(migration.idTableFile ?? ""), dry run: \(isDryRun)")
      let error = #expect(throws: DecantError.self, told) { try migration.run() }
      #expect(error?.family == .usage, told)
      #expect(error?.spot?.commandLine == "--keep-ids", told)
      #expect(try names() == before, told)
    }
    #expect(FileManager.default.contents(atPath: scene.store) == bytes)
  }

  /// What may lie beside a store, behind its name.
  private static let endings = [
    "", "-wal", "-shm", "-journal", ".decant-partial", ".decant-removed", ".decant-work",
    ".decant-work/ids.sqlite", ".backup-1", ".backup-27", ".backup-1-wal",
  ]

  @Test(arguments: endings)
  func `a name that the store has in place is refused`(_ ending: String) throws {
    try expectRefusal(migration("Pantry.sqlite" + ending) { _ in })
  }

  @Test(arguments: endings + ["support"])
  func `a name at the new place, or of the seed, is refused`(_ ending: String) throws {
    let files = ".New_SUPPORT/_EXTERNAL_DATA"
    if ending == "support" {
      try FileManager.default.createDirectory(atPath: path(files), withIntermediateDirectories: true)
    }
    let name = ending == "support" ? files + "/ids.sqlite" : "New.sqlite" + ending
    let new = path("New.sqlite")
    try expectRefusal(migration(name) { $0.output = new })
    try expectRefusal(migration(name) { $0.place = new })
    try expectRefusal(
      migration(name) {
        $0.place = path("Other.sqlite")
        $0.seed = StoreLocation(place: new)
      }
    )
  }

  @Test func `the names beside a link's store are its own, too`() throws {
    try FileManager.default.createDirectory(atPath: path("real"), withIntermediateDirectories: false)
    try FileManager.default.moveItem(atPath: scene.store, toPath: path("real/Tags.sqlite"))
    try FileManager.default.createSymbolicLink(atPath: scene.store, withDestinationPath: path("real/Tags.sqlite"))
    for name in ["real/Tags.sqlite.backup-1", "real/.Tags_SUPPORT", "Pantry.sqlite.backup-1"] {
      try expectRefusal(migration(name) { _ in })
    }
  }

  @Test func `a table that is there is refused by a dry run as well`() throws {
    try Data("mine".utf8).write(to: URL(filePath: path("ids.sqlite")))
    try expectRefusal(migration("ids.sqlite") { _ in })
    try expectRefusal(migration("ids.sqlite") { $0.output = path("New.sqlite") })
  }

  @Test(arguments: ["Pantry.sqlite.ids", "Pantry.sqlite.backup-x", "ids.backup-1", "new/ids"])
  func `a name of its own is written`(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path("new"), withIntermediateDirectories: false)
    try migration(name) { _ in }.run()
    #expect(
      try Program.sqlite3(path(name), "SELECT entity, source, destination, count FROM ids")
        == "Tag|5|5|1"
    )
  }
}
