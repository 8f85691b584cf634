import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A copy that is stopped in any of its phases, and cannot be resumed, leaves no file behind, and none that is another one.
@Suite struct StoppedCopyTests {
  private let kitchens: Kitchens

  /// Two images of the kitchen lie in files; one of these has the name of a file that the guests have.
  init() throws {
    kitchens = try Kitchens()
    for (number, store) in [(1, "Kitchen"), (2, "Kitchen"), (1, "Guests")] {
      let name = "0A1B2C3D-1111-4222-8333-00000000000\(number)"
      let hex = Data(name.utf8).map { String(format: "%02x", $0) }.joined()
      let files = kitchens.folder.url.appendingPathComponent(".\(store)_SUPPORT/_EXTERNAL_DATA")
      try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
      _ = try Program.sqlite3(
        kitchens.folder.path("\(store).sqlite"),
        "UPDATE ZIMAGE SET ZDATA = x'02\(hex)00' WHERE Z_PK = \(number)"
      )
      try Data("\(store) \(number)".utf8).write(to: files.appendingPathComponent(name))
    }
  }

  /// Every file below the folder with its content.
  private func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: kitchens.folder.url.path)
      ?? .init()
    {
      files[name] = FileManager.default.contents(atPath: kitchens.folder.path(name))
    }
    return files
  }

  /// Rows are written before an object of no entity is met, and files are copied before an index cannot be built.
  @Test(arguments: [
    ("UPDATE ZTAG SET Z_ENT = 77 WHERE Z_PK = 6", false),
    ("UPDATE ZTAG SET Z_ENT = 77 WHERE Z_PK = 6", true),
    ("CREATE INDEX odd ON ZTAG (abs(ZNAME)) WHERE ZNAME = ''; UPDATE ZTAG SET ZNAME = 'x'", false),
  ])
  func `nothing is left of a copy by rows that fails`(change: String, appends: Bool) throws {
    _ = try Program.sqlite3(kitchens.kitchen, change)
    let before = try files()
    do {
      try kitchens.copy(kitchens.kitchen, to: appends ? kitchens.guests : kitchens.out) {
        $0.appends = appends
        $0.filters = [.everything]
        $0.batchSize = 2
      }
      // An index that can be built is no failure.
      #expect(change.contains("INDEX"))
    } catch {
      #expect(Set(try files().keys) == Set(before.keys))
      #expect(try files() == before)
    }
  }

  @Test func `the proof of the result ends in the middle of a table`() throws {
    _ = try Program.sqlite3(
      kitchens.kitchen,
      """
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO ZINGREDIENT (Z_PK, Z_ENT, ZNAME) SELECT Z_PK + 1000 * i, Z_ENT, ZNAME FROM ZINGREDIENT, n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM ZINGREDIENT) WHERE Z_NAME = 'Ingredient'
      """
    )
    let cancellation = Cancellation()
    let error = #expect(throws: DecantError.self) {
      try Copy(from: kitchens.kitchen, to: kitchens.out).run(cancellation: cancellation) { event in
        guard case .working(.progress(let progress), _) = event, progress.phase == .check,
          progress.step == "Ingredient",
          progress.rowCount * 2 >= progress.expectedRowCount
        else { return }
        cancellation.cancel()
      }
    }
    #expect(error?.family == .interrupted)
    // Else the table was read to its end, and only then was it asked.
    #expect(error?.contexts.last == "cannot read the result again", "\(error?.contexts ?? [])")
  }

  enum Way: CaseIterable { case pages, appended, merged }

  private static let phases: [Phase] = [.copy, .check, .index]

  @Test(arguments: Way.allCases, phases)
  func `nothing is left of it`(way: Way, phase: Phase) throws {
    var options = CopyOptions()
    switch way {
    case .pages: break
    case .appended: options.appends = true
    case .merged:
      options.purpose = .merge
      options.merge = MergeRules(.update)
      options.merge?.identities = ["Recipe": ["uuid"], "Image": ["uuid"]]
    }
    let isNew = way == .pages
    let before = try files()
    let cancellation = Cancellation()
    var filesSeen = 0
    let error = #expect(throws: DecantError.self) {
      try Copy(from: kitchens.kitchen, to: isNew ? kitchens.out : kitchens.guests, options: options)
        .run(cancellation: cancellation) { event in
          guard case .working(.began(phase), _) = event else { return }
          filesSeen = max(filesSeen, ((try? files().count) ?? 0) - before.count)
          cancellation.cancel()
        }
    }
    #expect(error?.family == .interrupted)
    #expect(isNew ? filesSeen > 0 : true)
    let after = try files()
    let left = Set(after.keys).subtracting(before.keys).filter { after[$0] != nil }
    #expect(left.isEmpty, "\(left)")
    for (name, content) in before { #expect(after[name] == content, "\(name)") }
  }
}
