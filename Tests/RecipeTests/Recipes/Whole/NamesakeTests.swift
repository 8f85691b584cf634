import Decant
import Foundation
import TestSupport
import Testing

/// Recipes of one title: few of them in most libraries, thousands in a page that someone made on purpose.
@Suite struct NamesakeTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  /// Writes a page with one recipe for each number; `members` are those of its JSON-LD besides the title.
  private func makePage(_ count: Int, _ members: (Int) -> String = { _ in "" }) throws {
    let scripts = (0..<count).map {
      "<script type=\"application/ld+json\">{\"@type\":\"Recipe\",\"name\":\"Soup\"\(members($0))}</script>\n"
    }
    try "<!DOCTYPE html><title>x</title>\(scripts.joined())".write(
      toFile: shelf.path("page.html"), atomically: true, encoding: .utf8)
  }

  /// The work grew with the square of their number: 6,000 took minutes and hundreds of megabytes.
  @Test(.timeLimit(.minutes(5)), arguments: ["", #","recipeIngredient":["N eggs"]"#])
  func `thousands of one title are taken, and known again`(_ members: String) throws {
    try makePage(6_000) { members.replacingOccurrences(of: "N", with: "\($0)") }
    for _ in 1...2 {
      let report = try shelf.import("page.html")
      #expect(try shelf.value("SELECT count(*) || ' ' || count(DISTINCT uuid) FROM Recipe") == "6000 6000")
      #expect(!report.notes.contains { $0.kind == .lookAlikes })
    }
  }

  /// All of them share half of their lines with all others.
  @Test(.timeLimit(.minutes(5))) func `thousands that are nearly the same are one if asked`() throws {
    try makePage(3_000) { #","recipeIngredient":["1 egg","\#($0) g salt"]"# }
    let report = try shelf.import("page.html") {
      $0.options.merge = MergeRules(.skip)
      $0.options.merge?.duplicates = .merge
    }
    #expect(report.notes.contains { $0.kind == .united })
    #expect(try shelf.value("SELECT count(*) FROM Recipe") == "1")
  }

  /// Which recipes are nearly the same, by a program in Python that compares each with each.
  @Test(arguments: 1...6) func `those that are nearly the same are told and united as Python does`(_ seed: Int) throws {
    try shelf.make(
      "all.melarecipes",
      """
      import random
      chance = random.Random(\(seed))
      def letters(text): return "".join(c for c in text.lower() if c.isalnum())
      books = []
      for number in range(40):
          lines = lambda words: chance.sample(words, chance.randint(0, 4))
          books.append((chance.choice(["Soup", "soup!", "Stew", "Cake"]), lines(["1 egg", "2 eggs", "salt", "Flour", "flour."]),
              lines(["Boil.", "Bake it", "bake it.", "Serve", "1 egg"])))
      library([(f"{number}.melarecipe", json.dumps({"id": f"id{number}", "title": title, "ingredients": "\\n".join(own),
          "instructions": "\\n".join(steps)}).encode()) for number, (title, own, steps) in enumerate(books)])
      parts = [{("i", letters(line)) for line in own} | {("s", letters(line)) for line in steps} for _, own, steps in books]
      def alike(a, b):
          return letters(books[a][0]) == letters(books[b][0]) and 0 < max(len(parts[a]), len(parts[b])) \\
              <= 2 * len(parts[a] & parts[b])
      pairs = [(a, b) for b in range(40) for a in range(b) if alike(a, b)]
      gone = {}
      for a, b in pairs:
          if b not in gone and (a not in gone or alike(gone[a], b)): gone[b] = gone.get(a, a)
      titles = {books[b][0] for a, b in pairs}
      open(place + ".txt", "w").write(f"{len(titles)} {40 - len(gone)}")
      """
    )
    let expected = try String(contentsOfFile: shelf.path("all.melarecipes.txt"), encoding: .utf8).split(separator: " ")
    let told = try shelf.import("all.melarecipes").notes.first { $0.kind == .lookAlikes }
    #expect(told.map { "\($0)".hasPrefix("\(expected[0]) recipe") } ?? (expected[0] == "0"), "\(told as Any)")
    try shelf.import("all.melarecipes", into: "united.sqlite") {
      $0.options.merge = MergeRules(.skip)
      $0.options.merge?.duplicates = .merge
    }
    #expect(try shelf.value("SELECT count(*) FROM Recipe", of: "united.sqlite") == expected[1])
  }
}
