import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Room on the disk for what a migration copies, files beside the store included, asked before anything is done.
@Suite struct MigrateRoomTests {
  private let scene: VersionScene
  /// The file that one of the values refers to.
  private let file: URL
  private static let name = "AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE"
  /// More than any disk of these tests has: the file is all holes, and takes no room itself.
  private static let hugeByteCount: UInt64 = 8 << 40

  init() throws {
    let photo = #"""
      <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      """#
    let (rank, more) = (
      #"<attribute name="rank" optional="YES" attributeType="Integer 16"/>"#,
      #"<attribute name="more" optional="YES" attributeType="Integer 16"/>"#
    )
    let box = { (attributes: String) in #"<entity name="Box">\#(attributes)</entity>"# }
    let reference = "02" + Self.name.utf8.map { String($0, radix: 16) }.joined() + "00"
    scene = try VersionScene(
      [box(photo), box(photo + rank), box(rank + more)],
      rows: "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZPHOTO) VALUES (1, 1, 1, x'\(reference)')"
    )
    let files = scene.folder.url.appending(path: ".Pantry_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    file = files.appending(path: Self.name)
  }

  private func makeHuge() throws {
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: Self.hugeByteCount)
    try handle.close()
  }

  private func migration(_ version: String, _ set: (inout Migrate) -> Void) -> Migrate {
    var migration = Migrate([scene.store], to: "\(scene.bundle)#\(version)")
    (migration.isUnversioned, migration.model) = (true, scene.bundle + "#Pantry")
    set(&migration)
    return migration
  }

  /// Runs, and ends before a file is copied: a disk that is too small would be filled.
  private func refused(_ migration: Migrate) throws -> DecantError {
    let cancellation = Cancellation()
    return try #require(
      #expect(throws: DecantError.self) {
        try migration.run(cancellation: cancellation) { event in
          if case .working(.began(.copy), _) = event { cancellation.cancel() }
        }
      }
    )
  }

  /// How the error begins where the files have no room beside `path`.
  private func words(_ path: String) -> String {
    "not enough disk space next to “\(path)”: the copy needs up to "
  }

  private static let ways = ["in place", "out", "place", "seed"]

  /// The migration in that way, and where its copy is made.
  private func migration(_ way: String) -> (migration: Migrate, made: String) {
    let new = scene.folder.path("New.sqlite")
    switch way {
    case "out": return (migration("Pantry 2") { $0.output = new }, new)
    case "place": return (migration("Pantry 2") { $0.place = new }, new)
    case "seed":
      var migration = Migrate([scene.folder.path("no.sqlite")], to: scene.bundle + "#Pantry 2")
      (migration.isUnversioned, migration.model) = (true, scene.bundle + "#Pantry")
      (migration.place, migration.seed) = (new, StoreLocation(place: scene.store))
      return (migration, new)
    default: return (migration("Pantry 2") { _ in }, scene.store + ".decant-work/new.sqlite")
    }
  }

  @Test(arguments: ways)
  func `files that have no room are told by a dry run and a run alike`(_ way: String) throws {
    try makeHuge()
    let before = try FileManager.default.subpathsOfDirectory(atPath: scene.folder.url.path).sorted()
    let (given, made) = migration(way)
    var run = given
    var told: Set<String> = []
    for isDryRun in [true, false] {
      run.isDryRun = isDryRun
      let error = try refused(run)
      #expect(error.family == .failed && error.message.hasPrefix(words(made)))
      told.insert("\(error.message.prefix { $0 != "," })\n\(error.remedy ?? "")")
    }
    #expect(told.count == 1)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: scene.folder.url.path).sorted() == before)
  }

  @Test(arguments: ways)
  func `files that have room are copied`(_ way: String) throws {
    let content = Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    try content.write(to: file)
    var run = migration(way).migration
    run.isDryRun = true
    try run.run()
    run.isDryRun = false
    let report = try run.run()
    #expect(report.copies.map(\.files.copied) == [1])
    let folder = way == "in place" ? ".Pantry_SUPPORT" : ".New_SUPPORT"
    #expect(FileManager.default.contents(atPath: scene.folder.path("\(folder)/_EXTERNAL_DATA/\(Self.name)")) == content)
  }

  @Test func `of several copies the first is asked for`() throws {
    try makeHuge()
    let file = scene.folder.path("same.yaml")
    try Data("entities:\n  Box: { from: Box }\n".utf8).write(to: URL(filePath: file))
    var run = migration("Pantry 3") {
      $0.output = scene.folder.path("New.sqlite")
      $0.mappings = [Migrate.StepMapping(version: "Pantry 2", path: file)]
      $0.isDryRun = true
    }
    let told = words(scene.folder.path("New.sqlite.decant-work/step-1.sqlite"))
    #expect(try refused(run).message.hasPrefix(told))
    run.isDryRun = false
    #expect(try refused(run).message.hasPrefix(told))
  }

  @Test func `files that nobody asks for need no room`() throws {
    try makeHuge()
    var run = migration("Pantry 3") { $0.output = scene.folder.path("New.sqlite") }
    run.isDryRun = true
    try run.run()
    run.isDryRun = false
    #expect(try run.run().copies.map(\.files.copied) == [0])
    #expect(try Program.sqlite3(scene.folder.path("New.sqlite"), "SELECT Z_PK FROM ZBOX") == "1")
  }

  @Test(arguments: [true, false])
  func `a copy asks for its files as well`(_ isDryRun: Bool) throws {
    try makeHuge()
    let new = scene.folder.path("New.sqlite")
    var options = CopyOptions()
    (options.model, options.isDryRun) = (scene.bundle + "#Pantry", isDryRun)
    let cancellation = Cancellation()
    let copy = Copy(from: scene.store, to: new, options: options)
    let error = #expect(throws: DecantError.self) {
      try copy.run(cancellation: cancellation) { event in
        if case .working(.began(.copy), _) = event { cancellation.cancel() }
      }
    }
    #expect(error?.family == .failed && error?.message.hasPrefix(words(new)) == true)
    #expect(!FileManager.default.fileExists(atPath: new))
  }

  @Test func `files that are there already need no room again`() throws {
    try makeHuge()
    // What a run that was cut off has brought.
    let there = scene.folder.url.appending(path: ".New_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: there, withIntermediateDirectories: true)
    try FileManager.default.linkItem(at: file, to: there.appending(path: Self.name))
    var options = CopyOptions()
    (options.model, options.isDryRun) = (scene.bundle + "#Pantry", true)
    try Copy(from: scene.store, to: scene.folder.path("New.sqlite"), options: options).run()
  }
}
