import Decant
import Examples
import Foundation
import StoreTestSupport
import TestSupport
import Testing

private typealias Recipe = Examples.Recipe

/// What an app relies on while it reads: ends of cancelled reads, bounds, stores that are replaced or locked.
@Suite(.serialized) struct ReliableReadingTests {
  private let place: PlainDatabase

  init() throws {
    place = try PlainDatabase()
    try place.make(
      "many.db",
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT);
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000)
        INSERT INTO note SELECT i, 'note ' || i FROM n
      """
    )
  }

  private func store() throws -> Store { try Store(StoreKinds.location(place.path("many.db"))) }

  /// Notes that are chosen by several hundred comparisons each, which takes some seconds.
  private func slow(_ store: Store) -> Objects<StoreRecord> {
    store.objects("note").filter { note in
      (0..<150).map { note["title", as: String.self].contains("zz\($0)", ignoringCase: true) }
        .reduce(note["id"] > .integer(0)) { $0 && !$1 }
    }
  }

  private static let reads: [(String, @Sendable (Objects<StoreRecord>) async throws -> Void)] = [
    ("count", { _ = try await $0.count() }), ("array", { _ = try await $0.array() }),
    ("first", { _ = try await $0.filter { $0["title"] == .null }.first() }),
    ("index", { _ = try await $0.pages(of: 50).index() }),
    ("page", { _ = try await $0.order { [$0["title"].descending] }.pages(of: 50).first() }),
    ("sections", { _ = try await $0.sections { $0["title"] } }),
    ("loop", { for try await _ in $0.filter({ $0["title"] == .null }) {} }),
  ]

  @Test(arguments: reads.indices)
  func `a task that is cancelled ends the statement that runs`(_ index: Int) async throws {
    let store = try store()
    let read = Self.reads[index].1
    let objects = slow(store)
    // It takes longer than this where nobody cancels it.
    let task = Task { try await read(objects) }
    let clock = ContinuousClock()
    // Not on a thread of tasks: while other tests block those, the read would end before it is cancelled.
    let start = await withCheckedContinuation { cancelled in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(30)) {
        task.cancel()
        cancelled.resume(returning: clock.now)
      }
    }
    let result = await task.result
    #expect(clock.now - start < .milliseconds(200))
    #expect(throws: DecantError.self, "\(Self.reads[index].0)") { try result.get() }
    if case .failure(let error as DecantError) = result { #expect(error.family == .interrupted) }
    // The connection is as good as new.
    #expect(try await store.objects("note").filter { $0["id"] == .integer(7) }.count() == 1)
  }

  @Test func `a blocking read ends with the task that it blocks`() async throws {
    let store = try store()
    let objects = slow(store)
    let started = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      started.continuation.finish()
      func blocking() throws -> Int {
        var count = 0
        try objects.each { _ in count += 1 }
        return count
      }
      return try blocking()
    }
    for await _ in started.stream {}
    try await Task.sleep(for: .milliseconds(30))
    task.cancel()
    await #expect(throws: DecantError.self) { try await task.value }
  }

  @Test func `reads that are awaited take few threads, and all get their turn`() async throws {
    let store = try store()
    func threads() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }
    let objects = store.objects("note").filter { $0["title", as: String.self].contains("zz") }
    let before = try threads()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 1...100 { group.addTask { try await objects.count() } }
      try await Task.sleep(for: .milliseconds(100))
      #expect(try threads() < before + 40)
      for try await count in group { #expect(count == 0) }
    }
  }

  @Test func `reads within loops do not wait for each other`() async throws {
    let store = try store()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for limit in 1...30 {
        group.addTask {
          var count = 0
          for try await note in store.objects("note").prefix(limit) {
            let id = try #require(note.id)
            if try await store.objects("note").object(id) != nil { count += 1 }
          }
          return count
        }
      }
      let found = try await group.reduce(0, +)
      #expect(found == 465)
    }
  }

  @Test func `too many open loops are an error, not a standstill`() async throws {
    let store = try store()
    var loops: [Objects<StoreRecord>.Iterator] = []
    for _ in 1...64 {
      var loop = store.objects("note").makeAsyncIterator()
      _ = try await loop.next()
      loops.append(loop)
    }
    let error = try failure { _ = try store.objects("note").first() }
    #expect(error.family == .storeBusy)
    loops = []
    #expect(try await store.objects("note").first() != nil)
  }

  @Test func `a store that was replaced is read anew`() async throws {
    let store = try store()
    try place.make(
      "new.db",
      "CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, more INT); INSERT INTO note VALUES (1, 'new', 5)")
    var loop = store.objects("note").makeAsyncIterator()
    _ = try await loop.next()
    #expect(try await store.objects("note").count() == 400_000)
    #expect(rename(place.path("new.db"), place.path("many.db")) == 0)
    #expect(try await store.objects("note").array().map { $0["more"] } == [.integer(5)])
    #expect(store.model["note"]?.attributes.contains { $0.name == "more" } == true)
    // What began before goes on with what it began with.
    #expect(try await loop.next()?["id"] == .integer(2))
    #expect(rename(place.path("many.db"), place.path("gone.db")) == 0)
    let error = try failure { _ = try store.objects("note").count() }
    #expect(error.code == .storeNotFound)
    #expect(rename(place.path("gone.db"), place.path("many.db")) == 0)
    #expect(try await store.objects("note").count() == 1)
  }

  @Test func `a read waits for a lock`() async throws {
    try place.make("small.db", "CREATE TABLE note (id INTEGER PRIMARY KEY); INSERT INTO note VALUES (1)")
    let store = try await Store(StoreKinds.location(place.path("small.db")))
    let holder = try LockHolder(place.path("small.db"), statement: "BEGIN EXCLUSIVE; SELECT 1")
    async let count = store.objects("note").count()
    try await Task.sleep(for: .milliseconds(700))
    holder.release()
    #expect(try await count == 1)
  }

  @Test func `what is awaited is what blocks`() async throws {
    let kitchens = try Kitchens()
    let path = kitchens.kitchen
    func blocking() throws -> [String] {
      let store = try Store(StoreKinds.location(path))
      let recipes = store.objects(Recipe.self).order { [$0.title.ascending] }
      let pages = recipes.pages(of: 4)
      let first = try pages.first()
      let second = try #require(try pages.next(after: first))
      let image = try #require(try store.objects(Image.self).first())
      return [
        "\(first.objects.map(\.id)) \(second.objects.map(\.id)) \(try pages.last().objects.map(\.id))",
        "\(try pages.previous(before: second)?.objects.map(\.id) ?? [])",
        "\(try pages.index().pageCount) \(try pages.page(1, of: pages.index())?.objects.map(\.id) ?? [])",
        "\(try recipes.sections { $0.rating })", "\(try store.object(ObjectID<Recipe>(4))?.title ?? "")",
        "\(try store.bytes(of: image.id) { $0.data } ?? [])",
      ]
    }
    let store = try await Store(StoreKinds.location(path))
    let recipes = store.objects(Recipe.self).order { [$0.title.ascending] }
    let pages = recipes.pages(of: 4)
    let first = try await pages.first()
    let second = try #require(try await pages.next(after: first))
    let image = try #require(try await store.objects(Image.self).first())
    let index = try await pages.index()
    let awaited = [
      "\(first.objects.map(\.id)) \(second.objects.map(\.id)) \(try await pages.last().objects.map(\.id))",
      "\(try await pages.previous(before: second)?.objects.map(\.id) ?? [])",
      "\(index.pageCount) \(try await pages.page(1, of: index)?.objects.map(\.id) ?? [])",
      "\(try await recipes.sections { $0.rating })", "\(try await store.object(ObjectID<Recipe>(4))?.title ?? "")",
      "\(try await store.bytes(of: image.id) { $0.data } ?? [])",
    ]
    #expect(try blocking() == awaited)
  }
}
