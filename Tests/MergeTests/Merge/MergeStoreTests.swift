import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Core Data stores merged: lists, books, history, files and derived values are as an app expects them.
@Suite struct MergeStoreTests {
  private let kitchens: Kitchens
  private var mine: String { kitchens.kitchen }
  private var theirs: String { kitchens.folder.path("Theirs.sqlite") }

  /// Theirs is the kitchen as well, at first.
  init() throws {
    kitchens = try Kitchens()
    try FileManager.default.copyItem(atPath: kitchens.kitchen, toPath: theirs)
  }

  @discardableResult
  private func merge(
    _ policy: MergePolicy = .skip,
    into destination: String? = nil,
    options change: (inout CopyOptions) -> Void = { _ in }
  ) throws -> CopyReport {
    try kitchens.copy(theirs, to: destination ?? mine) {
      var rules = MergeRules(policy)
      rules.identities = ["Recipe": ["uuid"], "Image": ["uuid"]]
      $0.merge = rules
      $0.purpose = .merge
      change(&$0)
    }
  }

  private func change(_ sql: String, in store: String? = nil) throws {
    _ = try Program.sqlite3(store ?? theirs, sql)
  }

  private func query(_ sql: String, in store: String? = nil) throws -> String {
    try Program.sqlite3(store ?? mine, sql)
  }

  @Test(arguments: [1, 2, 4, 19, 22, 40, 41, 42])
  func `a step that was deleted comes back to its place, and no other step changes`(step: Int) throws {
    let list = "SELECT ZRECIPE, Z_PK, Z_FOK_RECIPE, Z_OPT, ZTEXT FROM ZSTEP ORDER BY ZRECIPE, Z_FOK_RECIPE"
    let places = "SELECT ZRECIPE, Z_FOK_RECIPE, ZTEXT FROM ZSTEP ORDER BY ZRECIPE, Z_FOK_RECIPE"
    try change("DELETE FROM ZSTEP WHERE Z_PK = \(step)", in: mine)
    let left = try query(list).split(separator: "\n")
    #expect(try merge().copiedCount == 1)
    #expect(try query(places) == query(places, in: theirs))
    #expect(Set(left).isSubset(of: try query(list).split(separator: "\n")))
    #expect(try Verify(theirs, against: mine).run().isEqual)
    #expect(try merge().copiedCount == 0)
  }

  @Test func `what is new in a list comes behind what it follows in the source`() throws {
    // Two new steps, one in front of the others and one between them.
    try change(
      """
      INSERT INTO ZSTEP SELECT 900 + value, Z_ENT, 1, 1, (SELECT min(Z_FOK_RECIPE) FROM ZSTEP WHERE ZRECIPE = 1) + d,
        60, t, randomblob(16) FROM (SELECT * FROM ZSTEP LIMIT 1), (SELECT 2 AS value, -5 AS d, 'new first' AS t
        UNION ALL SELECT 1, 5, 'new second');
      UPDATE Z_PRIMARYKEY SET Z_MAX = 902 WHERE Z_NAME = 'Step'
      """
    )
    let list = "SELECT ZTEXT FROM ZSTEP WHERE ZRECIPE = 1 ORDER BY Z_FOK_RECIPE"
    let before = try query(list)
    #expect(try merge().copiedCount == 2)
    let steps = before.split(separator: "\n")
    #expect(try query(list) == (["new first", steps[0], "new second"] + steps.dropFirst()).joined(separator: "\n"))
    #expect(
      try query("SELECT max(Z_PK) <= max(Z_MAX) FROM ZSTEP, Z_PRIMARYKEY WHERE Z_NAME = 'Step'")
        == "1"
    )
    let once = try Kitchens.rows(of: mine)
    #expect(try merge().copiedCount == 0)
    #expect(try Kitchens.rows(of: mine) == once)
  }

  @Test
  func `a new object keeps a key that was never handed out, and others follow behind the highest`() throws {
    let counter = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'"
    let highest = try #require(Int(query(counter)))
    try change("UPDATE ZTAG SET ZNAME = 'brand new', ZUUID = randomblob(16) WHERE Z_PK = 2")
    try merge()
    #expect(try query("SELECT Z_PK FROM ZTAG WHERE ZNAME = 'brand new'") == "\(highest + 1)")
    #expect(try query(counter) == "\(highest + 1)")
    try change(
      "UPDATE ZTAG SET ZNAME = 'near', ZUUID = randomblob(16) WHERE Z_PK = 1; UPDATE ZTAG SET Z_PK = 900, ZNAME = 'far', ZUUID = randomblob(16) WHERE Z_PK = 3"
    )
    try merge()
    let keys =
      "SELECT group_concat(Z_PK) FROM (SELECT Z_PK FROM ZTAG WHERE ZNAME IN ('near', 'far') ORDER BY 1)"
    #expect(try query(keys) == "900,901")
    #expect(try query(counter) == "901")
  }

  @Test func `an object that takes other values was saved once more`() throws {
    try change("UPDATE ZRECIPE SET ZTITLE = 'another', ZCATEGORY = NULL WHERE Z_PK IN (2, 3)")
    let saves = try query("SELECT group_concat(Z_OPT + (Z_PK IN (2, 3))) FROM ZRECIPE")
    let report = try merge(.update)
    #expect(report["Recipe"]?.updated == 2 && report.isVerified)
    #expect(try query("SELECT group_concat(Z_OPT) FROM ZRECIPE") == saves)
    #expect(
      try query("SELECT ZTITLE, ZCATEGORY FROM ZRECIPE WHERE Z_PK IN (2, 3)")
        == "another|\nanother|"
    )
  }

  @Test func `an object in an ordered list takes other values, and its place stays`() throws {
    try change("UPDATE ZSTEP SET ZTEXT = 'another' WHERE Z_PK = 2")
    let list = "SELECT Z_PK, Z_FOK_RECIPE FROM ZSTEP ORDER BY 1"
    let before = try query(list)
    let report = try merge(.update) { $0.merge?.identities["Step"] = ["uuid"] }
    #expect(report["Step"]?.updated == 1)
    #expect(try query(list) == before)
    #expect(try query("SELECT ZTEXT FROM ZSTEP WHERE Z_PK = 2") == "another")
  }

  @Test func `history tells of what was added and of what was changed`() throws {
    try kitchens.dropMirror()
    let store = kitchens.syncMetadata
    try FileManager.default.removeItem(atPath: theirs)
    try FileManager.default.copyItem(atPath: store, toPath: theirs)
    try change(
      """
      UPDATE ZRECIPE SET ZTITLE = 'another' WHERE Z_PK = 2;
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT 40, Z_ENT, 1, 'new' FROM ZTAG LIMIT 1
      """
    )
    let last = try query("SELECT max(Z_PK) FROM ACHANGE", in: store)
    try merge(.update, into: store)
    // One insertion and one update, of one transaction.
    #expect(
      try query(
        """
        SELECT ZCHANGETYPE, ZENTITY = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = iif(ZCHANGETYPE = 1, 'Recipe', 'Tag')),
          ZENTITYPK = iif(ZCHANGETYPE = 1, 2, (SELECT max(Z_PK) FROM ZTAG)), ZTRANSACTIONID =
          (SELECT max(Z_PK) FROM ATRANSACTION), length(ZCOLUMNS)
        FROM ACHANGE WHERE Z_PK > \(last) ORDER BY 1
        """,
        in: store
      ) == "0|1|1|1|\n1|1|1|1|4"
    )
    #expect(
      try query(
        "SELECT (SELECT max(Z_PK) FROM ACHANGE) = Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'CHANGE'",
        in: store
      ) == "1"
    )
  }

  @Test func `a picture that is taken over comes with its file`() throws {
    let names = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"]
    for (store, name, byte) in [("Kitchen", names[0], UInt8(1)), ("Theirs", names[1], 2)] {
      let files = kitchens.folder.url.appendingPathComponent(".\(store)_SUPPORT/_EXTERNAL_DATA")
      try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
      try Data(repeating: byte, count: 200_000).write(to: files.appendingPathComponent(name))
      let hex = Data(name.utf8).map { String(format: "%02x", $0) }.joined()
      try change("UPDATE ZIMAGE SET ZDATA = x'02\(hex)00' WHERE Z_PK = 1", in: kitchens.folder.path("\(store).sqlite"))
    }
    let report = try merge(.update)
    #expect(report["RecipeImage"]?.updated == 1 && report.isVerified)
    let value = try query("SELECT hex(substr(ZDATA, 2, length(ZDATA) - 2)) FROM ZIMAGE WHERE Z_PK = 1")
    let bytes = try #require(value.isEmpty ? nil : value)
    let name = try query("SELECT CAST(x'\(bytes)' AS TEXT)")
    let file = kitchens.folder.url.appendingPathComponent(".Kitchen_SUPPORT/_EXTERNAL_DATA/\(name)")
    #expect(FileManager.default.contents(atPath: file.path) == Data(repeating: 2, count: 200_000))
    #expect(try merge(.update).entities.allSatisfy { $0.updated == 0 })
  }

  @Test func `a backup is the store as it was`() throws {
    try change("UPDATE ZRECIPE SET ZTITLE = 'another' WHERE Z_PK = 2")
    let before = try Kitchens.rows(of: mine)
    try merge(.update) { $0.keepsBackup = true }
    #expect(try Kitchens.rows(of: mine) != before)
    #expect(try Kitchens.rows(of: mine + ".backup-1") == before)
  }

  @Test(.enabled(if: Fixtures.areAvailable), arguments: GroundTruth.names(from: 2))
  func `a real store merged into itself stays as it is, to the byte`(name: String) throws {
    let folder = try TemporaryFolder()
    let expected = try GroundTruth(of: name)
    // A store that does not hold its model cannot be added to.
    guard expected.model == nil else { return }
    let source = try Fixtures.copyStore(expected.file, into: folder.url).path
    let place = folder.url.appendingPathComponent("mine")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    let copy = try Fixtures.copyStore(expected.file, into: place).path
    _ = try Program.sqlite3(copy, "PRAGMA wal_checkpoint(TRUNCATE)")
    let before = FileManager.default.contents(atPath: copy)
    var options = CopyOptions()
    options.merge = MergeRules(.error)
    options.writesMirroredStore = true
    let report = try Copy(from: source, to: copy, options: options).run()
    #expect(FileManager.default.contents(atPath: copy) == before)
    #expect(report.entities.allSatisfy { $0.merge?.same == $0.source }, "\(name)")
    #expect(report.links.copied == 0)
  }

  @Test(.enabled(if: Fixtures.areAvailable))
  func `a count that is derived is right again where parts were added`() throws {
    let folder = try TemporaryFolder()
    let expected = try GroundTruth(of: "cdp-samplemodel2-v2")
    let source = try Fixtures.copyStore(expected.file, into: folder.url).path
    let destination = folder.path("mine.sqlite")
    try Copy(from: source, to: destination).run()
    // Triggers call functions that only Core Data has.
    _ = try Program.sqlite3(
      destination,
      """
      DROP TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_DELETE;
      DELETE FROM ZPAGE WHERE Z_PK IN (SELECT Z_PK FROM ZPAGE WHERE ZBOOK NOT NULL LIMIT 3);
      UPDATE ZBOOK SET ZPAGESCOUNT = (SELECT count(*) FROM ZPAGE WHERE ZBOOK = ZBOOK.Z_PK)
      """
    )
    var options = CopyOptions()
    options.merge = MergeRules(.update)
    let report = try Copy(from: source, to: destination, options: options).run()
    #expect(report.copiedCount > 0 && report.isVerified)
    #expect(
      try Program.sqlite3(
        destination,
        "SELECT count(*) FROM ZBOOK AS b WHERE ZPAGESCOUNT IS NOT (SELECT count(*) FROM ZPAGE WHERE ZBOOK = b.Z_PK)"
      ) == "0"
    )
  }
}
