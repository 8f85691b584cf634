import Decant
import Foundation
import TestSupport
import Testing

/// Members and files whose names are odd: none is left out in silence.
@Suite struct RecipeNameTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  @Test func `names with dots and slashes are names`() throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      names = [".paprikarecipe", "...and Peas.paprikarecipe", "./x.paprikarecipe", "a/../b.paprikarecipe",
          ".hidden/c.paprikarecipe", "/abs.paprikarecipe", "../../etc/x.paprikarecipe", "a//b.paprikarecipe",
          "..\\\\back.paprikarecipe", "..", "__MACOSX/q", "a/.DS_Store", "a/._b.paprikarecipe", "Thumbs.db",
          "a/desktop.ini"]
      library([(n, packed(recipe(str(i)))) for i, n in enumerate(names)])
      """
    )
    let report = try shelf.import("a.paprikarecipes")
    #expect(try shelf.content().titles == (0..<10).map(String.init), "\(report.notes)")
    #expect(report.unread == [])
    #expect(!report.notes.commandLine.contains { $0.hasPrefix("skipped") }, "\(report.notes)")
  }

  /// What is wrong with such a member is told by a name that leads nowhere else.
  @Test func `a member that climbs is told by a name within`() throws {
    try shelf.make(
      "a.paprikarecipes",
      """
      library([("A", packed(recipe("A"))), ("../../etc/x.paprikarecipe", packed(recipe("B"))[:-12])])
      """
    )
    let report = try shelf.import("a.paprikarecipes")
    #expect(report.unread.map(\.entry) == ["etc/x.paprikarecipe"])
  }

  @Test func `files and folders with dots are read, but those of version control`() throws {
    let made = ["in/.5 hour bread.paprikarecipe", "in/.more/...and Peas.paprikarecipe"]
    let kept = ["in/.git/a.paprikarecipe", "in/deep/.Trash-1000/b.paprikarecipe"]
    for name in made + kept {
      try shelf.make(name, "open(place, 'wb').write(packed(recipe(place)))", inFolder: true)
    }
    try shelf.write("x", "in/.DS_Store")
    let report = try shelf.import("in")
    #expect(try shelf.content().titles == made.map(shelf.path).sorted())
    let passed = report.notes.commandLine.filter { $0.hasPrefix("skipped") }
    #expect(passed.count == 2, "\(passed)")
    for name in [".git", "deep/.Trash-1000"] {
      #expect(passed.contains { $0.hasPrefix("skipped: in, \(name): ") }, "\(passed)")
    }
  }
}
