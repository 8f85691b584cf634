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

  private func run(_ options: String...) throws -> [String] {
    let program = DecantProgram.folder.appendingPathComponent("RecipeApp").path
    let names = ["Kitchen.sqlite", "Kitchen.sqlite", "Guests.sqlite", "out.decant"]
    let result = try Program.run([program] + names.map(folder.path) + options)
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

  @Test(arguments: [1, 40, 90]) func `cancelled at any percent, the store is as it was`(
    percent: Int
  )
    throws
  {
    let before = FileManager.default.contents(atPath: folder.path("Kitchen.sqlite"))
    #expect(try run("\(percent)").last == "cancelled: the store is as it was")
    #expect(FileManager.default.contents(atPath: folder.path("Kitchen.sqlite")) == before)
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.decant")))
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
      #expect(error?.code == .usage)
    }
    #expect(throws: DecantError.self) {
      try EntityCondition("Recipe", "rating > ?", arguments: [.double(.infinity)])
    }
  }
}
