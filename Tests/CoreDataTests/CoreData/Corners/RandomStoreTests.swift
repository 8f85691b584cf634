import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Laws that hold for a store of any model.
@Suite struct RandomStoreTests {
  @Test(arguments: SeededGenerator.seeds(12))
  func `copied, added and read again, nothing is lost and every key leads where it led`(seed: UInt64) throws {
    let store = try RandomStore(seed: seed)
    var options = CopyOptions()
    options.model = store.model
    let links = Int64(store.keyCount + store.linkRowCount)
    let tables = try Program.sqlite3(
      store.path,
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('Z_METADATA', 'Z_MODELCACHE')"
    ).split(separator: "\n")
    let out = store.folder.path("out.sqlite")
    for leftOver in [CopyOptions.LeftOver.startOver, .resume] {
      try? FileManager.default.removeItem(atPath: out)
      options.leftOver = leftOver
      options.batchSize = Int64(seed % 5) + 1
      let report = try Copy(from: store.path, to: out, options: options).run()
      #expect(report.isVerified)
      #expect(report.linksByRelationship.values.reduce(0) { $0 + $1.copied } == links)
      for table in tables {
        let rows = "SELECT * FROM \"\(table)\" ORDER BY 1, 2"
        #expect(
          try Program.sqlite3(out, rows, isQuoted: true)
            == Program.sqlite3(store.path, rows, isQuoted: true),
          "\(table)"
        )
      }
    }
    options.leftOver = .startOver
    options.appends = true
    let ids = store.folder.path("ids.sqlite")
    options.idTableFile = ids
    let before = try AppendedRows.highestKeys(in: out)
    #expect(try Copy(from: store.path, to: out, options: options).run().isVerified)
    let rows = try AppendedRows(of: store.path, in: out, after: before)
    #expect(rows.links == store.keyCount)
    #expect(rows.strange.isEmpty)
    for table in tables where table.wholeMatch(of: /Z_\d+.*/) != nil {
      let count = "SELECT count(*) FROM \"\(table)\""
      #expect(
        try Int(Program.sqlite3(out, count))
          == Int(Program.sqlite3(store.path, count)).map { $0 * 2 }
      )
    }
    var verify = Verify(store.path, against: out)
    verify.model = store.model
    verify.idTableFile = ids
    #expect(try verify.run().isEqual)
  }

  @Test func `the stores drawn have something to lose`() throws {
    let stores = try (1...12).map { try RandomStore(seed: $0) }
    #expect(stores.reduce(0) { $0 + $1.keyCount } > 100)
    #expect(stores.reduce(0) { $0 + $1.linkRowCount } > 50)
  }
}
