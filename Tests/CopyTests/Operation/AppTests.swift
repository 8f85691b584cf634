import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Programs in `Tests/Apps`, which see what is public and nothing else.
@Suite struct AppTests {
  private let scene: VersionScene
  private let guests: String

  /// A store of the older version with 3,000 recipes, and guests with 500 more that have the newer one.
  init() throws {
    let title = #"<attribute name="title" optional="YES" attributeType="String"/>"#
    let rating = #"<attribute name="rating" attributeType="Integer 16" defaultValueString="3"/>"#
    scene = try VersionScene(
      [
        "<entity name=\"Recipe\">\(title)</entity>",
        "<entity name=\"Recipe\">\(title)\(rating)</entity>",
      ],
      rows: """
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
        INSERT INTO ZRECIPE (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT i, 1, 1, 'recipe ' || i FROM n;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 3000
        """
    )
    guests = scene.folder.path("Guests.sqlite")
    try FileManager.default.copyItem(atPath: scene.store, toPath: guests)
    _ = try Program.sqlite3(
      guests,
      """
      DELETE FROM ZRECIPE WHERE Z_PK > 700; UPDATE ZRECIPE SET ZTITLE = 'guest ' || Z_PK WHERE Z_PK > 200;
      UPDATE Z_METADATA SET Z_UUID = 'C0C0A000-0000-4000-8000-000000000009'
      """
    )
    var migration = Migrate([guests], to: scene.bundle)
    migration.isUnversioned = true
    try migration.run()
  }

  private func titles(_ condition: String = "1") throws -> String {
    try Program.sqlite3(scene.store, "SELECT count(*) FROM ZRECIPE WHERE \(condition)")
  }

  private func run(_ options: String...) throws -> [String] {
    let program = DecantProgram.folder.appendingPathComponent("RecipeApp").path
    let places = [scene.bundle, scene.store, guests, scene.folder.path("out.decant")]
    let result = try Program.run([program, "launch"] + places + options)
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func `an app migrates, merges, exports and proves, with one bar each`() throws {
    let lines = try run()
    for step in ["migration", "preview", "merge", "export", "verification"] {
      let percents = lines.compactMap { line -> Int? in
        guard line.hasPrefix("\(step): ") else { return nil }
        return Int(line.split(separator: " ")[1])
      }
      #expect(percents == Array(Set(percents)).sorted())
      #expect(percents.last == 100)
    }
    #expect(lines.last == "proven")
    #expect(try titles() == "3500")
    #expect(try titles("ZTITLE LIKE 'guest %' AND ZRATING = 3") == "500")
  }

  @Test(arguments: ["migration", "merge", "export", "verification"], [1, 40, 90])
  func `a step that is cancelled leaves what it found`(step: String, percent: Int) throws {
    let before = FileManager.default.contents(atPath: scene.store)
    let lines = try run(step, "\(percent)")
    // A request may come when the step is done, as the app is told of its progress meanwhile; the task is cancelled all
    // the same. `OperationTests` stops verbs at each event.
    guard !lines.contains("\(step): 100 %") else {
      // It is over within milliseconds.
      #expect(percent > 1 || step == "verification")
      return #expect(["proven", "cancelled in the \(step)"].contains(lines.last))
    }
    #expect(lines.last == "cancelled in the \(step)")
    if step == "migration" {
      #expect(FileManager.default.contents(atPath: scene.store) == before)
    } else {
      // The migration was done before.
      #expect(try titles("ZRATING = 3") == (step == "merge" ? "3000" : "3500"))
    }
    let isExported = FileManager.default.fileExists(atPath: scene.folder.path("out.decant"))
    #expect(isExported == (step == "verification"))
  }

  @Test func `an argument of a condition is never anything but a value`() throws {
    let kitchens = try Kitchens()
    let titles = ["it's", "\" OR 1 OR \"", "x') OR ('1", "?", "ü\u{0}ü", ""]
    for (key, title) in zip([1, 2, 3, 4, 7, 8], titles) {
      let hex = Data(title.utf8).map { String(format: "%02x", $0) }.joined()
      _ = try Program.sqlite3(
        kitchens.kitchen,
        "UPDATE ZRECIPE SET ZTITLE = CAST(x'\(hex)' AS TEXT) WHERE Z_PK = \(key)"
      )
    }
    for title in titles {
      var copy = Copy(from: kitchens.kitchen, to: kitchens.folder.path("\(UUID()).sqlite"))
      copy.selection.conditions = [
        try EntityCondition("Recipe", "title = ? AND '?' = '?' AND ? IS NULL", arguments: [.text(title), .null])
      ]
      let report = try copy.run()
      #expect(report["Recipe"]?.copied == 1, "\(title.debugDescription)")
    }
    for values in [[], [.null, .null]] as [[Value]] {
      let error = #expect(throws: DecantError.self) {
        try EntityCondition("Recipe", "rating > ?", arguments: values)
      }
      #expect(error?.code == .invalidExpression)
    }
    #expect(throws: DecantError.self) {
      try EntityCondition("Recipe", "rating > ?", arguments: [.double(.infinity)])
    }
  }
}
