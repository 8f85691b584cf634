import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Values that are large, or lie in files beside a Core Data store: in the rows of a plain database.
@Suite struct ObjectsFileTests {
  private let kitchens: Kitchens
  private var plain: String { kitchens.folder.path("plain.db") }
  private let names = [
    "0A1B2C3D-1111-4222-8333-000000000001", "0A1B2C3D-1111-4222-8333-000000000002",
    "0A1B2C3D-1111-4222-8333-000000000003",
  ]

  /// Images 1, 2 and 3 refer to files: a large one, a small one, and one that is lost.
  init() throws {
    kitchens = try Kitchens()
    let files = kitchens.folder.url.appendingPathComponent(".Kitchen_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    for (index, name) in names.enumerated() {
      let hex = Data(name.utf8).map { String(format: "%02x", $0) }.joined()
      _ = try Program.sqlite3(kitchens.kitchen, "UPDATE ZIMAGE SET ZDATA = x'02\(hex)00' WHERE Z_PK = \(index + 1)")
    }
    var content = Data((0..<9_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })
    try content.write(to: files.appendingPathComponent(names[0]))
    content.removeLast(8_999_000)
    try content.write(to: files.appendingPathComponent(names[1]))
  }

  private func file(_ index: Int) -> String {
    kitchens.folder.path(".Kitchen_SUPPORT/_EXTERNAL_DATA/\(names[index])")
  }

  /// Whether the plain table has the bytes of the file, as the `sqlite3` program compares them.
  private func holds(_ index: Int, as key: Int) throws -> Bool {
    try Program.sqlite3(plain, "SELECT data = readfile('\(file(index))') FROM Image WHERE id = \(key)") == "1"
  }

  @Test func `files come to lie in rows, and a lost one is counted`() throws {
    let report = try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)")
    #expect(report.isVerified)
    #expect(report.files.copied == 2)
    #expect(report.files.missing == 1)
    #expect(try holds(0, as: 1))
    #expect(try holds(1, as: 2))
    #expect(try Program.sqlite3(plain, "SELECT typeof(data) FROM Image WHERE id = 3") == "null")
    #expect(try Verify(kitchens.kitchen, against: plain).run().isEqual)
    // One byte in the file is a difference.
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file(0)))
    try handle.seek(toOffset: 5_000_000)
    handle.write(Data([0x55, 0xaa, 0x55]))
    try handle.close()
    let changed = try Verify(kitchens.kitchen, against: plain).run()
    #expect(changed.differences.map(\.description) == ["RecipeImage p1 differs in data"])
  }

  /// 8 MiB is what is copied in one piece; a mark makes a value one byte longer on one side.
  @Test func `large bytes go and come, on either side of what is copied in one piece`() throws {
    let limit = 8 << 20
    for (key, count) in [(4, limit - 1), (5, limit), (6, limit + 1), (7, 12_000_000)] {
      _ = try Program.sqlite3(
        kitchens.kitchen,
        "UPDATE ZIMAGE SET ZDATA = CAST(x'01' || randomblob(\(count)) AS BLOB) WHERE Z_PK = \(key)"
      )
    }
    let report = try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)")
    #expect(report.isVerified)
    #expect(
      try Program.sqlite3(
        plain,
        """
        ATTACH '\(kitchens.kitchen)' AS k; SELECT count(*), sum(i.data = CAST(substr(o.ZDATA, 2) AS BLOB))
        FROM Image AS i JOIN k.ZIMAGE AS o ON o.Z_PK = i.id WHERE i.id > 3
        """
      ) == "6|6"
    )
    #expect(
      try kitchens.copy(plain, to: "coredata:\(kitchens.out)") {
        $0.template = kitchens.kitchen
        $0.batchSize = 2
      }.isVerified
    )
    #expect(
      try Program.sqlite3(
        kitchens.out,
        """
        ATTACH '\(kitchens.kitchen)' AS k; SELECT count(*), sum(n.ZDATA = o.ZDATA)
        FROM ZIMAGE AS n JOIN k.ZIMAGE AS o USING (Z_PK) WHERE Z_PK > 3
        """
      ) == "6|6"
    )
    // What lay in a file is held inline now.
    #expect(
      try Program.sqlite3(
        kitchens.out,
        "SELECT substr(ZDATA, 1, 1) = x'01', CAST(substr(ZDATA, 2) AS BLOB) = readfile('\(file(0))') "
          + "FROM ZIMAGE WHERE Z_PK = 1"
      ) == "1|1"
    )
    #expect(try Verify(plain, against: kitchens.out).run().isEqual)
  }

  @Test func `large bytes without a mark are refused, not cut`() throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      "UPDATE ZIMAGE SET ZDATA = CAST(x'05' || zeroblob(9000000) AS BLOB) WHERE Z_PK = 4"
    )
    let report = try kitchens.copy(kitchens.kitchen, to: "sqlite:\(plain)") {
      $0.onError = .reject
    }
    #expect(report.rejectedCount == 1)
    #expect(try Program.sqlite3(plain, "SELECT count(*) FROM Image WHERE id = 4") == "0")
  }

  @Test(.disabled(if: Sanitizer.isActive, "a sanitizer needs memory of its own"))
  func `memory does not grow with a value, nor with a file`() throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      "UPDATE ZIMAGE SET ZDATA = CAST(x'01' || zeroblob(80000000) AS BLOB) WHERE Z_PK = 4"
    )
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file(1)))
    try handle.truncate(atOffset: 90_000_000)
    try handle.close()
    for arguments in [
      ["Kitchen.sqlite", "sqlite:plain.db"],
      ["plain.db", "coredata:out.sqlite", "--template", "Kitchen.sqlite"],
    ] {
      let run = try Program.run(
        [DecantProgram.path, "copy", "--json", "--memory", "8MiB"] + arguments,
        in: kitchens.folder.url
      )
      let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      let members = try #require(document as? [String: Any])
      #expect(try #require(members["peakMemoryBytes"] as? Int) < 70_000_000)
    }
  }
}
