import Decant
import Foundation
import TestSupport
import Testing

/// A recipe that is known for certain is corrected however many of its lines are new: by an ID always, by its page and
/// title unless somebody has edited its lines here.
@Suite struct RewrittenRecipeTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  private static let ingredients = ["1 leek", "2 potatoes", "3 carrots", "4 onions"]
  private static let steps = ["Chop it.", "Cook it."]
  private static let newIngredients = ["1 tin of beans", "250 ml stock", "some thyme", "10 g butter"]
  private static let newSteps = ["Rinse everything.", "Simmer for an hour."]

  /// Writes the recipe in one of four ways in which it can be known; returns the name of the file.
  private func write(_ way: String, _ ingredients: [String], _ steps: [String]) throws -> String {
    let id = "3F2504E0-4F89-11D3-9A0C-0305E82C3301"
    let (lines, texts) = (ingredients.joined(separator: "\\n"), steps.joined(separator: "\\n"))
    switch way {
    case "paprika":
      try shelf.make(
        "a.paprikarecipe", "paprika(recipe('Soup', uid='\(id)', ingredients='\(lines)', directions='\(texts)'))")
      return "a.paprikarecipe"
    case "mela":
      try shelf.write(
        #"{"id":"\#(id)","title":"Soup","ingredients":"\#(lines)","instructions":"\#(texts)","images":[]}"#,
        "a.melarecipe")
      return "a.melarecipe"
    default:
      let known = ["uuid": #""identifier":"\#(id)""#, "page": #""url":"https://example.org/soup""#][way] ?? #""x":1"#
      try shelf.write(
        #"{"@type":"Recipe",\#(known),"name":"Soup","recipeIngredient":"\#(lines)","recipeInstructions":"\#(texts)"}"#,
        "a.json")
      return "a.json"
    }
  }

  private func lines() throws -> [String] {
    try ["Ingredient", "Step"].flatMap {
      try shelf.value("SELECT text FROM \($0) ORDER BY recipe_id, recipe_position").components(separatedBy: "\n")
    }
  }

  @Test(arguments: ["paprika", "mela", "uuid", "page", "file"], 1...6)
  func `any number of lines is corrected`(_ way: String, _ count: Int) throws {
    let old = Self.ingredients + Self.steps
    let new = (Self.newIngredients + Self.newSteps).prefix(count) + old.dropFirst(count)
    for isEdited in [false, true] {
      var before = old
      defer { try? FileManager.default.removeItem(atPath: shelf.path("kitchen.sqlite")) }
      try shelf.import(write(way, Self.ingredients, Self.steps))
      _ = try shelf.value("UPDATE Recipe SET rating = 5")
      if isEdited {
        _ = try shelf.value("UPDATE Ingredient SET text = '5 onions' WHERE text = '4 onions'")
        before[3] = "5 onions"
      }
      let report = try shelf.import(write(way, Array(new.prefix(4)), Array(new.dropFirst(4))))
      let words = "\(count) lines by \(way), \(isEdited ? "" : "not ")edited: \(report.notes)"
      let isTaken = count < 4 || way != "file" && (way != "page" || !isEdited)
      guard isTaken else {
        // By the name of its file alone it is another recipe; otherwise it is named.
        #expect(try Set(lines()).isSuperset(of: before), "\(words)")
        if way != "file" {
          #expect(try lines() == before, "\(words)")
          #expect(
            report.notes.contains { $0.kind == .differentContent && $0.message.contains("most lines differ") },
            "\(words)")
          #expect(!report.notes.contains { $0.kind == .duplicatesFound }, "\(words)")
        }
        continue
      }
      guard !isEdited || count < 4 else {
        // Both have changed a line: both versions stay.
        #expect(try Set(lines()).isSuperset(of: new + ["5 onions"]), "\(words)")
        #expect(report.conflictCount == 1, "\(words)")
        continue
      }
      var expected = Array(new)
      if isEdited { expected[3] = "5 onions" }
      #expect(try lines() == expected, "\(words)")
      #expect(try shelf.value("SELECT count(*) || ' ' || max(rating) FROM Recipe") == "1 5.0", "\(words)")
      #expect(try shelf.import(write(way, Array(new.prefix(4)), Array(new.dropFirst(4)))).copiedCount == 0, "\(words)")
    }
  }

  /// What a wall in front of a page leaves of a recipe, or a damaged file, is shorter.
  @Test(arguments: [
    (["Subscribe to read on"], ["Log in."]), (["1 tin of beans"], newSteps), (newIngredients, []),
  ]) func `what has less than half of the lines is left alone`(_ ingredients: [String], _ steps: [String]) throws {
    try shelf.import(write("page", Self.ingredients, Self.steps))
    for _ in 1...2 {
      let report = try shelf.import(write("page", ingredients, steps))
      #expect(try lines() == Self.ingredients + Self.steps)
      #expect(
        report.notes.contains { $0.kind == .differentContent && $0.message.contains("“Soup”") }, "\(report.notes)")
    }
  }
}
