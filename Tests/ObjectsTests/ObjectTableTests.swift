import Decant
import Examples
import StoreTestSupport
import TestSupport
import Testing

private typealias Recipe = Examples.Recipe

/// Rows of a table, held against the whole list.
@Suite struct ObjectTableTests {
  private let kitchens: Kitchens
  private let store: Store
  private let recipes: Objects<Recipe>

  init() throws {
    kitchens = try Kitchens()
    store = try Store(StoreKinds.location(kitchens.kitchen))
    recipes = store.objects(Recipe.self).order { [$0.title.ascending] }
  }

  @Test(arguments: [1, 3, 5, 50], SeededGenerator.seeds(3))
  func `any row, in any sequence, is that of the list`(size: Int, seed: UInt64) async throws {
    let all = try await recipes.array().map(\.id)
    let table = ObjectTable(recipes, pageSize: size)
    var random = SeededGenerator(seed: seed)
    var place = 0
    for _ in 0..<60 {
      // As a list is scrolled: mostly on, sometimes back, now and then far away.
      place += [1, 1, 1, -1, Int.random(in: -20...20, using: &random)].randomElement(using: &random) ?? 0
      let row = try await table.row(place)
      #expect(row?.id == (all.indices.contains(place) ? all[place] : nil))
      place = min(max(place, 0), all.count)
    }
    #expect(try await table.total() == all.count)
    #expect(try await table.estimate() == RowCount(all.count))
  }

  @Test func `a long table is estimated, and marked`() async throws {
    let place = try PlainDatabase()
    try place.make(
      "long.db",
      """
      CREATE TABLE ZRECIPE (id INTEGER PRIMARY KEY);
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) INSERT INTO ZRECIPE SELECT i FROM n
      """
    )
    let table = ObjectTable(try await Store(StoreKinds.location(place.path("long.db"))).objects(Row.self))
    #expect(try await table.estimate() == RowCount(1_000, isEstimate: true))
    #expect(try await table.row(2_499)?.id.key == 2_500)
    #expect(try await table.row(2_500) == nil)
    #expect(try await table.estimate() == RowCount(2_500))
  }

  private struct Row: EntityObject {
    static let entity = "ZRECIPE"
    static let properties: [String]? = []
    let id: ObjectID<Row>
    init(_ row: borrowing ObjectRow) throws(DecantError) { id = try row.id() }
    struct Fields: ObjectFields { init(_ path: ObjectPath) {} }
  }

  @Test func `rows are deleted unless that is turned off`() async throws {
    let table = ObjectTable(recipes, pageSize: 5)
    let first = try #require(try await table.row(0)).id
    await table.setAllowsDeletion(false)
    await #expect(throws: DecantError.self) { try await table.delete(first) }
    #expect(try await table.total() == 12)
    await table.setAllowsDeletion(true)
    try await table.delete(first)
    #expect(try await table.total() == 11)
    #expect(try await table.row(0)?.id != first)
    try WritingTests.checkSound(kitchens.kitchen)
  }

  @Test func `a write of this store is told at once, with its entities`() async throws {
    var changes = store.changes(of: Recipe.self).makeAsyncIterator()
    try await store.write { block in try block.update(block.objects(Recipe.self)) { $0.servings = 77 } }
    let change = try #require(try await changes.next())
    #expect(change.entities == ["Recipe"])
    // Another program's write comes as any.
    _ = try Program.sqlite3(kitchens.kitchen, "UPDATE ZRECIPE SET ZSERVINGS = 78")
    #expect(try await changes.next()?.entities == nil)
    #expect(try await ObjectTable(recipes).row(0)?.servings == 78)
  }

  @Test func `a table notices that the store has changed`() async throws {
    let table = ObjectTable(recipes, pageSize: 3)
    #expect(try await table.row(0) != nil)
    #expect(try await table.total() == 12)
    try await store.write { block in try block.update(block.objects(Recipe.self)) { $0.servings = 77 } }
    #expect(try await table.row(0)?.servings == 77)
    _ = try Program.sqlite3(kitchens.kitchen, "UPDATE ZRECIPE SET ZSERVINGS = 78; DELETE FROM ZRECIPE WHERE Z_PK = 3")
    try await Task.sleep(for: .milliseconds(600))
    #expect(try await table.row(0)?.servings == 78)
    #expect(try await table.total() == 11)
  }
}
