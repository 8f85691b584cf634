import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Values above the size that is read at once.
@Suite struct LargeValueTests {
  private let kitchens: Kitchens

  init() throws {
    kitchens = try Kitchens()
  }

  private func enlarge(_ key: Int, to byteCount: Int) throws {
    _ = try Program.sqlite3(kitchens.kitchen, "UPDATE ZIMAGE SET ZDATA = randomblob(\(byteCount)) WHERE Z_PK = \(key)")
  }

  /// Values of images that are not the same as in the kitchen, `distance` keys further on.
  private func differences(_ distance: Int) throws -> String {
    try Program.sqlite3(
      kitchens.out,
      """
      ATTACH '\(kitchens.kitchen)' AS k; SELECT count(*), count(*) FILTER (WHERE n.ZDATA IS NOT o.ZDATA)
      FROM k.ZIMAGE AS o LEFT JOIN main.ZIMAGE AS n ON n.Z_PK = o.Z_PK + \(distance)
      """
    )
  }

  @Test func `large values arrive by every way, one by one and side by side`() throws {
    for key in [1, 4, 5, 9] { try enlarge(key, to: 9_000_000) }
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    #expect(report.isVerified)
    #expect(try differences(0) == "9|0")
    let whole = try #require(report["RecipeImage"])
    #expect(try #require(whole.byteCount) > 9_000_000)
    for batchSize: Int64 in [1, 2, 100] {
      try FileManager.default.removeItem(atPath: kitchens.out)
      let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out) {
        $0.filters = [.everything]
        $0.batchSize = batchSize
      }
      #expect(report.isVerified)
      #expect(report["RecipeImage"]?.hash == whole.hash)
      #expect(report["RecipeImage"]?.byteCount == whole.byteCount)
      #expect(try differences(0) == "9|0")
    }
    try FileManager.default.removeItem(atPath: kitchens.out)
    try FileManager.default.copyItem(atPath: kitchens.guests, toPath: kitchens.out)
    let ids = kitchens.folder.path("ids.sqlite")
    #expect(
      try kitchens.copy(kitchens.kitchen, to: kitchens.out) {
        $0.appends = true
        $0.idTableFile = ids
      }.isVerified
    )
    #expect(try differences(4) == "9|0")
    #expect(try Program.sqlite3(kitchens.out, "PRAGMA integrity_check") == "ok")
  }

  @Test func `a byte in the middle of a large value is proven, too`() throws {
    try enlarge(4, to: 9_000_000)
    _ = try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    #expect(try Verify(kitchens.kitchen, against: kitchens.out).run().isEqual)
    _ = try Program.sqlite3(
      kitchens.out,
      """
      UPDATE ZIMAGE SET ZDATA = CAST(substr(ZDATA, 1, 5000000) || CASE hex(substr(ZDATA, 5000001, 1))
      WHEN '00' THEN x'01' ELSE x'00' END || substr(ZDATA, 5000002) AS BLOB) WHERE Z_PK = 4
      """
    )
    let report = try Verify(kitchens.kitchen, against: kitchens.out).run()
    #expect(!report.isEqual)
    #expect(report.differences.map(\.description) == ["StepImage p4 differs in data"])
  }

  @Test func `an object that is refused between large ones leaves the others`() throws {
    for key in [1, 3] { try enlarge(key, to: 9_000_000) }
    try FileManager.default.copyItem(atPath: kitchens.guests, toPath: kitchens.out)
    _ = try Program.sqlite3(kitchens.out, "CREATE UNIQUE INDEX caption ON ZIMAGE (ZCAPTION) WHERE ZCAPTION = 'twice'")
    _ = try Program.sqlite3(kitchens.kitchen, "UPDATE ZIMAGE SET ZCAPTION = 'twice' WHERE Z_PK IN (1, 2)")
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out) {
      $0.appends = true
      $0.onError = .reject
    }
    #expect(report.isVerified)
    #expect(report.rejectedCount == 1)
    #expect(try differences(4) == "9|1")
  }

  @Test(.disabled(if: Sanitizer.isActive, "a sanitizer needs memory of its own"))
  func `memory does not grow with a value`() throws {
    try enlarge(4, to: 80_000_000)
    for options in [[], ["--resume"]] {
      let run = try Program.run(
        [DecantProgram.path, "copy", "Kitchen.sqlite", "copy\(options.count).sqlite", "--json"]
          + ["--memory", "8MiB"] + options,
        in: kitchens.folder.url
      )
      let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      let members = try #require(document as? [String: Any])
      #expect(try #require(members["peakMemoryBytes"] as? Int) < 64_000_000)
    }
  }
}
