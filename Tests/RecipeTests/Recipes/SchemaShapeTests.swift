import DecantJSON
import Foundation
import TestSupport
import Testing

@testable import DecantRecipeFormats

/// Shapes of JSON-LD that few sites write: all of it is read, or kept in `extra` with a remark.
@Suite struct SchemaShapeTests {
  private let session: JSONBench

  init() throws { session = try JSONBench() }

  /// Members of a recipe, and what is read of them.
  struct Case: CustomTestStringConvertible, Sendable {
    let name, members: String
    var ingredients: [String] = []
    var steps: [String] = []
    /// A text in another field.
    var other: String?
    /// Whether something is kept in `extra`.
    var isKept = false
    /// All that must be there somewhere.
    let words: [String]
    var testDescription: String { name }
  }

  private static let cases = [
    Case(
      name: "a step of several texts",
      members: #""recipeInstructions":[{"@type":"HowToStep","text":["Chop first.","Fry second."]}]"#,
      steps: ["Chop first.\nFry second."], words: ["Chop", "Fry"]),
    Case(
      name: "a section with a text beside its steps",
      members:
        #""recipeInstructions":[{"@type":"HowToSection","name":"Dough","text":"Rest overnight.","itemListElement":[{"@type":"HowToStep","text":"Knead."}]}]"#,
      steps: ["# Dough", "Rest overnight.", "Knead."], words: ["Dough", "overnight", "Knead"]),
    Case(
      name: "a section that repeats its steps as a text",
      members:
        #""recipeInstructions":[{"@type":"HowToSection","name":"Dough","text":"Knead. Bake.","itemListElement":["Knead.","Bake."]}]"#,
      steps: ["# Dough", "Knead.", "Bake."], words: ["Dough", "Knead", "Bake"]),
    Case(
      name: "a section with a tool",
      members:
        #""recipeInstructions":[{"@type":"HowToSection","name":"Dough","tool":"a whisk","itemListElement":["Knead."]}]"#,
      steps: ["# Dough", "Knead."], isKept: true, words: ["Dough", "whisk", "Knead"]),
    Case(
      name: "a section with “step”",
      members:
        #""recipeInstructions":[{"@type":"HowToStep","text":"Begin."},{"@type":"HowToSection","name":"Dough","step":[{"@type":"HowToStep","text":"Knead."}]}]"#,
      steps: ["Begin.", "# Dough", "Knead."], words: ["Begin", "Dough", "Knead"]),
    Case(
      name: "HowTo with “step”",
      members: #""recipeInstructions":{"@type":"HowTo","step":[{"@type":"HowToStep","text":"Knead."}]}"#,
      steps: ["Knead."], words: ["Knead"]),
    Case(
      name: "a name beside an item",
      members: #""recipeInstructions":[{"@type":"ListItem","name":"Sauce","item":{"text":"Stir."}}]"#,
      steps: ["Sauce: Stir."], words: ["Sauce", "Stir"]),
    Case(
      name: "a step of parts with pictures",
      members:
        #""recipeInstructions":[{"@type":"HowToStep","itemListElement":[{"text":"Stir.","image":"https://host/stir.jpg"}]}]"#,
      steps: ["Stir."], words: ["Stir", "stir.jpg"]),
    Case(
      name: "a step without a text", members: #""recipeInstructions":["Stir.",{"@type":"HowToStep","video":"v.mp4"}]"#,
      steps: ["Stir."], isKept: true, words: ["Stir", "v.mp4"]),
    Case(
      name: "values among the steps",
      members: #""recipeInstructions":[{"@value":"Chop first.","@language":"en"},"Fry second."]"#,
      steps: ["Chop first.", "Fry second."], words: ["Chop", "Fry"]),
    Case(
      name: "a list of steps", members: #""recipeInstructions":{"@list":["Chop first.","Fry second."]}"#,
      steps: ["Chop first.", "Fry second."], words: ["Chop", "Fry"]),
    Case(
      name: "a set of lists of steps", members: #""recipeInstructions":[{"@set":[{"@list":["Chop first."]},"Fry."]}]"#,
      steps: ["Chop first.", "Fry."], words: ["Chop", "Fry"]),
    Case(
      name: "a list of ingredients", members: #""recipeIngredient":{"@list":["1 onion",{"@value":"2 leeks"}]}"#,
      ingredients: ["1 onion", "2 leeks"], words: ["onion", "leeks"]),
    Case(
      name: "a group of ingredients",
      members: #""recipeIngredient":["1 onion",{"name":"Topping","items":["2 leeks"]}]"#,
      ingredients: ["1 onion", "# Topping", "2 leeks"], words: ["onion", "leeks", "Topping"]),
    Case(
      name: "a group of ingredients with a remark",
      members: #""recipeIngredient":[{"name":"Topping","itemListElement":["2 leeks"],"description":"or none"}]"#,
      ingredients: ["# Topping", "2 leeks"], isKept: true, words: ["leeks", "Topping", "or none"]),
    Case(
      name: "an ingredient of parts and a remark",
      members: #""recipeIngredient":[{"name":"flour","amount":"2","unit":"oz","note":"sifted"}]"#,
      ingredients: ["2 oz flour"], words: ["2 oz flour", "sifted"]),
    Case(
      name: "an ingredient without words", members: #""recipeIngredient":["1 egg",{"@id":"https://host/salt"}]"#,
      ingredients: ["1 egg"], isKept: true, words: ["egg", "host/salt"]),
    Case(
      name: "two yields", members: #""recipeYield":["6 servings","1 loaf"]"#, other: "6 servings, 1 loaf",
      words: ["6 servings", "1 loaf"]),
    Case(
      name: "a number and a yield", members: #""recipeYield":["666","1 loaf"]"#, other: "666, 1 loaf",
      words: ["666", "1 loaf"]),
    Case(name: "a yield in two ways", members: #""recipeYield":["4","4 servings"]"#, other: "4 servings", words: ["4"]),
    Case(
      name: "a range of servings",
      members: #""recipeYield":{"@type":"QuantitativeValue","minValue":4,"maxValue":6,"unitText":"servings"}"#,
      other: "4–6 servings", words: ["4", "6"]),
    Case(
      name: "a yield with a remark", members: #""recipeYield":{"value":4,"unitText":"buns","description":"small"}"#,
      other: "4 buns", isKept: true, words: ["4 buns", "small"]),
    Case(
      name: "a time from one to another",
      members: #""cookTime":{"@type":"Duration","minValue":"PT11M","maxValue":"PT22M"}"#, other: "PT11M–PT22M",
      words: ["PT11M", "PT22M"]),
    Case(
      name: "two times", members: #""cookTime":["PT11M","PT22M"]"#, other: "PT11M", isKept: true,
      words: ["PT11M", "PT22M"]),
    Case(
      name: "two descriptions", members: #""description":["Firsttext","Secondtext"]"#, other: "Firsttext\nSecondtext",
      words: ["Firsttext", "Secondtext"]),
    Case(
      name: "two names", members: #""name":["Soup","Suppe"]"#, isKept: true, words: ["Soup", "Suppe"]),
    Case(
      name: "a name in a language", members: #""name":{"@value":"Soup","@language":"en"}"#, words: ["Soup"]),
  ]

  @Test(arguments: cases)
  func `nothing vanishes`(_ example: Case) throws {
    let context = session.context("a.jsonld")
    let value = try session.read("{\"@type\":\"Recipe\",\"name\":\"Soup\",\(example.members)}")
    let recipe = try SchemaRecipe.recipe(value, context)
    #expect(recipe.title == "Soup")
    #expect(recipe.ingredients.map { ($0.isHeading ? "# " : "") + $0.text } == example.ingredients)
    #expect(
      recipe.steps.map { ($0.isHeading ? "# " : $0.title.map { "\($0): " } ?? "") + $0.text } == example.steps)
    let others = [recipe.yield, recipe.cookTime?.text, recipe.summary]
    #expect(example.other == nil || others.contains { $0 == example.other }, "\(others)")
    let isKept = recipe.extra.contains { $0.0 == "unread" }
    let isSaid = context.warnings.contains { $0.contains("unread") }
    #expect(isKept == example.isKept && isSaid == example.isKept, "\(recipe.extra), \(context.warnings)")
    let extra = recipe.extra + recipe.ingredients.flatMap(\.extra) + recipe.steps.flatMap(\.extra)
    let all =
      [recipe.title, recipe.summary ?? "", recipe.yield ?? "", recipe.cookTime?.text ?? ""]
      + recipe.ingredients.map(\.text) + recipe.steps.flatMap { [$0.title ?? "", $0.text] } + extra.map(\.1.text)
    for word in example.words {
      #expect(all.contains { $0.replacing("\\/", with: "/").contains(word) }, "\(word) is not in \(all)")
    }
  }

  @Test(
    arguments: [
      (#"["6 servings","1 loaf"]"#, 6), (#"["666","1 loaf"]"#, 666), (#"["4","4 servings"]"#, 4),
      (#"["8","8-10 servings"]"#, nil), (#"["4 servings","6 servings"]"#, nil), (#"["2 loaves","1 kg"]"#, nil),
    ] as [(String, Double?)])
  func `servings follow from several yields if they agree`(_ yields: String, _ servings: Double?) throws {
    let value = try session.read("{\"@type\":\"Recipe\",\"name\":\"Soup\",\"recipeYield\":\(yields)}")
    #expect(try SchemaRecipe.recipe(value, session.context("a.jsonld")).servings == servings)
  }
}
