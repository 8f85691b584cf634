import DecantSQLite
import Testing

@testable import DecantBase
@testable import DecantPlan
@testable import DecantStore

@Suite struct ExpressionTests {
  static let model = Model(entities: [
    Entity(
      name: "Recipe",
      attributes: [
        Attribute(name: "title", type: .string), Attribute(name: "rating", type: .integer16),
        Attribute(name: "order", type: .integer16),
        Attribute(name: "total", type: .double, isTransient: true),
      ],
      relationships: [
        Relationship(name: "category", destination: "Category"),
        Relationship(name: "tags", destination: "Tag", isToMany: true),
      ]
    ),
    Entity(name: "Category", attributes: [Attribute(name: "name", type: .string)]),
    Entity(name: "Dessert", superentity: "Recipe"),
    Entity(name: "Tag"),
  ])

  private static let views = EntityViews(model: model, layout: Layout(of: model))

  private func check(_ text: String, of entity: String = "Recipe") throws(DecantError) {
    _ = try Expression(text, entity: entity, views: Self.views, option: .where)
  }

  @Test(arguments: [
    "rating >= 4", "title LIKE '%soup%'", "\"order\" = 1", "category IS NULL",
    "(rating > 1) AND (rating < 5)", "rating > 1 OR title = ')('", "1",
    "rating IN (1, 2, 3)", "CASE WHEN rating > 3 THEN 1 ELSE 0 END", "length(title) > 3",
    "rating > 1 -- at least two", "rating /* stars */ > 1", "title GLOB '[A-M]*'",
    "category IN (SELECT _id FROM Category WHERE name = 'Soups')",
    "EXISTS (SELECT 1 FROM Category WHERE name = title)", "title COLLATE NOCASE = 'x'",
    "title = 'it''s; -- \" /*'",
  ])
  func `one expression over the entity's attributes is taken`(_ text: String) throws {
    try check(text)
  }

  @Test(arguments: [
    "1) OR (1", "1), (2", "1) FROM Recipe; DROP TABLE Recipe; --", "rating > 1; DELETE FROM Recipe",
    "rating > 1;", "", "   ", "-- nothing", "/* open", "'open", "(1", "1)", "1, 2", "rating AS r",
    "SELECT 1", "1 UNION SELECT 2", "1 FROM Category", "rating > 1 ORDER BY 1",
    "1 THEN 2 WHEN 3", "1 END = CASE WHEN 1", "*", "Recipe.*",
  ])
  func `what is more or less than one expression is refused`(_ text: String) {
    let error = #expect(throws: DecantError.self) { try check(text) }
    #expect(error?.family == .usage)
    #expect(error?.what.commandLine.contains("--where “Recipe: \(text)”") == true)
  }

  @Test(arguments: [
    "load_extension('x')", "random() > 0", "length(randomblob(4))", "fts3_tokenizer('simple')",
    "readfile('/etc/passwd')", "RANDOM()", "last_insert_rowid()", "total_changes()",
    "id('Recipe', 1)", "no_such_function(1)", "title COLLATE nowhere",
    "EXISTS (SELECT 1 FROM sqlite_schema)", "rating IN (SELECT _rowid_ FROM Category)",
    "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n)",
  ])
  func `functions that reach outside or cannot be repeated are refused`(_ text: String) {
    #expect(throws: DecantError.self) { try check(text) }
  }

  @Test(arguments: [
    ("tittle = 'x'", "title"), ("titel = 'x'", "title"), ("Ratings > 3", "rating"),
    ("catgory IS NULL", "category"),
  ])
  func `a name that is nearly right is mended`(_ text: String, _ name: String) {
    let error = #expect(throws: DecantError.self) { try check(text) }
    #expect(error?.remedy == "did you mean \(name)?")
  }

  @Test(arguments: [
    "colour = 'red'", "total > 3", "tags IS NULL", "title = \"soup\"", "name = 'x'",
  ])
  func `for a name that is not there all that are there are listed`(_ text: String) {
    let error = #expect(throws: DecantError.self) { try check(text) }
    #expect(error?.remedy == "Recipe has category, order, rating, title; write text 'like this'")
  }

  @Test func `a sub-entity has what it inherits`() throws {
    try check("rating > 3", of: "Dessert")
    #expect(throws: DecantError.self) { try check("rating > 3", of: "Category") }
  }
}
