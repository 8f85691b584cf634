import Decant
import TestSupport
import Testing

/// Recipes that come from one page, such as “Ten best salads”: another title with other lines is another recipe.
@Suite struct RoundUpPageTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  private static let page = "https://example.org/ten-best-salads"
  private static let formats = ["paprika", "mela", "schema"]
  private static let policies: [MergePolicy?] = [nil, .skip, .update, .replace, .fill, .newest, .keepBoth]

  /// Writes a recipe of the page in a format; the ID is unique within it.
  private func write(_ name: String, _ format: String, _ title: String, _ lines: [String], _ steps: [String]) throws {
    let (ingredients, directions) = (lines.joined(separator: "\\n"), steps.joined(separator: "\\n"))
    let id = "3F2504E0-4F89-11D3-9A0C-0305E82C330\(name == "a" ? 1 : 2)"
    switch format {
    case "paprika":
      try shelf.make(
        name,
        "paprika(recipe('\(title)', uid='\(id)', ingredients='\(ingredients)', directions='\(directions)', source_url='\(Self.page)'))"
      )
    case "mela":
      try shelf.write(
        #"{"id":"\#(id)","title":"\#(title)","ingredients":"\#(ingredients)","instructions":"\#(directions)","link":"\#(Self.page)","images":[]}"#,
        name)
    default:
      try shelf.write(
        #"{"@type":"Recipe","name":"\#(title)","url":"\#(Self.page)","recipeIngredient":"\#(ingredients)","recipeInstructions":"\#(directions)"}"#,
        name)
    }
  }

  private func recipes() throws -> String {
    try shelf.value(
      """
      SELECT group_concat(title || ': ' || (SELECT group_concat(text) FROM
        (SELECT text FROM Ingredient WHERE recipe_id = r.id ORDER BY recipe_position)), '; ')
      FROM (SELECT * FROM Recipe ORDER BY title) AS r
      """)
  }

  private static let both = "Greek Salad: 1 cucumber,200 g feta; Potato Salad: 1 kg potatoes,3 eggs"

  private func writeBoth(_ first: String, _ second: String) throws {
    try write("a", first, "Greek Salad", ["1 cucumber", "200 g feta"], ["Cut it.", "Mix it."])
    try write("b", second, "Potato Salad", ["1 kg potatoes", "3 eggs"], ["Boil them.", "Mix it."])
  }

  @Test(arguments: formats, formats)
  func `two recipes of one page are two, on one day and on two`(_ first: String, _ second: String) throws {
    try writeBoth(first, second)
    try shelf.import("a", "b", into: "one.sqlite")
    #expect(try shelf.value("SELECT count(*) FROM Recipe", of: "one.sqlite") == "2")
    for policy in Self.policies {
      let name = policy.map { "\($0)" } ?? "corrections"
      func run(_ file: String) throws -> CopyReport {
        try shelf.import(file) { work in if let policy { work.rules = MergeRules(policy) } }
      }
      _ = try run("a")
      #expect(try run("b").copiedCount > 0, "\(name)")
      #expect(try recipes() == Self.both, "\(name)")
      for file in ["a", "b"] {
        #expect(try run(file).copiedCount == 0, "\(name), again")
        #expect(try recipes() == Self.both, "\(name), again")
      }
      _ = try shelf.value("DELETE FROM Recipe; DELETE FROM Ingredient; DELETE FROM Step; DELETE FROM NativeID")
      _ = try shelf.value("DELETE FROM decant_imported")
    }
  }

  /// Half of the lines, and no ID that says otherwise: the site or the cook has given it another name.
  @Test(arguments: formats, formats)
  func `a recipe of a page with another title and half of its lines is the same`(_ first: String, _ second: String)
    throws
  {
    try write("a", first, "Greek Salad", ["1 cucumber", "200 g feta"], ["Cut it.", "Mix it."])
    try write("b", second, "Horiatiki", ["1 cucumber", "200 g feta, crumbled"], ["Cut it.", "Serve it."])
    let isOne = first != second || first == "schema"
    for files in [["a", "b"], ["b", "a"]] {
      let store = "\(files[0]).sqlite"
      for file in files { try shelf.import(file, into: store) { $0.rules = MergeRules(.skip) } }
      #expect(try shelf.value("SELECT count(*) FROM Recipe", of: store) == (isOne ? "1" : "2"))
    }
  }
}
