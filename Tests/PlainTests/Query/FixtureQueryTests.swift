import Decant
import Foundation
import TestSupport
import Testing

/// Every entity of real stores, counted and read; the `sqlite3` program counts the rows of its tables.
@Suite(.enabled(if: Fixtures.areAvailable)) struct FixtureQueryTests {
  /// Names that begin with `_`, abstract entities, siblings with equal names, many entities.
  @Test(arguments: [
    "photos-10.15.1", "wire-2-101-0", "cdp-samplemodel2-v2", "plaso-knowledgec-10.13",
    "apple-recipes",
  ])
  func `every object is read, once`(_ name: String) throws {
    let folder = try TemporaryFolder()
    let expected = try GroundTruth(of: name)
    let store = try Fixtures.copyStore(expected.file, into: folder.url).path
    let parts = expected.counts.keys.sorted().map { entity in
      "SELECT '\(entity)' AS entity, count(*) AS n FROM \"\(entity)\" WHERE _entity = '\(entity)'"
    }
    let counts = try rows(parts.joined(separator: " UNION ALL "), in: store)
    for row in counts {
      guard case .text(let entity) = row[0], case .integer(let count) = row[1] else {
        Issue.record("\(row)")
        continue
      }
      #expect(count == Int64(expected.counts[entity] ?? -1), "\(entity)")
    }
    #expect(counts.count == expected.counts.count)
    for (entity, count) in expected.counts where count > 0 {
      let all = try rows("SELECT * FROM \"\(entity)\"", in: store)
      #expect(all.count >= count, "\(entity)")
    }
  }

  private func rows(_ sql: String, in store: String) throws -> [[QueryValue]] {
    let query = try QueryRows(StoreQuery(sql, in: store))
    var rows: [[QueryValue]] = []
    while let row = try query.next() { rows.append(row) }
    return rows
  }

  @Test func `pictures of Apple's sample are told by their kind`() throws {
    let folder = try TemporaryFolder()
    let expected = try GroundTruth(of: "apple-recipes")
    let store = try Fixtures.copyStore(expected.file, into: folder.url).path
    let lengths = try Program.sqlite3(
      store,
      "SELECT length(ZIMAGE), hex(substr(ZIMAGE, 1, 3)) FROM ZIMAGE ORDER BY Z_PK"
    ).split(separator: "\n").map { $0.split(separator: "|") }
    let values = try rows("SELECT image FROM Image ORDER BY _id", in: store)
    #expect(!values.isEmpty && values.count == lengths.count)
    for (value, line) in zip(values, lengths) {
      let image: ImageFormat? =
        line[1] == "FFD8FF" ? .jpeg : line[1] == "89504E" ? .png : nil
      #expect(value == [.bytes(ByteSummary(byteCount: Int64(line[0]), image: image))])
      #expect(image != nil)
    }
  }

  @Test func `values whose files are lost say so`() throws {
    let folder = try TemporaryFolder()
    let expected = try GroundTruth(of: "wire-1-24")
    let store = try Fixtures.copyStore(expected.file, into: folder.url).path
    let references = try Program.sqlite3(
      store,
      "SELECT count(*) FROM ZMESSAGE WHERE hex(substr(ZMEDIUMDATA, 1, 1)) = '02'"
    )
    let missing = try rows("SELECT mediumData FROM ImageMessage", in: store).count {
      $0 == [.bytes(ByteSummary(byteCount: nil))]
    }
    #expect(missing > 0 && "\(missing)" == references)
  }
}
