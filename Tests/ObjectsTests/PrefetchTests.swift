import Decant
import Examples
import StoreTestSupport
import TestSupport
import Testing

private typealias Recipe = Examples.Recipe

/// What many objects lead to is what each leads to.
@Suite struct PrefetchTests {
  private let kitchens: Kitchens
  private let store: Store

  init() throws {
    kitchens = try Kitchens()
    store = try Store(StoreKinds.location(kitchens.kitchen))
  }

  @Test func `targets by their keys`() throws {
    let recipes = try store.objects(Recipe.self).array()
    let categories = try store.objects(Category.self).by(recipes.map(\.category))
    #expect(Set(categories.keys) == Set(recipes.compactMap(\.category)))
    for (id, category) in categories {
      #expect(category.id == id)
      #expect(category.name == (try store.object(id)?.name))
    }
    let some = store.objects(Category.self).filter { $0.name != "Soups" }
    #expect(try some.by(recipes.map(\.category)).count == categories.count - 1)
    #expect(try some.by([nil]).isEmpty)
    #expect(try some.by([ObjectID(999)]).isEmpty)
  }

  @Test func `more keys than a statement takes`() async throws {
    let place = try PlainDatabase()
    try place.make(
      "many.db",
      """
      CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1700)
        INSERT INTO tag SELECT i * 3, 'tag ' || i FROM n
      """
    )
    let store = try await Store(StoreKinds.location(place.path("many.db")))
    struct Name: EntityObject {
      static let entity = "tag"
      static let properties: [String]? = ["name"]
      let name: String
      init(_ row: borrowing ObjectRow) throws(DecantError) { name = try row.value(0) }
      typealias Fields = StoreRecord.Fields
    }
    let found = try await store.objects(Name.self).by((0...5_000).map { ObjectID($0) })
    #expect(found.count == 1_666)
    #expect(found.allSatisfy { $0.value.name == "tag \($0.key.key / 3)" })
  }

  @Test func `lists of many owners are the lists of each`() async throws {
    let recipes = try await store.objects(Recipe.self).array()
    let owners = recipes.map(\.id)
    let (steps, tags) = (
      try await store.objects(Recipe.self).lists(of: owners) { $0.steps },
      try await store.objects(Recipe.self).lists(of: owners) { $0.tags }
    )
    for recipe in recipes {
      #expect(try await recipe.steps(in: store).array().map(\.id) == (steps[recipe.id] ?? []).map(\.id))
      #expect(try await recipe.tags(in: store).array().map(\.id) == (tags[recipe.id] ?? []).map(\.id))
    }
    let expected = try Program.sqlite3(
      kitchens.kitchen,
      "SELECT group_concat(Z_PK) FROM (SELECT Z_PK FROM ZSTEP WHERE ZRECIPE = 4 ORDER BY Z_FOK_RECIPE)")
    #expect(
      try #require(steps[ObjectID(4)]).map { "\($0.id)" }.joined(separator: ",") == expected.split(separator: "\n")[0])
    let error = try failure { _ = try store.objects(Recipe.self).lists(of: owners) { $0.category.recipes } }
    #expect(error.code == .invalidExpression)
  }
}
