import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A copy that is run as a sequence of events.
@Suite struct CancelledTaskTests {
  private let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  @Test(arguments: 1...5)
  func `a cancelled task is told so only when nothing runs any more`(events: Int) async throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO ZINGREDIENT SELECT Z_PK + 1000 * i, Z_ENT, Z_OPT, ZISGARNISH, ZSORTINDEX,
        ZRECIPE, ZAMOUNT, ZNAME, ZNOTE, ZUNIT, ZUUID FROM ZINGREDIENT, n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 200000 WHERE Z_NAME = 'Ingredient'
      """
    )
    var options = CopyOptions()
    options.filters = [.everything]
    options.batchSize = 1
    let copy = Copy(from: kitchens.kitchen, to: kitchens.out, options: options)
    let iteration = Task {
      var progressCount = 0
      for try await event in copy.operation {
        guard case .working(.progress, _) = event else { continue }
        progressCount += 1
        if progressCount == events { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    let error = await #expect(throws: DecantError.self) { try await iteration.value }
    #expect(error?.family == .interrupted)
    // The partial belongs to nobody: it can be written to, and the same place can be copied to.
    let partial = kitchens.out + ".decant-partial"
    #expect(try Program.sqlite3(partial, "BEGIN EXCLUSIVE; SELECT 1; COMMIT") == "1")
    var resumed = options
    resumed.batchSize = 1000
    resumed.leftOver = .resume
    let report = try Copy(from: kitchens.kitchen, to: kitchens.out, options: resumed).run()
    #expect(report.isVerified)
    #expect(try Kitchens.rows(of: kitchens.out) == Kitchens.rows(of: kitchens.kitchen))
  }
}
