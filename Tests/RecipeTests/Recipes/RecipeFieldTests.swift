import DecantJSON
import DecantSQLite
import Testing

@testable import DecantRecipeFormats
@testable import DecantRecipes

/// The lists of fields are complete, and what they write they read.
@Suite struct RecipeFieldTests {
  /// The names of what `value` holds, but for what has rows of its own or a column that is not a value.
  private func names(_ value: Any, but others: Set<String>) -> Set<String> {
    Set(Mirror(reflecting: value).children.compactMap(\.label)).subtracting(others)
  }

  @Test func `every value of a recipe and of its parts is a field`() {
    let lists: Set = [
      "source", "ingredients", "steps", "images", "categories", "tags", "nutrition", "nativeID",
      "extra",
      "warnings",
    ]
    #expect(names(Recipe(), but: lists) == Set(Recipe.fields.map(\.name)))
    #expect(names(RecipeIngredient(""), but: ["extra"]) == Set(RecipeIngredient.fields.map(\.name)))
    #expect(names(RecipeStep(""), but: ["extra"]) == Set(RecipeStep.fields.map(\.name)))
    #expect(names(RecipeNutrient(value: ""), but: []) == Set(RecipeNutrient.fields.map(\.name)))
  }

  @Test func `what recipes are compared by are fields`() {
    #expect(Set(RecipeLikeness.values).isSubset(of: Recipe.fields.map(\.name)))
  }

  /// Each field by itself, so that none is taken for its neighbour.
  private func check<Owner>(
    _ fields: [RecipeField<Owner>],
    _ empty: Owner,
    _ set: [String: (inout Owner) -> Void]
  ) throws {
    let connection = try Connection(":memory:", mode: .create)
    let columns = fields.columns().map(\.name).joined(separator: ", ")
    try connection.run("CREATE TABLE t (\(columns))")
    let parameters = fields.columns().indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let insertion = try connection.prepare("INSERT INTO t VALUES (\(parameters))")
    let selection = try connection.prepare("SELECT \(columns) FROM t ORDER BY rowid DESC LIMIT 1")
    #expect(Set(set.keys) == Set(fields.map(\.name)))
    for (name, change) in set {
      var owner = empty
      change(&owner)
      try insertion.run(fields.bindings(of: owner))
      defer { selection.reset() }
      #expect(try selection.step())
      var read = empty
      fields.read(selection, at: 0, into: &read)
      #expect("\(read)" == "\(owner)" && "\(read)" != "\(empty)", "\(name)")
      #expect(fields.flatMap { $0.losses(owner, empty) } == [name])
      #expect(fields.flatMap { $0.losses(owner, read) } == [])
    }
  }

  @Test func `a field comes back out of its columns`() throws {
    let time = RecipeTime(text: "an hour", minutes: 60)
    try check(
      Recipe.fields,
      Recipe(),
      [
        "title": { $0.title = "a" }, "summary": { $0.summary = "a" }, "notes": { $0.notes = "a" },
        "author": { $0.author = "a" }, "url": { $0.url = "a" }, "yield": { $0.yield = "a" },
        "servings": { $0.servings = 1.5 }, "prepTime": { $0.prepTime = time },
        "cookTime": { $0.cookTime = time }, "totalTime": { $0.totalTime = time },
        "rating": { $0.rating = 1.5 }, "difficulty": { $0.difficulty = "a" },
        "isFavorite": { $0.isFavorite = true }, "language": { $0.language = "a" },
        "created": { $0.created = "a" }, "modified": { $0.modified = "a" },
      ]
    )
    try check(
      RecipeIngredient.fields,
      RecipeIngredient(""),
      [
        "text": { $0.text = "a" }, "isHeading": { $0.isHeading = true },
        "amount": { $0.amount = 1.5 }, "amountTo": { $0.amountTo = 1.5 }, "unit": { $0.unit = "a" },
        "name": { $0.name = "a" }, "note": { $0.note = "a" },
        "isOptional": { $0.isOptional = false },
      ]
    )
    try check(
      RecipeStep.fields,
      RecipeStep(""),
      [
        "title": { $0.title = "a" }, "text": { $0.text = "a" },
        "isHeading": { $0.isHeading = true },
      ]
    )
  }
}
