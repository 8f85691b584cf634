import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Keys at both ends of their range, and one that is no number.
@Suite struct KeyRangeTests {
  private let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  @Test(arguments: [false, true])
  func `the smallest and the largest key can be written down`(rowByRow: Bool) throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (-9223372036854775808, 8, 1, 'least'),
        (-9223372036854775807, 8, 1, 'next'), (9223372036854775806, 8, 1, 'last but one'),
        (9223372036854775807, 8, 1, 'last');
      INSERT INTO Z_6TAGS VALUES (1, -9223372036854775808), (1, 9223372036854775807)
      """
    )
    let ids = kitchens.folder.path("ids.sqlite")
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out) {
      if rowByRow { $0.filters = [.everything] }
      $0.idTableFile = ids
    }
    #expect(report.isVerified)
    let keys = "SELECT Z_PK FROM ZTAG ORDER BY Z_PK"
    #expect(try Program.sqlite3(kitchens.out, keys) == Program.sqlite3(kitchens.kitchen, keys))
    #expect(try Program.sqlite3(ids, "SELECT count(*) > 1 FROM ids WHERE entity = 'Tag'") == "1")
    var verify = Verify(kitchens.kitchen, against: kitchens.out)
    verify.idTableFile = ids
    #expect(try verify.run().isEqual)
    // Where they are given others, too.
    let more = kitchens.folder.path("more.sqlite")
    let added = try kitchens.copy(kitchens.kitchen, to: kitchens.guests) {
      $0.appends = true
      $0.idTableFile = more
    }
    #expect(added.isVerified)
    #expect(try Program.sqlite3(kitchens.guests, "SELECT count(*) FROM ZTAG") == "13")
  }

  @Test func `a store whose keys are used up is not added to`() throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (9223372036854775807, 8, 1)"
    )
    let before = Kitchens.bytes(of: kitchens.kitchen)
    #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
        $0.appends = true
        $0.idTableFile = kitchens.folder.path("ids.sqlite")
      }
    }
    #expect(Kitchens.bytes(of: kitchens.kitchen) == before)
  }

  /// A key that two objects have, or that is none: whoever makes the table without a key of its own can write such.
  @Test(arguments: ["5", "1", "NULL", "3.5", "'five'", "x'05'"], CopyWay.allCases)
  func `a key that is not one object's is damage, proven or not`(key: String, way: CopyWay) throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      ALTER TABLE ZTAG RENAME TO old;
      CREATE TABLE ZTAG (Z_PK, Z_ENT INTEGER, Z_OPT INTEGER, ZCOLOR INTEGER, ZNAME VARCHAR, ZUUID BLOB);
      INSERT INTO ZTAG SELECT * FROM old; DROP TABLE old;
      UPDATE ZTAG SET Z_PK = \(key) WHERE Z_PK = 2
      """
    )
    let guests = Kitchens.bytes(of: kitchens.guests)
    for isVerified in [true, false] {
      let error = #expect(throws: DecantError.self) {
        try kitchens.copy(kitchens.kitchen, to: way == .appended ? kitchens.guests : kitchens.out) {
          $0.verifies = isVerified
          $0.appends = way == .appended
          if way == .rows { $0.filters = [.everything] }
        }
      }
      #expect(error?.family == .corruptStore)
      #expect(error?.description.contains("Z_PK") == true, "\(String(describing: error))")
    }
    #expect(Kitchens.bytes(of: kitchens.out) == nil && Kitchens.bytes(of: kitchens.guests) == guests)
  }

  enum CopyWay: CaseIterable { case pages, rows, appended }

  @Test(arguments: [false, true])
  func `a key that is text is named as damage`(rowByRow: Bool) throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      ALTER TABLE ZTAG RENAME TO old;
      CREATE TABLE ZTAG (Z_PK, Z_ENT INTEGER, Z_OPT INTEGER, ZCOLOR INTEGER, ZNAME VARCHAR,
        ZUUID BLOB);
      INSERT INTO ZTAG SELECT * FROM old; DROP TABLE old;
      UPDATE ZTAG SET Z_PK = 'six' WHERE Z_PK = 6
      """
    )
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.kitchen, to: kitchens.out, rowByRow: rowByRow)
    }
    #expect(error?.family == .corruptStore)
    #expect(error?.description.uppercased().contains("TAG") == true)
    #expect(Kitchens.bytes(of: kitchens.out) == nil)
  }
}
