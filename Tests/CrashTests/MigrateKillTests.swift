import Foundation
import TestSupport
import Testing

/// Kills a migration before a certain call of those that change a file, so that no state of its files is missed.
///
/// Before every call of the exchange and every fifteenth before it with `DECANT_SLOW=1`, before a few else; `DECANT_CALL` kills
/// before one call alone.
@Suite(.serialized, .enabled(if: FaultShim.isAvailable)) struct MigrateKillTests {
  /// What is migrated.
  enum Scene: String, CaseIterable {
    /// A store that keeps no log, and one with changes in its log alone.
    case plain, log
    /// The same where the file system cannot exchange names.
    case plainRenames, logAndPlainRenames

    var hasPlainRenames: Bool { rawValue.hasSuffix("lainRenames") }
    var hasLog: Bool { self == .log || self == .logAndPlainRenames }
  }

  private static let store = "Tags.sqlite"
  private let folder: TemporaryFolder
  private var template: URL { folder.url.appendingPathComponent("template") }
  private var stage: URL { folder.url.appendingPathComponent("stage") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: template, withIntermediateDirectories: false)
  }

  private func prepare(_ scene: Scene) throws {
    let place = template.appendingPathComponent(Self.store)
    _ = try Program.sqlite3(place.path, Self.statements)
    try write(Self.model(""), "Tags.xcdatamodel")
    try write(
      Self.model(#"<attribute name="rank" attributeType="Integer 16" defaultValueString="3"/>"#),
      "Tags 2.xcdatamodel"
    )
    let current = try PropertyListSerialization.data(
      fromPropertyList: ["_XCCurrentVersionName": "Tags 2.xcdatamodel"],
      format: .xml,
      options: 0
    )
    try current.write(to: template.appendingPathComponent("Tags.xcdatamodeld/.xccurrentversion"))
    if scene.hasLog {
      _ = try Program.sqlite3(place.path, "PRAGMA journal_mode = wal")
      try LeftBehind.log(of: place.path, "UPDATE ZTAG SET ZNAME = 'of the log' WHERE Z_PK = 7")
    }
  }

  private static func model(_ more: String) -> String {
    """
    <model><entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/>\(more)</entity></model>
    """
  }

  /// A store as Core Data makes it, of one entity and without its model.
  private static let statements = """
    CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Tag', 0, 60);
    INSERT INTO Z_METADATA VALUES (1, 'C0C0A000-0000-4000-8000-000000000004', NULL);
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
    INSERT INTO ZTAG SELECT i, 1, 1, 'tag ' || i FROM n
    """

  private func write(_ content: String, _ name: String) throws {
    let place = template.appendingPathComponent("Tags.xcdatamodeld/\(name)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Data(content.utf8).write(to: place.appendingPathComponent("contents"))
  }

  private func reset() throws {
    try? FileManager.default.removeItem(at: stage)
    try FileManager.default.copyItem(at: template, to: stage)
  }

  /// Everything that the `sqlite3` program finds in a store; `nil` where there is none.
  private func content(_ name: String, in place: URL) throws -> String? {
    let path = place.appendingPathComponent(name).path
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try Program.sqlite3(path, "PRAGMA integrity_check") + Program.sqlite3(path, ".dump")
  }

  /// The contents of the store and of its backup, of a copy of all files or, with `isOpened`, where they lie.
  private func contents(isOpened: Bool = false) throws -> [String?] {
    var place = stage
    if !isOpened {
      place = folder.url.appendingPathComponent("look")
      try? FileManager.default.removeItem(at: place)
      try FileManager.default.copyItem(at: stage, to: place)
    }
    return try ["", ".backup-1"].map { try content(Self.store + $0, in: place) }
  }

  private func run(_ scene: Scene, _ arguments: [String] = Self.migrate, killedAt call: Int) throws -> Program {
    var fault = Fault(kind: .change, number: call, error: call % 2 == 0 ? 0 : EIO, kills: true)
    fault.hasPlainRenames = scene.hasPlainRenames
    return try Program.run(
      [DecantProgram.path] + arguments + ["--quiet"],
      in: stage,
      environment: fault.environment(in: stage, report: folder.path("report"))
    )
  }

  private static let migrate = [
    "migrate", store, "--to", "Tags.xcdatamodeld", "--unversioned",
  ]

  private func calls(of count: Int) -> [Int] {
    let environment = ProcessInfo.processInfo.environment
    if let call = environment["DECANT_CALL"].flatMap({ Int($0) }) { return [call] }
    // The last ones are where the names change.
    let last = max(1, count - 40)
    guard Effort.isThorough else {
      return [count / 3, count - 20, count - 14, count - 10, count - 6, count - 2, count]
        .filter { $0 > 0 }
    }
    return Array(stride(from: 1, to: last, by: 15)) + Array(last...count)
  }

  @Test(arguments: Scene.allCases)
  func `killed at any moment, exactly the old or exactly the new store is there`(scene: Scene) throws {
    try prepare(scene)
    try reset()
    let before = try contents()[0]
    let whole = try run(scene, killedAt: 0)
    #expect(whole.status == 0, "\(whole.errors)")
    let count = FaultReport(folder.path("report")).counts[.change] ?? 0
    #expect(count > 40)
    let after = try contents()
    #expect(after[1] == before && after[0] != before)
    let names = Set(try FileManager.default.contentsOfDirectory(atPath: stage.path))
    var met: Set<String> = []
    for (turn, call) in calls(of: count).enumerated() {
      let note: Comment = "\(scene), DECANT_CALL=\(call) of \(count)"
      try reset()
      #expect(try run(scene, killedAt: call).isCrash, note)
      let left = try contents(isOpened: call % 4 < 2)
      let isDone = left[0] == after[0]
      met.insert(isDone ? "after" : "before")
      #expect(isDone || left[0] == before, note)
      if turn % 2 == 0 {
        // The next run completes it, whatever is left.
        let again = try run(scene, killedAt: 0)
        #expect(again.status == 0, "\(note): \(again.errors)")
        #expect(try contents() == after, note)
      } else {
        // Rollback ends it, or undoes it: the old store is there either way.
        let back = try run(scene, ["rollback", Self.store], killedAt: 0)
        // Where it was killed before it had begun there is nothing to undo.
        let isNothing = back.status == 1 && back.errors.contains("nothing to restore")
        #expect(back.status == 0 || (isNothing && !isDone), "\(note): \(back.errors)")
        #expect(try contents()[0] == before, note)
      }
      let litter = Set(try FileManager.default.contentsOfDirectory(atPath: stage.path))
        .subtracting(names).filter { name in
          // What whoever opens the store next removes.
          !["-shm", "-wal", "-journal"].contains { name.hasSuffix($0) }
        }
      #expect(litter.isEmpty, "\(note): \(litter)")
    }
    if Effort.isThorough {
      #expect(met == ["before", "after"], "\(scene)")
      print("migration kills, \(scene): \(calls(of: count).count) of \(count) calls")
    }
  }

  // MARK: With a table of keys

  /// The table of keys, as the `sqlite3` program reads it; `nil` where there is none yet.
  private func keys() throws -> String? {
    let path = stage.appendingPathComponent("ids.sqlite").path
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try Program.sqlite3(
      path,
      "SELECT * FROM ids ORDER BY entity, source; SELECT * FROM about WHERE key LIKE '%.uuid' ORDER BY key"
    )
  }

  @Test(arguments: Scene.allCases)
  func `killed between the exchange and the table of keys, the next run writes it`(scene: Scene) throws {
    try prepare(scene)
    try reset()
    let arguments = Self.migrate + ["--keep-ids", "ids.sqlite"]
    let whole = try run(scene, arguments, killedAt: 0)
    #expect(whole.status == 0, "\(whole.errors)")
    let count = FaultReport(folder.path("report")).counts[.change] ?? 0
    let (after, expected) = (try contents(), try keys())
    #expect(expected?.hasPrefix("Tag|1|1|60|copied|Tag") == true, "\(expected ?? "none")")
    let names = Set(try FileManager.default.contentsOfDirectory(atPath: stage.path))
    var isMet = false
    for call in stride(from: count, to: max(0, count - 40), by: Effort.isThorough ? -1 : -2) {
      let note: Comment = "\(scene), call \(call) of \(count)"
      try reset()
      #expect(try run(scene, arguments, killedAt: call).isCrash, note)
      let isDone = try contents()[0] == after[0]
      let table = try keys()
      // The table tells of no store that is not in place, and it is whole.
      #expect(table == nil || (isDone && table == expected), note)
      if isDone, table == nil { isMet = true }
      let again = try run(scene, arguments, killedAt: 0)
      #expect(again.status == 0, "\(note): \(again.errors)")
      #expect(try contents() == after && keys() == expected, note)
      let litter = Set(try FileManager.default.contentsOfDirectory(atPath: stage.path))
        .subtracting(names).filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }
      #expect(litter.isEmpty, "\(note): \(litter)")
    }
    #expect(isMet, "no kill met the moment in question")
  }

  // MARK: Moved, and the old one removed

  private static let move = migrate + ["--place", "New.sqlite", "--remove-old"]

  /// What lies in the stage and is not there before or while somebody reads.
  private func litter(_ known: Set<String>) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: stage.path)).subtracting(known).filter {
      !$0.hasSuffix("-shm") && !$0.hasSuffix("New.sqlite-wal")
    }
  }

  @Test(arguments: [Scene.plain, .log])
  func `killed while it moves, the next run ends it and nothing is lost`(scene: Scene) throws {
    try prepare(scene)
    let files = template.appendingPathComponent(".Tags_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    try Data("a file".utf8).write(to: files.appendingPathComponent(UUID().uuidString))
    try reset()
    let before = try contents()[0]
    #expect(try run(scene, Self.move, killedAt: 0).status == 0)
    let count = FaultReport(folder.path("report")).counts[.change] ?? 0
    let after = try content("New.sqlite", in: stage)
    let known: Set<String> = ["New.sqlite", "Tags.xcdatamodeld"]
    #expect(try after != nil && litter(known).isEmpty)
    let last = max(1, count - 30)
    let calls =
      Array(stride(from: 1, to: last, by: Effort.isThorough ? 15 : 60))
      + Array(stride(from: last, through: count, by: Effort.isThorough ? 1 : 3))
    for call in calls {
      let note: Comment = "\(scene), call \(call) of \(count)"
      try reset()
      #expect(try run(scene, Self.move, killedAt: call).isCrash, note)
      let isMade = FileManager.default.fileExists(atPath: stage.path + "/New.sqlite")
      let isThere = FileManager.default.fileExists(atPath: stage.path + "/" + Self.store)
      #expect(isMade || isThere, note)
      if !isMade, call % 2 == 0 {
        // An app that finds no store at the new place begins one.
        try makeEmpty()
        let again = try run(scene, Self.move, killedAt: 0)
        #expect(again.status == 0, "\(note): \(again.errors)")
        #expect(FileManager.default.fileExists(atPath: stage.path + "/" + Self.store), note)
      } else if isMade, isThere, call % 4 == 0 {
        // Somebody writes to the old one.
        _ = try Program.sqlite3(stage.path + "/" + Self.store, "UPDATE ZTAG SET ZNAME = 'later' WHERE Z_PK = 1")
        #expect(try run(scene, Self.move, killedAt: 0).status == 0, note)
        #expect(try content(Self.store, in: stage)?.contains("later") == true, note)
      } else {
        let again = try run(scene, Self.move, killedAt: 0)
        #expect(again.status == 0, "\(note): \(again.errors)")
        #expect(try content("New.sqlite", in: stage) == after, note)
        let left = try litter(known)
        // Between the new store's name and the note that the old one is to go, nobody knows that it is: it stays, whole.
        let old: Set = [Self.store, Self.store + "-wal", ".Tags_SUPPORT"]
        #expect(left.isEmpty || left.isSubset(of: old), "\(note): \(left)")
        if !left.isEmpty { #expect(try content(Self.store, in: stage) == before, note) }
        if isMade, !isThere { #expect(left.isEmpty, "\(note): \(left)") }
      }
    }
  }

  /// A store of the wanted version without a row, as an app makes it.
  private func makeEmpty() throws {
    _ = try Program.sqlite3(
      stage.path + "/New.sqlite",
      Self.statements.replacing("C0C0A000", with: "C0C0A001")
        + "; DELETE FROM ZTAG; ALTER TABLE ZTAG ADD COLUMN ZRANK INTEGER"
    )
  }
}
