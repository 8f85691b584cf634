import DecantBase
import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats

@Suite struct CooklangFormatTests {
  /// A piece as the canonical tests write it.
  private struct Piece: Hashable, CustomStringConvertible {
    var type = ""
    var values: [String: String] = [:]
    var description: String { "\(type) \(values.sorted { $0.key < $1.key })" }
  }

  private struct Canonical {
    var name: String
    var source: [String] = []
    var steps: [[Piece]] = []
    var metadata: [String: String] = [:]
  }

  /// The tests of the language's own specification, in the few forms of YAML that these use.
  private func canonicalTests() throws -> [Canonical] {
    let text = String(decoding: try RecipeFixtures.bytes("cooklang/cooklang-spec-canonical.yaml"), as: UTF8.self)
    var tests: [Canonical] = []
    var part = ""
    func value(_ text: Substring) -> String {
      let text = text.trimmed
      return text.count > 1 && text.first == "\"" ? String(text.dropFirst().dropLast()) : text
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let depth = line.prefix { $0 == " " }.count
      let text = line.trimmed
      if part == "source", depth >= 6 || text.isEmpty {
        tests[tests.count - 1].source.append(String(line.dropFirst(6)))
        continue
      }
      if text.isEmpty || text.hasPrefix("#") { continue }
      if depth == 2, text.hasSuffix(":") { tests.append(Canonical(name: String(text.dropLast()))) }
      if depth <= 6 { part = String(text.prefix { $0 != ":" }) }
      guard let colon = text.firstIndex(of: ":") else {
        if part == "steps", text == "-" { tests[tests.count - 1].steps.append([]) }
        continue
      }
      let key = text[..<colon].drop { $0 == "-" || $0 == " " }
      let found = value(text[text.index(after: colon)...])
      if part == "metadata", depth > 6 {
        tests[tests.count - 1].metadata[value(key)] = found
      } else if part == "steps", depth > 6 {
        let step = tests[tests.count - 1].steps.count - 1
        if key == "type" {
          tests[tests.count - 1].steps[step].append(Piece(type: found))
        } else {
          let piece = tests[tests.count - 1].steps[step].count - 1
          tests[tests.count - 1].steps[step][piece].values[String(key)] = found
        }
      }
    }
    return tests
  }

  private func number(_ text: String) -> String {
    CooklangBody.quantity(text).map { $0.to == nil ? "\($0.from)" : text } ?? text
  }

  @Test(.enabled(if: Fixtures.areAvailable))
  func `the canonical tests of the language hold`() throws {
    let tests = try canonicalTests()
    #expect(tests.count > 50)
    for test in tests {
      var lines = test.source
      while lines.last?.isEmpty == true { lines.removeLast() }
      let recipe = CooklangFormat.recipe(lines.joined(separator: "\n"))
      if lines.first == "---" {
        let end = try #require(lines.dropFirst().firstIndex(of: "---"))
        let fields = FrontMatter.fields(Array(lines[1..<end]))
        let read = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.text) })
        #expect(read == test.metadata, "\(test.name)")
        lines.removeFirst(end + 1)
      }
      let paragraphs = lines.split(whereSeparator: { $0.trimmed.isEmpty })
      var steps: [[Piece]] = []
      for paragraph in paragraphs {
        let pieces = CooklangParser.pieces(paragraph.joined(separator: "\n"))
        let found = pieces.compactMap { piece -> Piece? in
          switch piece {
          case .text(let text):
            return text.trimmed.isEmpty ? nil : Piece(type: "text", values: ["value": text])
          case .ingredient(let mark):
            let quantity = mark.quantity.isEmpty ? "some" : number(mark.quantity)
            return Piece(type: "ingredient", values: ["name": mark.name, "quantity": quantity, "units": mark.unit])
          case .cookware(let mark):
            let quantity = mark.quantity.isEmpty ? "1.0" : number(mark.quantity)
            return Piece(type: "cookware", values: ["name": mark.name, "quantity": quantity])
          case .timer(let mark):
            let quantity = number(mark.quantity)
            return Piece(type: "timer", values: ["name": mark.name, "quantity": quantity, "units": mark.unit])
          case .comment: return nil
          }
        }
        if !found.isEmpty { steps.append(found) }
      }
      let expected = test.steps.map { step in
        step.map { piece in
          var piece = piece
          if let quantity = piece.values["quantity"] { piece.values["quantity"] = number(quantity) }
          if piece.type == "cookware" { piece.values["units"] = nil }
          return piece
        }
      }
      #expect(steps == expected, "\(test.name)")
      let names = expected.flatMap { $0 }.filter { $0.type == "ingredient" }
        .compactMap { $0.values["name"] }
      #expect(recipe.ingredients.compactMap(\.name) == names, "\(test.name)")
    }
  }

  @Test(.enabled(if: Fixtures.areAvailable))
  func `real recipes are read`() throws {
    let file = "cooklang/cooklang-spec-Fried_Rice.cook"
    let bytes = try RecipeFixtures.bytes(file)
    #expect(CooklangFormat.matches(bytes, name: file))
    #expect(!CooklangFormat.matches(bytes, name: "a.txt"))
    let read = try ReadText(bytes, as: CooklangFormat.self, name: "box/Fried Rice.cook")
    let recipe = try #require(read.recipes.first)
    #expect(read.recipes.count == 1)
    #expect(recipe.title == "Fried Rice")
    #expect(recipe.steps.count == 9)
    #expect(recipe.ingredients.count == 16)
    #expect(recipe.ingredients[0].text == "1 tbsp oyster sauce")
    #expect(recipe.ingredients[0].unit == "tbsp")
    #expect(recipe.steps[0].text == "Mix together oyster sauce, soy sauce and sesame oil, set aside.")
    let places = recipe.images.map { image in
      if case .file(let names) = image.place { "\(names[0]) \(image.step ?? -1)" } else { "" }
    }
    #expect(places.first == "Fried Rice.jpg -1")
    #expect(places.last == "Fried Rice.8.jpg 8")
    let pancakes = try ReadText(
      RecipeFixtures.bytes("cooklang/cooklang-spec-Easy_Pancakes.cook"),
      as: CooklangFormat.self,
      name: "Easy Pancakes.cook"
    )
    #expect(
      pancakes.recipes[0].ingredients.map(\.text) == [
        "3 eggs", "125 g flour", "250 ml milk", "1 pinch sea salt", "oil",
      ]
    )
    #expect(pancakes.recipes[0].steps[1].text == "Pour into a bowl and leave to stand for 15 minutes.")
  }

  /// Fields of YAML, and what is read of them: each text in brackets, a list in braces.
  @Test(arguments: [
    ("a: b\n  c\nd: >-\n  e\n  f\n", "a[b c] d[e f]"), ("a:\n- b\n- >-\n  c\n  d\n- 'e''s'", "a{[b][c d][e's]}"),
    ("a:\n  b: 1\n  c: [2, '3, 4']", "a.b[1] a.c{[2][3, 4]}"), ("a: b # c\n# d\ne: f #g", "a[b] e[f #g]"),
    ("a: #b\nc:\n- #d\n- e", "a[#b] c{[#d][e]}"), ("a: ~\nb: null\nc: ''\nd: e", "d[e]"),
    ("a: b: c\nd: 'e", "a[b: c] d['e]"), ("a:1\nb: http://c", "a[1] b[http://c]"),
    ("a: [#b, c\nd: e", "a[[#b, c] d[e]"),
    ("a: [50%, #b]\nc: d", "a{[50%][#b]} c[d]"), ("a: {b: c}\nd: *e\nf: !g", "a.b[c] d[*e] f[!g]"),
    ("a:\n- b:\n  - c\n- d: e\n  f: g\n- [[h]]", "a.b{[c]} a{[d: e, f: g][h]}"), ("\ta: b\n\tc: d", "a[b] c[d]"),
    ("a: b\n\u{1}c: d", "a[b] \u{1}c[d]"), ("text", ""), ("cook time  :4", "cook time[4]"), ("see http://a", ""),
    ("", ""), ("- a", ""),
  ])
  func `fields are read as YAML, and lines that are none as they stand`(_ text: String, _ expected: String) {
    let fields = FrontMatter.fields(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    let read = fields.map { field in
      let values = field.values.map { "[\($0)]" }.joined()
      return field.name + (field.isList ? "{\(values)}" : values)
    }
    #expect(read.joined(separator: " ") == expected)
  }

  @Test(arguments: ["[", "- ", "a: ", "{a: ", "- a: [", "? ", "&a *a "])
  func `fields of any depth end`(_ part: String) {
    let text = String(repeating: part, count: 50_000)
    #expect(FrontMatter.fields(["a: \(text)", "b: c"]).count <= 2)
    #expect(FrontMatter.fields([text]).count <= 1)
  }

  @Test func `fields, sections, notes, comments and references are read`() throws {
    let recipe = CooklangFormat.recipe(
      """
      ---
      title: "Pie: \\"the\\" one"
      source: https://example.org/pie
      servings: 4
      tags:
        - sweet
        - baked
      time:
        prep: 10 min
        cook: 1h30m
      description: |
        Two
        lines
      rating: 9
      cuisine: French
      ---
      >> difficulty: easy
      > Don't burn
      > the roux!

      == Dough ==
      Mix @flour{200%g}(sifted) [- not
      this -] and @?salt{1-2%pinch}. -- nor that
      Knead @&flour{} well in a #large bowl{}\\
      and rest.

      = Filling
      Pour @./sauces/Hollandaise{150%g} over @white wine|wine{=few%drops}, @egg.

      ==
      Eat \\@ home -- really
      """
    )
    #expect(recipe.title == "Pie: \"the\" one")
    #expect(recipe.url == "https://example.org/pie")
    #expect(recipe.servings == 4)
    #expect(recipe.tags == ["sweet", "baked"])
    #expect(recipe.prepTime?.minutes == 10)
    #expect(recipe.cookTime?.minutes == 90)
    #expect(recipe.summary == "Two\nlines")
    #expect(recipe.rating == nil)
    #expect(recipe.difficulty == "easy")
    #expect(recipe.notes == "Don't burn\nthe roux!")
    #expect(recipe.extra.map(\.0) == ["rating", "cuisine", "cookware", "body"])
    #expect(
      recipe.ingredients.map(\.text) == [
        "Dough", "200 g flour, sifted", "1-2 pinch salt", "Filling", "150 g Hollandaise",
        "few drops white wine", "egg",
      ]
    )
    #expect(recipe.ingredients[1].note == "sifted")
    #expect(recipe.ingredients[2].amountTo == 2)
    #expect(recipe.ingredients[2].isOptional == true)
    #expect(recipe.ingredients[5].amount == nil)
    #expect(
      recipe.steps.map(\.text) == [
        "Dough", "Mix flour  and salt.  Knead flour well in a large bowl\nand rest.", "Filling",
        "Pour Hollandaise over wine, egg.", "Eat @ home",
      ]
    )
  }

  /// What a recipe says, its ingredients, and its last step.
  @Test(arguments: [
    ("Boil @milk{250%ml}.\n\nAdd @&milk{50%ml} more.", "300 ml milk", "Add 50 ml milk more."),
    (
      "Boil @milk{250%ml}.\n\nAdd @&Milk{50%ml}(cold) and @&milk{=1/2%ml}.", "300.5 ml milk",
      "Add 50 ml Milk (cold) and 1/2 ml milk."
    ),
    ("Take @eggs{2-3}, @oil.\n\nThen @&eggs{1}.", "3-4 eggs|oil", "Then 1 eggs."),
    ("Take @whole milk|milk{1%l}(cold).\n\nAdd @&whole milk|milk{1%l}.", "2 l whole milk, cold", "Add 1 l milk."),
    // Amounts that cannot be added have lines of their own.
    ("Boil @milk{250%ml}.\n\nAdd @&milk{1%cup}.", "250 ml milk|1 cup milk", "Add 1 cup milk."),
    ("Boil @milk{250%ml}.\n\nAdd @&milk{a drop}.", "250 ml milk|a drop milk", "Add a drop milk."),
    ("Boil @milk.\n\nAdd @&milk{1%cup}.", "milk|1 cup milk", "Add 1 cup milk."),
    ("@milk{250%ml} [- a glass of milk -]\n\nAdd @&milk{1%ml}.", "a glass of milk|1 ml milk", "Add 1 ml milk."),
    // So has what was not named before.
    ("Add @&milk{1%cup} and @&salt{}.", "1 cup milk|salt", "Add 1 cup milk and salt."),
    // The last of several counts; the result of a step is no ingredient.
    ("@milk{1%l}, @milk{2%l}\n\nAdd @&milk{1%l}.", "1 l milk|3 l milk", "Add 1 l milk."),
    ("Mix @flour{1%kg}.\n\nKnead @&flour{} and @&(~1)dough{half}.", "1 kg flour", "Knead flour and half dough."),
  ])
  func `a reference adds to the ingredient and stands in its step`(_ text: String, _ lines: String, _ step: String) {
    let recipe = CooklangFormat.recipe(text)
    #expect(recipe.ingredients.map(\.text).joined(separator: "|") == lines)
    #expect(recipe.steps.last?.text == step)
  }

  @Test(arguments: [
    "@", "@{", "@a{", "#", "~", "~{", "[-", "-]", "\\", "@a{1%g", "@a{}(", "---", "---\na: b", ">",
    ">>",
    "=", "@a|{1}", "@&(", "@./", "{}", "@\\", "[- -", "@a{\\", "---\n- x\n  - y\n[\n---",
    "---\nk: \"\n---",
  ])
  func `what is cut off anywhere is text`(_ text: String) {
    _ = CooklangFormat.recipe(text)
    _ = CooklangFormat.recipe("Add " + text + "\n\n" + text)
  }

  /// Each of these would take hours if it were read again for each mark.
  @Test(arguments: [
    "@a{", "@a{}(", "[-", "@&(", "@a ", "--", "\\", "=\n", ">\n", "{", "(", "- x\n",
  ])
  func `marks that never end are read in one go`(_ mark: String) {
    let text = String(repeating: mark, count: 20_000)
    let spent = CPUTime.of {
      _ = CooklangFormat.recipe(text)
      _ = CooklangFormat.recipe("---\nkey:\n" + text + "\n---\n")
    }
    #expect(spent < .seconds(60))
  }
}
