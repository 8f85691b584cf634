import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What a copy enters in the persistent history of the store it adds to.
@Suite struct HistoryCopyTests {
  let kitchens: Kitchens

  init() throws {
    kitchens = try Kitchens()
    try kitchens.dropMirror()
  }

  private func query(_ sql: String) throws -> String {
    try Program.sqlite3(kitchens.syncMetadata, sql, isQuoted: true)
  }

  /// Objects of the store that have no insertion entered above change 34, or more than one.
  private static let mistaken = """
    WITH object(entity, key, added) AS (
      SELECT Z_ENT, Z_PK, Z_PK > 1 FROM ZCATEGORY UNION ALL SELECT Z_ENT, Z_PK, Z_PK > 1 FROM ZIMAGE
      UNION ALL SELECT Z_ENT, Z_PK, Z_PK > 15 FROM ZINGREDIENT
      UNION ALL SELECT Z_ENT, Z_PK, Z_PK > 4 FROM ZRECIPE
      UNION ALL SELECT Z_ENT, Z_PK, Z_PK > 9 FROM ZSTEP UNION ALL SELECT Z_ENT, Z_PK, Z_PK > 2 FROM ZTAG)
    SELECT count(*) FROM object WHERE added <> (SELECT count(*) FROM ACHANGE
      WHERE Z_PK > 34 AND ZCHANGETYPE = 0 AND ZENTITY = entity AND ZENTITYPK = key)
    """

  @Test func `every object that is added is entered as inserted, in one transaction`() throws {
    let old = try query("SELECT * FROM ACHANGE; SELECT * FROM ATRANSACTION")
    let report = try kitchens.copy(kitchens.guests, to: kitchens.syncMetadata) { $0.appends = true }
    #expect(report.isVerified && report.copiedCount == 61)
    #expect(try query(Self.mistaken) == "0")
    #expect(try query("SELECT count(*), min(Z_PK), max(Z_PK) FROM ACHANGE WHERE Z_PK > 34") == "61,35,95")
    #expect(try query("SELECT DISTINCT ZTRANSACTIONID FROM ACHANGE WHERE Z_PK > 34") == "4")
    #expect(
      try query("SELECT * FROM ACHANGE WHERE Z_PK <= 34; SELECT * FROM ATRANSACTION WHERE Z_PK <= 3")
        == old
    )
    // The author has a name of its own, and bundle and process the same.
    #expect(try query("SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK > 4") == "'decant'")
    #expect(
      try query(
        """
        SELECT Z_PK, Z_ENT, Z_OPT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, ZAUTHOR,
          ZBUNDLEID, ZCONTEXTNAME, ZPROCESSID, ZQUERYGEN, typeof(ZTIMESTAMP) FROM ATRANSACTION
        WHERE Z_PK > 3
        """
      ) == "4,16002,NULL,5,5,NULL,5,NULL,NULL,NULL,NULL,NULL,'real'"
    )
    // In seconds since 2001: within ten minutes of the test's own clock.
    let time = try #require(Double(try query("SELECT ZTIMESTAMP FROM ATRANSACTION WHERE Z_PK = 4")))
    #expect(abs(time - Date().timeIntervalSinceReferenceDate) < 600)
    let counters =
      "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT BETWEEN 16001 AND 16003 ORDER BY Z_ENT"
    #expect(try query(counters) == "95\n4\n5")
    #expect(try query("PRAGMA integrity_check") == "'ok'")
    #expect(report.notes.commandLine.contains { $0.contains("persistent history") })
  }

  @Test func `an entry has the shape of those that are there`() throws {
    try kitchens.copy(kitchens.guests, to: kitchens.syncMetadata) { $0.appends = true }
    let shape = """
      SELECT DISTINCT Z_ENT, typeof(Z_OPT), typeof(ZENTITY), typeof(ZENTITYPK),
        typeof(ZTRANSACTIONID), typeof(ZCOLUMNS), typeof(ZTOMBSTONE0) FROM ACHANGE WHERE ZCHANGETYPE = 0
      """
    #expect(try query(shape + " AND Z_PK > 34") == query(shape + " AND Z_PK <= 34"))
    let name = "SELECT DISTINCT Z_ENT, typeof(Z_OPT) FROM ATRANSACTIONSTRING"
    #expect(try query(name) == "16003,'null'")
  }

  @Test func `a second copy is a second transaction under the same name`() throws {
    for _ in 1...2 {
      try kitchens.copy(kitchens.guests, to: kitchens.syncMetadata) { $0.appends = true }
    }
    #expect(try query("SELECT Z_PK, ZAUTHORTS FROM ATRANSACTION WHERE Z_PK > 3") == "4,5\n5,5")
    #expect(
      try query("SELECT ZTRANSACTIONID, count(*) FROM ACHANGE WHERE Z_PK > 34 GROUP BY 1")
        == "4,61\n5,61"
    )
    #expect(try query(Self.mistaken) == "0")
  }

  @Test func `keys that history handed out before are not handed out again`() throws {
    _ = try query("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1000 WHERE Z_ENT > 16000")
    try kitchens.copy(kitchens.guests, to: kitchens.syncMetadata) { $0.appends = true }
    #expect(
      try query(
        """
        SELECT min(Z_PK), max(Z_PK) FROM ACHANGE WHERE Z_PK > 34;
        SELECT max(Z_PK) FROM ATRANSACTION; SELECT max(Z_PK) FROM ATRANSACTIONSTRING;
        SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT BETWEEN 16001 AND 16003 ORDER BY Z_ENT
        """
      ) == "1035,1095\n1004\n1005\n1095\n1004\n1005"
    )
  }

  @Test func `where transactions hold their names themselves, they get them there`() throws {
    // As stores of macOS 10.13 have it.
    _ = try query(
      """
      DROP TABLE ATRANSACTIONSTRING; DROP TABLE ATRANSACTION;
      DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 16003;
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR,
        ZQUERYGEN BLOB)
      """
    )
    try kitchens.copy(kitchens.guests, to: kitchens.syncMetadata) { $0.appends = true }
    #expect(
      try query(
        "SELECT Z_PK, Z_ENT, Z_OPT, ZAUTHOR, ZBUNDLEID, ZCONTEXTNAME, ZPROCESSID FROM ATRANSACTION"
      ) == "4,16002,NULL,'decant','decant',NULL,'decant'"
    )
    #expect(try query(Self.mistaken) == "0")
  }

  @Test func `what is left out is not entered`() throws {
    _ = try query("CREATE UNIQUE INDEX one_name ON ZTAG (ZNAME)")
    _ = try query("UPDATE ZTAG SET ZNAME = (SELECT 'vegetarian') WHERE Z_PK = 2")
    let tag = try Program.sqlite3(kitchens.guests, "SELECT ZNAME FROM ZTAG WHERE Z_PK = 2")
    _ = try query("UPDATE ZTAG SET ZNAME = '\(tag)' WHERE Z_PK = 1")
    let report = try kitchens.copy(kitchens.guests, to: kitchens.syncMetadata) {
      $0.appends = true
      $0.onError = .reject
      $0.filters = [.init(entity: "Step", expression: "duration IS NULL")]
    }
    #expect(report["Tag"]?.rejected ?? 0 > 0)
    #expect(report["Step"]?.filtered ?? 0 > 0)
    #expect(try query(Self.mistaken) == "0")
    #expect(try query("SELECT count(*) FROM ACHANGE WHERE Z_PK > 34") == "\(report.copiedCount)")
  }

  @Test func `a copy of nothing is no transaction`() throws {
    let before = try query("SELECT * FROM ATRANSACTION; SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT > 16000")
    let empty = kitchens.folder.path("empty.sqlite")
    try kitchens.copy(kitchens.guests, to: empty) {
      $0.filters = ["Category", "Image", "Ingredient", "Recipe", "Step", "Tag"].map {
        .init(entity: $0, expression: "0")
      }
    }
    let report = try kitchens.copy(empty, to: kitchens.syncMetadata) { $0.appends = true }
    #expect(report.copiedCount == 0)
    #expect(
      try query("SELECT * FROM ATRANSACTION; SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT > 16000")
        == before
    )
  }

  @Test func `a dry run says so and enters nothing`() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: kitchens.syncMetadata))
    let report = try kitchens.copy(kitchens.guests, to: kitchens.syncMetadata) {
      $0.appends = true
      $0.isDryRun = true
    }
    #expect(report.notes.commandLine.contains { $0.contains("persistent history") })
    #expect(try Data(contentsOf: URL(fileURLWithPath: kitchens.syncMetadata)) == before)
  }

  @Test(arguments: [1, 4, 9, 13])
  func `batch by batch, and cut off, every object is entered once`(count: Int) throws {
    var options = CopyOptions()
    options.appends = true
    options.commit = .batch
    options.batchSize = 5
    let cancellation = Cancellation()
    var batches = 0
    #expect(throws: DecantError.self) {
      try Copy(from: kitchens.guests, to: kitchens.syncMetadata, options: options)
        .run(cancellation: cancellation) { event in
          guard case .working(.progress(let progress), _) = event, progress.phase == .copy else {
            return
          }
          batches += 1
          if batches == count { cancellation.cancel() }
        }
    }
    #expect(try query("SELECT count(*) FROM ACHANGE WHERE Z_PK > 34") == "0")
    options.leftOver = .resume
    let report = try Copy(from: kitchens.guests, to: kitchens.syncMetadata, options: options).run()
    #expect(report.isVerified)
    #expect(try query(Self.mistaken) == "0")
    #expect(try query("SELECT Z_PK FROM ATRANSACTION WHERE Z_PK > 3") == "4")
    #expect(try query("SELECT count(*) FROM ACHANGE WHERE Z_PK > 34") == "61")
  }
}

/// Real stores: what is entered looks like what Core Data entered there.
@Suite(.enabled(if: Fixtures.areAvailable)) struct FixtureHistoryTests {
  @Test func `a real store's history takes the copy of its own objects`() throws {
    let file = "plaso-knowledgec-10.13/knowledgec-10.13.db"
    let (one, other) = (try TemporaryFolder(), try TemporaryFolder())
    let source = try Fixtures.copyStore(file, into: one.url).path
    let store = try Fixtures.copyStore(file, into: other.url).path
    let last = try Program.sqlite3(store, "SELECT max(Z_PK) FROM ACHANGE")
    var options = CopyOptions()
    options.appends = true
    let report = try Copy(from: source, to: store, options: options).run()
    let columns = try Program.sqlite3(
      store,
      "SELECT group_concat('typeof(' || name || ')') FROM pragma_table_info('ACHANGE')"
    )
    let shape = "SELECT DISTINCT \(columns), Z_ENT FROM ACHANGE WHERE ZCHANGETYPE = 0 AND Z_PK"
    #expect(
      try Program.sqlite3(store, "\(shape) > \(last)")
        == Program.sqlite3(store, "\(shape) <= \(last)")
    )
    #expect(
      try Program.sqlite3(store, "SELECT count(*) FROM ACHANGE WHERE Z_PK > \(last)")
        == "\(report.copiedCount)"
    )
    #expect(report.copiedCount > 0)
    let author =
      "SELECT ZAUTHOR, ZBUNDLEID, ZPROCESSID FROM ATRANSACTION ORDER BY Z_PK DESC LIMIT 1"
    #expect(try Program.sqlite3(store, author) == "decant|decant|decant")
  }
}
