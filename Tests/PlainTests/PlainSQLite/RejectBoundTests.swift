import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// How many objects may be rejected before a copy is given up.
@Suite struct RejectBoundTests {
  private let place: PlainDatabase

  init() throws { place = try PlainDatabase() }

  /// Makes a source of 20 objects, four of which the destination refuses.
  private func make() throws {
    try place.make(
      "a.db",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n INT);
      WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 20)
        INSERT INTO t SELECT i, CASE WHEN i % 5 = 0 THEN -i ELSE i END FROM c
      """
    )
    try place.make(
      "b.db",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n INT CHECK (n > 0)); INSERT INTO t VALUES (1, 100)"
    )
  }

  private func append(_ configure: (inout CopyOptions) -> Void) throws -> CopyReport {
    try place.append {
      $0.onError = .reject
      $0.rejectsFile = place.path("rejects.decant")
      configure(&$0)
    }
  }

  @Test(arguments: [0, 1, 3] as [Int64], [1, 1000] as [Int64])
  func `with more than the bound nothing is published`(limit: Int64, batchSize: Int64) throws {
    try make()
    let before = try place.dump("b.db")
    let error = #expect(throws: DecantError.self) {
      try append {
        $0.rejectLimit = limit
        $0.batchSize = batchSize
      }
    }
    #expect(error?.family == .failed)
    // It ends with the first object too many.
    let expected = "at least \(limit + 1) of 20 objects were rejected, but at most \(limit) are allowed"
    #expect(error?.message == expected + "; nothing was written")
    #expect(error?.place?.contains("\(limit + 1) check: ") == true)
    #expect(error?.advice?.commandLine.contains("--max-rejects") == true)
    #expect(try place.dump("b.db") == before)
    let files = try FileManager.default.contentsOfDirectory(atPath: place.folder.url.path)
    #expect(files.sorted() == ["a.db", "b.db"])
  }

  @Test(arguments: [(4, nil), (5, nil), (nil, 0.2), (nil, 1), (4, 0.2)] as [(Int64?, Double?)])
  func `up to the bound objects are left out`(limit: Int64?, rate: Double?) throws {
    try make()
    let report = try append {
      $0.rejectLimit = limit
      $0.rejectRate = rate
    }
    #expect(report.rejectedByCode == [.check: 4])
    #expect(try place.read("b.db", "SELECT count(*) FROM t") == ["17"])
  }

  @Test func `the most frequent reason is told first`() throws {
    try place.make(
      "a.db",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n INT); INSERT INTO t (n) VALUES (-1), (NULL), (NULL), (NULL), (5)"
    )
    try place.make("b.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, n INT NOT NULL CHECK (n > 0))")
    let error = #expect(throws: DecantError.self) { try append { $0.rejectRate = 0.1 } }
    #expect(error?.place?.hasPrefix("3 ") == true && error?.place?.contains("; 1 check: ") == true)
  }

  @Test(arguments: [(0.0, "0"), (0.1, "10"), (0.195, "19.5")])
  func `a share is of those that were to be copied`(rate: Double, percent: String) throws {
    try make()
    let before = try place.dump("b.db")
    let error = #expect(throws: DecantError.self) { try append { $0.rejectRate = rate } }
    let expected = "4 of 20 objects were rejected, but at most \(percent) % are allowed"
    #expect(error?.message == expected + "; nothing was written")
    #expect(try place.dump("b.db") == before)
    // Of the ten with higher keys two are refused.
    let error2 = #expect(throws: DecantError.self) {
      try append {
        $0.rejectRate = rate
        $0.filters = [CopyOptions.Filter(entity: "t", expression: "_id > 10")]
      }
    }
    #expect(error2?.message.hasPrefix("2 of 10 objects") == true)
  }

  @Test func `a new store does not come to be`() throws {
    try make()
    // Of no known entity: what a new store refuses.
    let kitchens = try Kitchens()
    _ = try Program.sqlite3(kitchens.kitchen, "UPDATE ZTAG SET Z_ENT = 77 WHERE Z_PK IN (2, 3)")
    let error = #expect(throws: DecantError.self) {
      try kitchens.copy(kitchens.kitchen, to: kitchens.out) {
        $0.onError = .reject
        $0.rejectLimit = 1
      }
    }
    #expect(error?.family == .failed)
    #expect(error?.place?.contains("2 contract") == true)
    #expect(!FileManager.default.fileExists(atPath: kitchens.out))
    #expect(!FileManager.default.fileExists(atPath: kitchens.out + ".decant-partial"))
  }

  @Test func `batch by batch the store is as it was, and a higher bound lets it through`() throws {
    try make()
    let before = try place.dump("b.db")
    let error = #expect(throws: DecantError.self) {
      try append {
        $0.rejectLimit = 2
        $0.commit = .batch
      }
    }
    #expect(error?.message.contains("nothing was written") == true)
    #expect(try place.dump("b.db") == before)
    let report = try append {
      $0.rejectLimit = 4
      $0.commit = .batch
    }
    #expect(report.rejectedByCode == [.check: 4])
    #expect(try place.read("b.db", "SELECT count(*), min(n) FROM t") == ["17,1"])
    #expect(try place.dump("b.db.backup-1") == before)
  }
}
