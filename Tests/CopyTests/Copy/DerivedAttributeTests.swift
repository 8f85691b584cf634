import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Attributes that triggers keep up to date: carried over as they are, and alive afterwards.
@Suite(.enabled(if: Fixtures.areAvailable)) struct DerivedAttributeTests {
  /// Adds a page to the book `key`, as an app would, with Core Data's functions in place.
  ///
  /// - Returns: The number of pages before and after, as the store has derived it.
  private func addPage(to key: String, in path: String) throws -> String {
    let script = """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1])
      for name in ["NSCoreDataDATriggerUpdatedAffectedObjectValue",
        "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue", "NSCoreDataTriggerUpdateAffectedObjectValue"]:
        c.create_function(name, 5, lambda *a: None)
      count = lambda: c.execute(f"SELECT ZPAGESCOUNT FROM ZBOOK WHERE Z_PK = {sys.argv[2]}").fetchone()[0]
      before = count()
      c.execute(f"INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZBOOK) SELECT max(Z_PK) + 1, Z_ENT, 1, {sys.argv[2]} FROM ZPAGE")
      c.commit()
      print(before, count())
      """
    let run = try Program.run(["python3", "-c", script, path, key])
    #expect(run.status == 0, "\(run.errors)")
    return run.output.trimmingCharacters(in: .newlines)
  }

  @Test func `values come over as they are, and triggers go on counting`() throws {
    let folder = try TemporaryFolder()
    let expected = try GroundTruth(of: "cdp-samplemodel2-v2")
    let source = try Fixtures.copyStore(expected.file, into: folder.url).path
    let out = folder.path("out.sqlite")
    var options = CopyOptions()
    for leftOver in [CopyOptions.LeftOver.startOver, .resume] {
      try? FileManager.default.removeItem(atPath: out)
      options.leftOver = leftOver
      try Copy(from: source, to: out, options: options).run()
      let book = try Program.sqlite3(out, "SELECT max(Z_PK) FROM ZBOOK")
      let count = try Program.sqlite3(out, "SELECT count(*) FROM ZPAGE WHERE ZBOOK = \(book)")
      #expect(try addPage(to: book, in: out) == "\(count) \((Int(count) ?? 0) + 1)")
    }
    // What is added is counted once: by the source, and not again by the triggers.
    let before = try Program.sqlite3(out, "SELECT max(Z_PK) FROM ZBOOK")
    try UnequalStore.makeUnequal(out)
    options.leftOver = .startOver
    options.appends = true
    #expect(try Copy(from: source, to: out, options: options).run().isVerified)
    let sums =
      "SELECT sum(ZPAGESCOUNT), (SELECT count(*) FROM ZPAGE WHERE ZBOOK > \(before)) FROM ZBOOK WHERE Z_PK > \(before)"
    let added = try Program.sqlite3(out, sums).split(separator: "|")
    #expect(added[0] == added[1])
    let last = try Program.sqlite3(out, "SELECT max(Z_PK) FROM ZBOOK")
    let count = try Program.sqlite3(out, "SELECT count(*) FROM ZPAGE WHERE ZBOOK = \(last)")
    #expect(try addPage(to: last, in: out) == "\(count) \((Int(count) ?? 0) + 1)")
  }
}
