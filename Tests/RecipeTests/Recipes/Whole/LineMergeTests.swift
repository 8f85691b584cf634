import Decant
import Foundation
import TestSupport
import Testing

/// Lines that both the cook and the file have changed since the last import are merged by lines, wherever they stand now:
/// nothing is lost, nothing is there twice, and what one side removed is gone.
@Suite struct LineMergeTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  /// How the cook edits the store.
  enum Editor: String, CaseIterable, Sendable {
    /// Other programs, which leave the places of other lines alone.
    case inPlace
    /// `RecipeLibrary`, which numbers all places again.
    case numbering
    /// Places without room between them.
    case dense
  }

  private func write(_ lines: [String], _ steps: [String]) throws {
    let recipe: [String: Any] = [
      "id": "3F2504E0-4F89-11D3-9A0C-0305E82C3301", "title": "Soup", "ingredients": lines.joined(separator: "\n"),
      "instructions": steps.joined(separator: "\n"), "images": [String](), "categories": ["A"],
    ]
    try shelf.write(try JSONSerialization.data(withJSONObject: recipe, options: .sortedKeys), "soup.melarecipe")
  }

  private func lines(_ table: String, of condition: String = "recipe_id = 1") throws -> [String] {
    let text = try shelf.value(
      "SELECT text FROM \(table) WHERE \(condition) ORDER BY recipe_id, recipe_position, id")
    return text.isEmpty ? [] : text.components(separatedBy: "\n")
  }

  /// Makes the store hold these lines: unchanged ones keep their rows, as in an editor.
  private func edit(_ table: String, _ old: [String], _ new: [String], _ editor: Editor) throws {
    var statements = old.filter { !new.contains($0) }.map { "DELETE FROM \(table) WHERE text = '\($0)';" }
    var last = 0
    for (index, line) in new.enumerated() {
      let place =
        switch editor {
        case .numbering: (index + 1) * 1024
        case .dense: index + 1
        case .inPlace:
          if let own = old.firstIndex(of: line), (own + 1) * 1024 > last { (own + 1) * 1024 } else { last + 300 }
        }
      last = place
      statements.append(
        old.contains(line)
          ? "UPDATE \(table) SET recipe_position = \(place) WHERE text = '\(line)';"
          : "INSERT INTO \(table) (recipe_id, recipe_position, text, isHeading) VALUES (1, \(place), '\(line)', 0);")
    }
    _ = try shelf.value(statements.joined())
  }

  // MARK: Cases

  /// What the cook and the file make of five lines, and what becomes of them.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let mine, theirs, merged: [String]
    var testDescription: String { name }
  }

  private static let base = ["100 g leek", "200 g potato", "3 g salt", "400 ml cream", "5 g dill"]

  @Test(arguments: [
    Case(
      name: "an inserted line, a corrected and a removed one",
      mine: ["100 g leek", "9 g pepper", "200 g potato", "3 g salt", "400 ml cream", "5 g dill"],
      theirs: ["100 g leek", "200 g potato", "33 g salt", "5 g dill"],
      merged: ["100 g leek", "9 g pepper", "200 g potato", "33 g salt", "5 g dill"]),
    Case(
      name: "moved lines, a corrected one",
      mine: ["200 g potato", "100 g leek", "3 g salt", "5 g dill", "400 ml cream"],
      theirs: ["100 g leek", "200 g potato", "3 g salt", "450 ml cream", "5 g dill"],
      merged: ["200 g potato", "100 g leek", "3 g salt", "5 g dill", "450 ml cream"]),
    Case(
      name: "a line that both move",
      mine: ["5 g dill", "100 g leek", "200 g potato", "3 g salt", "400 ml cream"],
      theirs: ["100 g leek", "5 g dill", "200 g potato", "3 g salt", "400 ml cream"],
      merged: ["100 g leek", "5 g dill", "200 g potato", "3 g salt", "400 ml cream"]),
    Case(
      name: "a line that the file moves and the cook removes",
      mine: ["100 g leek", "200 g potato", "3 g salt", "400 ml cream"],
      theirs: ["5 g dill", "100 g leek", "200 g potato", "3 g salt", "400 ml cream"],
      merged: ["100 g leek", "200 g potato", "3 g salt", "400 ml cream"]),
    Case(
      name: "a line that the file moves and the cook corrects",
      mine: ["100 g leek", "200 g potato", "3 g salt", "400 ml cream", "6 g dill"],
      theirs: ["5 g dill", "100 g leek", "200 g potato", "3 g salt", "400 ml cream"],
      merged: ["100 g leek", "200 g potato", "3 g salt", "400 ml cream", "6 g dill"]),
    Case(
      name: "lines that both insert in one place",
      mine: ["100 g leek", "1 g mace", "200 g potato", "3 g salt", "400 ml cream", "5 g dill"],
      theirs: ["100 g leek", "2 g cumin", "200 g potato", "3 g salt", "400 ml cream", "5 g dill"],
      merged: ["100 g leek", "2 g cumin", "1 g mace", "200 g potato", "3 g salt", "400 ml cream", "5 g dill"]),
    Case(
      name: "the same line inserted by both",
      mine: ["100 g leek", "1 g mace", "200 g potato", "3 g salt", "400 ml cream", "5 g dill"],
      theirs: ["100 g leek", "200 g potato", "3 g salt", "450 ml cream", "5 g dill", "1 g mace"],
      merged: ["100 g leek", "1 g mace", "200 g potato", "3 g salt", "450 ml cream", "5 g dill"]),
  ])
  func `lines of both sides`(_ example: Case) throws {
    for editor in [Editor.numbering, .inPlace] {
      let store = "\(editor).sqlite"
      defer { try? FileManager.default.removeItem(atPath: shelf.path("kitchen.sqlite")) }
      try write(Self.base, ["Cook it."])
      try shelf.import("soup.melarecipe")
      try edit("Ingredient", Self.base, example.mine, editor)
      #expect(try lines("Ingredient") == example.mine, "\(store)")
      try write(example.theirs, ["Cook it."])
      for round in 1...2 {
        try shelf.import("soup.melarecipe")
        #expect(try lines("Ingredient") == example.merged, "\(store), round \(round)")
        #expect(try shelf.value("SELECT count(*) FROM Recipe") == "1", "\(store), round \(round)")
      }
      // The next correction finds the lines again.
      try write(example.theirs.map { $0 == "100 g leek" ? "150 g leek" : $0 }, ["Cook it."])
      try shelf.import("soup.melarecipe")
      #expect(
        try lines("Ingredient") == example.merged.map { $0 == "100 g leek" ? "150 g leek" : $0 }, "\(store), then")
    }
  }

  // MARK: Random edits

  /// Random edits of a list: insertions, removals, corrections, exchanges; new texts end in `tag`.
  private func changed(_ lines: [String], _ tag: String, _ random: inout SplitMix, _ make: (inout SplitMix) -> String)
    -> [String]
  {
    var lines = lines
    for number in 0..<random.next(1...3) {
      switch random.next(0...9) {
      case 0...3: lines.insert("\(make(&random)) \(tag) \(number)", at: random.next(0...lines.count))
      case 4...5 where lines.count > 2: lines.remove(at: random.next(0...lines.count - 1))
      case 6...7 where !lines.isEmpty: lines[random.next(0...lines.count - 1)] += " \(tag) \(number)"
      default:
        let pair = [random.next(0...lines.count - 1), random.next(0...lines.count - 1)]
        lines.swapAt(pair[0], pair[1])
      }
    }
    return lines
  }

  /// Of three lists without repetitions, the lines that a merge has, in any order: those that both kept, and those that
  /// one has added.
  private static func merged(_ base: [String], _ mine: [String], _ theirs: [String]) -> [String] {
    base.filter { mine.contains($0) && theirs.contains($0) } + mine.filter { !base.contains($0) }
      + theirs.filter { !base.contains($0) }
  }

  @Test(arguments: Editor.allCases, 0..<12)
  func `random edits of both sides`(_ editor: Editor, _ seed: Int) throws {
    var random = SplitMix(state: UInt64(seed) &* 977 &+ 13)
    let words = ["flour", "sugar", "salt", "milk", "butter", "eggs", "oil", "rice", "beans", "thyme", "cream", "honey"]
    func ingredient(_ random: inout SplitMix) -> String { "\(random.next(1...900)) g \(words[random.next(0...11)])" }
    func step(_ random: inout SplitMix) -> String {
      "Mix the \(words[random.next(0...11)]) with \(words[random.next(0...11)]) for \(random.next(1...90)) minutes."
    }
    func list(_ counts: ClosedRange<Int>, _ make: (inout SplitMix) -> String) -> [String] {
      var seen: Set<String> = []
      return (0..<random.next(counts)).map { _ in make(&random) }.filter { seen.insert($0).inserted }
    }
    let base = [list(4...10, ingredient), list(3...7, step)]
    try write(base[0], base[1])
    try shelf.import("soup.melarecipe")
    let tables = ["Ingredient", "Step"]
    let makers = [ingredient, step]
    let mine = zip(base, makers).map { changed($0, "mine", &random, $1) }
    for (index, table) in tables.enumerated() { try edit(table, base[index], mine[index], editor) }
    let theirs = zip(base, makers).map { changed($0, "theirs", &random, $1) }
    try write(theirs[0], theirs[1])
    try shelf.import("soup.melarecipe")
    let count = try shelf.value("SELECT count(*) FROM Recipe")
    for (index, table) in tables.enumerated() {
      let expected = Self.merged(base[index], mine[index], theirs[index])
      let words = "\(table) of \(editor), \(seed): \(base[index]), mine \(mine[index]), theirs \(theirs[index])"
      if count == "1" {
        #expect(try lines(table).sorted() == expected.sorted(), "\(words)")
      } else {
        // Both have changed a line: both versions are there.
        let all = try Set(lines(table, of: "true"))
        #expect(all.isSuperset(of: expected), "\(words)")
        #expect(try Set(lines(table)).isSubset(of: expected), "\(words)")
      }
    }
    try shelf.import("soup.melarecipe")
    #expect(try shelf.value("SELECT count(*) FROM Recipe") == count)
  }
}

/// Numbers that look random and are the same in every run.
private struct SplitMix {
  var state: UInt64

  mutating func next(_ range: ClosedRange<Int>) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return range.lowerBound + Int((mixed ^ (mixed >> 31)) % UInt64(range.count))
  }
}
