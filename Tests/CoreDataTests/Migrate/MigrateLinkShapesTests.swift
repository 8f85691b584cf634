import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A relationship that changes its shape: what can be kept is kept, and for the rest `check`, dry run and run agree that
/// somebody has to decide.
@Suite struct MigrateLinkShapesTests {
  @Test(arguments: LinkShape.allCases)
  func `every shape becomes every other`(_ shape: LinkShape) throws {
    let others = LinkShape.allCases.filter { $0 != shape }
    // Each shape begins elsewhere in the table.
    let place = LinkShape.allCases.firstIndex(of: shape) ?? 0
    for target in Effort.part(of: Array(others[place % 3..<others.count]), each: 3) {
      try expect(shape, shape.links, becomes: target, isRenamed: false)
      try expect(shape, [[1, 1], [2, 3]], becomes: target, isRenamed: true)
    }
  }

  private func expect(_ shape: LinkShape, _ links: [[Int]], becomes target: LinkShape, isRenamed: Bool) throws {
    let note: Comment = "\(shape.rawValue) to \(target.rawValue), \(links), renamed: \(isRenamed)"
    let old = LinkShape.Names(there: "bs", back: "as")
    let new =
      isRenamed ? LinkShape.Names(there: "boxes", back: "owners", isRenamed: true) : old
    let scene = try VersionScene(
      [shape.model(old), target.model(new)],
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b'), (3, 1, 1, 'c');
        INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 2, 1, 'x'), (2, 2, 1, 'y'), (3, 2, 1, 'z');
        \(shape.insertions(links))
        """
    )
    // A relationship that is there no more has its links go; what has led back keeps them.
    let isKept = shape.hasThere && target.hasThere || shape.hasBack && target.hasBack
    let fits = !isKept || target.holds(links)
    let check = try scene.check(asFirst: true)
    #expect(check.migration == (fits ? .inferred : .mapping), note)
    var migration = Migrate([scene.store], to: scene.bundle)
    let out = scene.folder.path("out.sqlite")
    (migration.output, migration.isUnversioned) = (out, true)
    migration.model = scene.bundle + "#Pantry"
    for isDryRun in [true, false] {
      migration.isDryRun = isDryRun
      do throws(DecantError) {
        _ = try migration.run()
        #expect(fits, note)
      } catch {
        #expect(!fits && error.family == .modelMismatch, "\(note): \(error)")
      }
    }
    guard fits, FileManager.default.fileExists(atPath: out) else { return }
    let found = try Program.sqlite3(out, target.query(new)).split(separator: "\n").sorted()
    #expect(found == (isKept ? links.map { "\($0[0])|\($0[1])" }.sorted()[...].map { $0[...] } : []), note)
  }
}
