import Decant
import Examples
import Foundation
import StoreTestSupport
import TestSupport
import Testing

private typealias Recipe = Examples.Recipe

/// Objects as bytes, and stores that go with their value.
@Suite struct SharingTests {
  private let kitchens: Kitchens
  private let store: Store

  init() throws {
    kitchens = try Kitchens()
    store = try Store(kitchens.kitchen)
  }

  private func titles(_ recipes: Objects<Recipe>) throws -> [String] { try recipes.array().map(\.title).sorted() }

  @Test(arguments: [ArchivePacking.none, .gzip, .zstd, .xz])
  func `an archive of some objects holds them and what they need`(_ packing: ArchivePacking) throws {
    let soups = store.objects(Recipe.self).filter { $0.category.name == "Soups" }
    let bytes: [UInt8] = try store.archive(soups, packed: packing)
    let memory = try Store.memory(like: store)
    #expect(try memory.objects(Recipe.self).count() == 0)
    #expect(try memory.take(bytes).count == 1)
    #expect(try titles(memory.objects(Recipe.self)) == titles(soups))
    let recipe = try #require(try memory.objects(Recipe.self).first())
    let same = try #require(try store.objects(Recipe.self).filter { $0.title == recipe.title }.first())
    #expect(try recipe.steps(in: memory).array().map(\.text) == same.steps(in: store).array().map(\.text))
    #expect(try recipe.ingredients(in: memory).count() == same.ingredients(in: store).count())
    for image in try memory.objects(Image.self).array() {
      #expect(Int64(try #require(try memory.bytes(of: image.id) { $0.data }).count) == image.byteCount)
    }
    // What is here stays, and nothing comes twice.
    try memory.take(bytes)
    #expect(try titles(memory.objects(Recipe.self)) == titles(soups))
  }

  @Test func `a choice of nothing, of first ones, and of everything`() throws {
    func taken(_ recipes: Objects<Recipe>) throws -> [String] {
      let memory = try Store.memory(like: store)
      try memory.take(store.archive(recipes))
      return try titles(memory.objects(Recipe.self))
    }
    let recipes = store.objects(Recipe.self).order { [$0.title.ascending] }
    #expect(try taken(recipes) == titles(recipes))
    #expect(try taken(recipes.filter { $0.rating > 100 }) == [])
    #expect(try taken(recipes.filter { $0.variantOf == nil && $0.variants.isEmpty }.prefix(2)).count == 2)
  }

  @Test func `pieces are the archive, and pieces are taken`() async throws {
    let tags = store.objects(Tag.self)
    var pieces: [[UInt8]] = []
    try store.archive(tags, packed: .gzip) { piece in
      for start in stride(from: 0, to: piece.count, by: 100) {
        pieces.append(Array(piece[start..<min(start + 100, piece.count)]))
      }
      return true
    }
    let memory = try await Store.memory(like: store)
    var rest = pieces[...]
    try memory.take { rest.popFirst() }
    #expect(try await memory.objects(Tag.self).array().map(\.name) == tags.array().map(\.name))
    var (count, wanted) = (0, 0)
    try store.archive(tags) { _ in
      count += 1
      wanted = 1
      return false
    }
    #expect(count == wanted)
  }

  @Test func `a damaged archive changes nothing`() throws {
    var bytes: [UInt8] = try store.archive(store.objects(Recipe.self))
    bytes.removeLast(bytes.count / 3)
    let memory = try Store.memory(like: store)
    #expect(throws: DecantError.self) { try memory.take(bytes) }
    #expect(throws: DecantError.self) { try memory.take([1, 2, 3]) }
    #expect(throws: DecantError.self) { try memory.take([]) }
    #expect(throws: DecantError.self) {
      try memory.take { () throws(DecantError) in throw DecantError(.interrupted, "enough") }
    }
    for entity in store.model.entities { #expect(try memory.objects(entity.name).count() == 0) }
    let other = try Store(kitchens.guests)
    #expect(try failure { _ = try other.archive(store.objects(Tag.self)) as [UInt8] }.code == .unsuitableOption)
  }

  @Test func `many chosen objects of a plain database`() throws {
    let place = try PlainDatabase()
    try place.make(
      "many.db",
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT);
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150000)
        INSERT INTO note SELECT i, 'note ' || i FROM n
      """
    )
    let store = try Store(place.path("many.db"))
    let chosen = store.objects("note").filter { $0["title", as: String.self].contains("1") }
    let memory = try Store.memory(like: store)
    try memory.take(store.archive(chosen, packed: .zstd))
    #expect(try memory.objects("note").count() == chosen.count())
  }

  @Test(
    .enabled(if: Fixtures.areAvailable, "the folder of fixtures is not there"),
    arguments: [
      "xcserver/XCServerCoreData.momd", "xcserver/XCServerCoreData.xcdatamodeld", "pprecipes/PPRecipes.xcdatamodeld#v2",
    ]
  )
  func `a store in memory of a model alone`(_ name: String) throws {
    let path = try #require(Fixtures.stores).appendingPathComponent("models").path + "/" + name
    let memory = try Store.memory(model: path)
    let model = try ModelLocation(path).read()
    #expect(memory.model.entities.map(\.name) == model.entities.map(\.name))
    #expect(memory.model.entities.map(\.attributes) == model.entities.map(\.attributes))
    for entity in model.entities { #expect(try memory.objects(entity.name).count() == 0) }
    let tables = try Program.sqlite3(memory.location.place, "SELECT count(*) FROM Z_PRIMARYKEY")
    #expect(Int(tables.filter(\.isNumber)) == model.entities.count)
  }

  @Test func `a store in memory goes with the value`() throws {
    var memory: Store? = try Store.memory(like: store)
    let path = try #require(memory?.location.place)
    let folder = (path as NSString).deletingLastPathComponent
    #expect(FileManager.default.fileExists(atPath: path))
    if FileManager.default.isWritableFile(atPath: "/dev/shm") { #expect(path.hasPrefix("/dev/shm/decant-")) }
    #expect(memory?.model == store.model)
    memory = nil
    #expect(!FileManager.default.fileExists(atPath: folder))
  }
}
