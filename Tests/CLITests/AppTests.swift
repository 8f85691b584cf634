import Decant
import DecantStores
import Foundation
import TestSupport
import Testing

/// Programs in `Tests/Apps`, which see what is public and nothing else.
@Suite struct AppTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["Kitchen", "Guests"] {
      try FileManager.default.copyItem(
        atPath: Fixtures.projectFolder.appendingPathComponent("samples/\(name).sqlite").path,
        toPath: folder.path("\(name).sqlite")
      )
    }
  }

  /// A model with one attribute more than that of the stores.
  private func makeModel() throws -> String {
    let sample = Fixtures.projectFolder.appendingPathComponent(
      "samples/Recipes.xcdatamodeld/Recipes.xcdatamodel/contents"
    )
    var text = try String(contentsOf: sample, encoding: .utf8)
    let entity = try #require(text.firstRange(of: /<entity name="Recipe"[^>]*>/))
    text.insert(
      contentsOf: "<attribute name=\"origin\" attributeType=\"String\" optional=\"YES\"/>",
      at: entity.upperBound
    )
    let model = folder.path("Next.xcdatamodel")
    try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
    try text.write(toFile: model + "/contents", atomically: true, encoding: .utf8)
    return model
  }

  private func run(_ options: String...) throws -> [String] {
    let program = DecantProgram.folder.appendingPathComponent("RecipeApp").path
    let names = ["Kitchen.sqlite", "Guests.sqlite", "out.decant"]
    let result = try Program.run([program, try makeModel()] + names.map(folder.path) + options)
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func `an app migrates, merges, exports and proves, with one bar each`() throws {
    let expected = try Program.sqlite3(
      folder.path("Kitchen.sqlite"),
      """
      ATTACH '\(folder.path("Guests.sqlite"))' AS guests;
      SELECT count(*) FROM (SELECT ZUUID FROM ZRECIPE UNION SELECT ZUUID FROM guests.ZRECIPE)
      """
    )
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
    let after = try Program.sqlite3(folder.path("Kitchen.sqlite"), "SELECT count(*) FROM ZRECIPE")
    #expect(after == expected)
  }

  @Test(arguments: ["migration", "merge", "export", "verification"], [1, 40, 90])
  func `a step that is cancelled leaves what it found`(step: String, percent: Int) throws {
    let kitchen = folder.path("Kitchen.sqlite")
    let before = FileManager.default.contents(atPath: kitchen)
    let recipes = try Program.sqlite3(kitchen, "SELECT count(*) FROM ZRECIPE")
    let lines = try run(step, "\(percent)")
    #expect(lines.last == "cancelled in the \(step)")
    #expect(!lines.contains("\(step): 100 %"))
    if step == "migration" {
      #expect(FileManager.default.contents(atPath: kitchen) == before)
    } else {
      // The migration was done before, and what came later stays away.
      let columns = try Program.sqlite3(kitchen, "SELECT name FROM pragma_table_info('ZRECIPE')")
      #expect(columns.contains("ZORIGIN"))
    }
    if step == "merge" {
      #expect(try Program.sqlite3(kitchen, "SELECT count(*) FROM ZRECIPE") == recipes)
    }
    let isExported = FileManager.default.fileExists(atPath: folder.path("out.decant"))
    #expect(isExported == (step == "verification"))
  }

  @Test func `an argument of a condition is never anything but a value`() throws {
    let titles = ["it's", "\" OR 1 OR \"", "x') OR ('1", "?", "ü\u{0}ü", ""]
    for (key, title) in zip([1, 2, 3, 4, 7, 8], titles) {
      let hex = Data(title.utf8).map { String(format: "%02x", $0) }.joined()
      _ = try Program.sqlite3(
        folder.path("Kitchen.sqlite"),
        "UPDATE ZRECIPE SET ZTITLE = CAST(x'\(hex)' AS TEXT) WHERE Z_PK = \(key)"
      )
    }
    for title in titles {
      var copy = Copy(from: folder.path("Kitchen.sqlite"), to: folder.path("\(UUID()).sqlite"))
      copy.selection.conditions = [
        try EntityCondition(
          "Recipe",
          "title = ? AND '?' = '?' AND ? IS NULL",
          arguments: [.text(title), .null]
        )
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
