import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A store that is looked for in several places and is in one from then on.
@Suite struct MigratePlaceTests {
  private let scene: VersionScene
  private let place: String

  init() throws {
    scene = try VersionScene(
      [
        #"<entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/></entity>"#,
        """
        <entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="rank" optional="YES" attributeType="Integer 16"/></entity>
        """,
      ],
      rows: "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (5, 1, 1, 'warm')"
    )
    place = scene.folder.path("here/Pantry.sqlite")
    try FileManager.default.createDirectory(atPath: scene.folder.path("here"), withIntermediateDirectories: false)
  }

  private func run(_ candidates: [String], _ set: (inout Migrate) -> Void = { _ in }) throws -> MigrationReport {
    var migration = Migrate(candidates, to: scene.bundle)
    migration.isUnversioned = true
    migration.place = place
    set(&migration)
    return try migration.run()
  }

  private func tags(_ path: String) throws -> String {
    try Program.sqlite3(path, "SELECT Z_PK, ZNAME, quote(ZRANK) FROM ZTAG")
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test func `the first that exists is migrated and moved, and the second run does nothing`() throws {
    let candidates = [
      scene.folder.path("no.sqlite"), scene.store, scene.folder.path("other.sqlite"),
    ]
    let report = try run(candidates)
    #expect(report.outcome == .moved && report.origin == scene.store)
    #expect(try tags(place) == "5|warm|NULL")
    #expect(exists(scene.store))
    #expect(
      try Program.sqlite3(place, "SELECT Z_UUID FROM Z_METADATA")
        == Program.sqlite3(scene.store, "SELECT Z_UUID FROM Z_METADATA")
    )
    let bytes = FileManager.default.contents(atPath: place)
    let second = try run(candidates)
    #expect(second.outcome == .none && second.copies.isEmpty)
    #expect(FileManager.default.contents(atPath: place) == bytes)
  }

  @Test func `the old one goes with its log and its files, once the new one is usable`() throws {
    _ = try Program.sqlite3(scene.store, "PRAGMA journal_mode = wal")
    try LeftBehind.log(of: scene.store, "UPDATE ZTAG SET ZNAME = 'of the log'")
    let files = scene.folder.path(".Pantry_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    try Data([1]).write(to: URL(fileURLWithPath: files + "/AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE"))
    let report = try run([scene.store]) { $0.removesOld = true }
    #expect(try tags(place) == "5|of the log|NULL")
    #expect(report.removed.first == scene.store)
    let left = try FileManager.default.contentsOfDirectory(atPath: scene.folder.url.path)
    #expect(left.sorted() == ["Pantry.xcdatamodeld", "here"])
  }

  /// Moves the store while somebody opens the old one before it can be removed; returns the error.
  private func moveWhileItIsRead() throws -> DecantError? {
    var migration = Migrate([scene.store], to: scene.bundle)
    (migration.isUnversioned, migration.removesOld) = (true, true)
    migration.place = place
    var reader: RunningProgram?
    let error = #expect(throws: DecantError.self) {
      try migration.run { event in
        guard case .working(.began(.publish), _) = event, reader == nil else { return }
        reader = try? RunningProgram(["sh", "-c", "exec 3<\"$0\"; echo; read line", scene.store])
        _ = reader?.read()
      }
    }
    _ = try #require(reader).end()
    return error
  }

  @Test func `a removal that was cut off is completed by the next run`() throws {
    let error = try moveWhileItIsRead()
    #expect(error?.family == .storeBusy && error?.place?.contains("is already at “\(place)”") == true)
    #expect(exists(scene.store) && exists(place))
    // Only where it is to be removed.
    #expect(try run([scene.store]).removed.isEmpty && exists(scene.store))
    let report = try run([scene.store]) { $0.removesOld = true }
    #expect(report.outcome == .none && report.removed == [scene.store])
    #expect(!exists(scene.store) && !exists(place + ".decant-work"))
    #expect(try tags(place) == "5|warm|NULL")
  }

  @Test func `what was added to the old one since then keeps it`() throws {
    _ = try moveWhileItIsRead()
    _ = try Program.sqlite3(scene.store, "UPDATE ZTAG SET ZNAME = 'added'")
    let report = try run([scene.store]) { $0.removesOld = true }
    #expect(report.removed.isEmpty && exists(scene.store))
    #expect(report.notes.commandLine.contains { $0.contains("was not used") })
  }

  @Test func `files that a backup needs stay`() throws {
    let files = scene.folder.path(".Pantry_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: scene.store, toPath: scene.store + ".backup-1")
    let report = try run([scene.store]) { $0.removesOld = true }
    #expect(!exists(scene.store) && exists(files) && exists(scene.store + ".backup-1"))
    #expect(report.notes.commandLine.contains { $0.contains("Pantry.sqlite.backup-1") })
  }

  @Test func `a seed is copied where there is no store, and never changed`() throws {
    let seed = scene.folder.path("seed.sqlite")
    try FileManager.default.moveItem(atPath: scene.store, toPath: seed)
    let bytes = FileManager.default.contents(atPath: seed)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: seed)
    let report = try run([scene.store]) {
      $0.seed = StoreLocation(place: seed)
      $0.removesOld = true
    }
    #expect(report.outcome == .seeded && report.removed.isEmpty)
    #expect(try tags(place) == "5|warm|NULL")
    #expect(FileManager.default.contents(atPath: seed) == bytes)
    // Each begins a store of its own.
    #expect(
      try Program.sqlite3(place, "SELECT Z_UUID FROM Z_METADATA")
        != Program.sqlite3(seed, "SELECT Z_UUID FROM Z_METADATA")
    )
    #expect(FileManager.default.isWritableFile(atPath: place))
  }

  @Test(arguments: [false, true], ["Pantry.sqlite", "link.sqlite", "here/../Pantry.sqlite"])
  func `a seed among the stores is refused before anything is done`(_ isDryRun: Bool, _ name: String) throws {
    // The bundled store is the only one, and it is named in both ways.
    let seed = scene.store
    try FileManager.default.createSymbolicLink(atPath: scene.folder.path("link.sqlite"), withDestinationPath: seed)
    let bytes = FileManager.default.contents(atPath: seed)
    let error = #expect(throws: DecantError.self) {
      try run([scene.folder.path("no.sqlite"), scene.folder.path(name)]) {
        $0.seed = StoreLocation(place: seed)
        ($0.removesOld, $0.isDryRun) = (true, isDryRun)
      }
    }
    #expect(error?.family == .usage && error?.message.contains("is the seed") == true)
    #expect(FileManager.default.contents(atPath: seed) == bytes && !exists(place))
  }

  @Test(arguments: [false, true])
  func `a seed that is at the new place already is refused and stays`(_ isDryRun: Bool) throws {
    let bytes = FileManager.default.contents(atPath: scene.store)
    for seed in [scene.store, scene.folder.path("here/../Pantry.sqlite")] {
      let error = #expect(throws: DecantError.self) {
        try run([scene.folder.path("no.sqlite")]) {
          ($0.place, $0.isDryRun) = (scene.store, isDryRun)
          $0.seed = StoreLocation(place: seed)
        }
      }
      #expect(error?.family == .usage && error?.message.contains("is the seed") == true)
    }
    #expect(FileManager.default.contents(atPath: scene.store) == bytes)
    // The place alone counts, where nothing is there yet.
    let error = #expect(throws: DecantError.self) {
      try run([scene.store]) {
        ($0.seed, $0.isDryRun) = (StoreLocation(place: place), isDryRun)
      }
    }
    #expect(error?.family == .usage && !exists(place))
  }

  @Test func `a place that cannot be reached leaves the store where it is, migrated`() throws {
    let report = try run([scene.store]) {
      $0.place = scene.folder.path("unmounted/Pantry.sqlite")
      $0.removesOld = true
    }
    #expect(report.fellBack && report.outcome == .migrated && report.removed.isEmpty)
    #expect(report.notes.commandLine.contains { $0.contains("is not accessible") })
    #expect(try tags(scene.store) == "5|warm|NULL")
  }

  @Test func `where old and new place are one, the version alone decides`() throws {
    let report = try run([scene.store]) {
      $0.place = scene.store
      $0.removesOld = true
    }
    #expect(report.outcome == .migrated && report.removed.isEmpty)
    #expect(try tags(scene.store) == "5|warm|NULL")
    #expect(try run([scene.store]) { $0.place = scene.store }.outcome == .none)
  }

  @Test func `what is usable at the new place stays, whatever lies at the old ones`() throws {
    try FileManager.default.copyItem(atPath: scene.store, toPath: place)
    _ = try Program.sqlite3(scene.store, "UPDATE ZTAG SET ZNAME = 'older'")
    let report = try run([scene.store]) { $0.removesOld = true }
    #expect(report.outcome == .migrated)
    #expect(try tags(place) == "5|warm|NULL")
    #expect(exists(scene.store))
    #expect(report.notes.commandLine.contains { $0.contains("was not used") })
  }

  @Test func `a dry run names the store and what would become of it`() throws {
    let report = try run([scene.folder.path("no.sqlite"), scene.store]) {
      $0.isDryRun = true
      $0.removesOld = true
    }
    #expect(report.outcome == .moved && report.origin == scene.store)
    #expect(report.removed == [scene.store])
    #expect(exists(scene.store) && !exists(place))
  }

  @Test func `an empty file does not hide the store behind it`() throws {
    let empty = scene.folder.path("empty.sqlite")
    try Data().write(to: URL(fileURLWithPath: empty))
    let error = try #require(
      #expect(throws: DecantError.self) { try run([empty, scene.store]) }
    )
    #expect(error.family == .corruptStore)
    #expect(
      error.message
        == "“\(empty)” is empty, but it is the first existing one of the given stores"
    )
    #expect(
      error.remedy
        == "check whether the store is somewhere else, then remove the file or the argument: “\(scene.store)” is used next"
    )
    #expect(!exists(place))
    #expect(try run([scene.store]).outcome == .moved)
    let last = #expect(throws: DecantError.self) {
      try run([empty]) { $0.place = scene.folder.path("here/other.sqlite") }
    }
    #expect(last?.remedy?.hasSuffix("the argument: no other one exists") == true)
  }

  @Test func `a folder among the stores is passed over, and the report says so`() throws {
    let folder = scene.folder.path("here")
    let words = "“\(folder)” is a folder and was skipped: a store is a file"
    let report = try run([folder, scene.store])
    #expect(report.outcome == .moved && report.notes.commandLine.contains(words))
    let error = #expect(throws: DecantError.self) {
      try run([folder]) { $0.place = scene.folder.path("other.sqlite") }
    }
    #expect(error?.family == .storeNotFound && error?.place == words)
  }

  @Test func `a log whose store is gone is named, and left alone`() throws {
    let gone = scene.folder.path("gone.sqlite")
    _ = try Program.sqlite3(scene.store, "VACUUM INTO '\(gone)'; PRAGMA journal_mode = wal")
    _ = try Program.sqlite3(gone, "PRAGMA journal_mode = wal")
    try LeftBehind.log(of: gone, "UPDATE ZTAG SET ZNAME = 'written last'")
    try FileManager.default.removeItem(atPath: gone)
    let log = try #require(FileManager.default.contents(atPath: gone + "-wal"))
    let words = "“\(gone)” is missing, but its log exists: “\(gone)-wal” was not touched"
    let report = try run([gone, scene.store]) { $0.removesOld = true }
    #expect(report.outcome == .moved && report.notes.commandLine.contains { $0.hasPrefix(words) })
    #expect(FileManager.default.contents(atPath: gone + "-wal") == log)
    let error = #expect(throws: DecantError.self) {
      try run([gone]) { $0.place = scene.folder.path("other.sqlite") }
    }
    #expect(error?.family == .storeNotFound && error?.place?.hasPrefix(words) == true)
    #expect(FileManager.default.contents(atPath: gone + "-wal") == log)
  }

  @Test(arguments: ["-wal", "-journal", "none"])
  func `a place where no store can appear is refused, by a dry run as well`(_ suffix: String) throws {
    let isFolder = suffix == "none"
    let place = scene.folder.path(isFolder ? "none/new.sqlite" : "new.sqlite")
    if !isFolder { try Data("left".utf8).write(to: URL(filePath: place + suffix)) }
    var migration = Migrate([scene.store], to: scene.bundle)
    (migration.isUnversioned, migration.output) = (true, place)
    var options = CopyOptions()
    var messages: Set<String> = []
    for isDryRun in [true, false] {
      (migration.isDryRun, options.isDryRun) = (isDryRun, isDryRun)
      let error = #expect(throws: DecantError.self) { try migration.run() }
      let other = #expect(throws: DecantError.self) {
        try Copy(from: scene.store, to: place, options: options).run()
      }
      messages.formUnion([error, other].compactMap { $0?.message })
    }
    #expect(messages.count == 1)
    let what = isFolder ? "there is no folder" : "“\(place)\(suffix)” is left"
    #expect(messages.first?.hasPrefix(what) == true)
  }

  @Test func `a file that is lost is counted where values are inline from now on`() throws {
    let photo = { (more: String) in
      #"<entity name="Box"><attribute name="photo" optional="YES" attributeType="Binary"\#(more)/></entity>"#
    }
    // A tag, the name of the file, and an end.
    let reference = { (name: String) in
      "02" + name.utf8.map { String($0, radix: 16) }.joined() + "00"
    }
    let (lost, there) = ("AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE", "BBBBBBBB-BBBB-4CCC-8DDD-EEEEEEEEEEEE")
    let scene = try VersionScene(
      [photo(#" allowsExternalBinaryDataStorage="YES""#), photo("")],
      rows: """
        INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZPHOTO) VALUES (1, 1, 1, x'\(reference(lost))'),
          (2, 1, 1, x'\(reference(there))'), (3, 1, 1, x'010A0B')
        """
    )
    let files = scene.folder.path(".Pantry_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
    try Data("a file".utf8).write(to: URL(fileURLWithPath: "\(files)/\(there)"))
    let before = FileManager.default.contents(atPath: scene.store)
    var migration = Migrate([scene.store], to: scene.bundle)
    migration.model = scene.bundle + "#Pantry"
    (migration.isUnversioned, migration.removesOld) = (true, true)
    migration.place = scene.folder.path("New.sqlite")
    let report = try migration.run()
    #expect(report.copies.map(\.files.missing) == [1])
    #expect(report.removed.isEmpty && FileManager.default.contents(atPath: scene.store) == before)
    #expect(exists("\(files)/\(there)"))
    #expect(
      report.notes.commandLine.contains {
        $0.hasPrefix("“\(scene.store)” is not removed, because 1 file of its values was")
      })
    #expect(
      try Program.sqlite3(
        scene.folder.path("New.sqlite"),
        "SELECT Z_PK, quote(ZPHOTO) FROM ZBOX ORDER BY 1"
      ) == "1|NULL\n2|X'612066696C65'\n3|X'0A0B'"
    )
  }

  @Test func `none at all is an error that names every place`() throws {
    try FileManager.default.removeItem(atPath: scene.store)
    let error = #expect(throws: DecantError.self) {
      try run([scene.store, scene.folder.path("b.sqlite")])
    }
    #expect(error?.family == .storeNotFound)
    #expect(
      error?.message.contains("b.sqlite") == true
        && error?.advice?.commandLine.contains("--else") == true
    )
  }
}
