import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// The thread that reads the source for the proof while rows are written.
@Suite struct SourceSumsTests {
  private let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  /// Copies the kitchen; returns how often the proof began to read its recipes by the thread that writes.
  private func reads(_ change: (inout CopyOptions) -> Void = { _ in }) throws -> Int {
    var options = CopyOptions()
    change(&options)
    var count = 0
    let report = try Copy(from: kitchens.kitchen, to: kitchens.out, options: options).run { event in
      if case .working(.progress(let progress), _) = event, progress.phase == .check, progress.step == "Recipe" {
        count += 1
      }
    }
    #expect(report.isVerified)
    return count
  }

  @Test func `of a plain copy the first thread reads only the result`() throws {
    #expect(try reads() == 1)
    try FileManager.default.removeItem(atPath: kitchens.out)
    #expect(try reads { $0.leftOver = .resume } == 1)
    #expect(try reads { $0.appends = true } == 1)
  }

  @Test func `a merge, and a text that is too large to be held twice, are read by one thread`() throws {
    _ = try Program.sqlite3(kitchens.kitchen, "UPDATE ZRECIPE SET ZSUBTITLE = hex(zeroblob(5000000)) WHERE Z_PK = 2")
    #expect(try reads() == 2)
    #expect(try reads { $0.merge = MergeRules(.skip) } == 2)
  }

  @Test func `a row that is refused after the thread has read it is not expected`() throws {
    try FileManager.default.copyItem(atPath: kitchens.guests, toPath: kitchens.out)
    _ = try Program.sqlite3(kitchens.out, "CREATE UNIQUE INDEX once ON ZIMAGE (ZCAPTION) WHERE ZCAPTION = 'twice'")
    _ = try Program.sqlite3(kitchens.kitchen, "UPDATE ZIMAGE SET ZCAPTION = 'twice' WHERE Z_PK IN (1, 2)")
    #expect(
      try reads {
        $0.appends = true
        $0.onError = .reject
      } == 2)
    #expect(try Program.sqlite3(kitchens.out, "SELECT count(*) FROM ZIMAGE WHERE ZCAPTION = 'twice'") == "1")
  }
}
