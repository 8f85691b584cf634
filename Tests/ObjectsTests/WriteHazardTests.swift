import Decant
import Examples
import Foundation
import StoreTestSupport
import TestSupport
import Testing

private typealias Recipe = Examples.Recipe
private typealias Tag = Examples.Tag

/// What a write block must hold to when other parts of the program, other programs or the database itself come in between.
@Suite struct WriteHazardTests {
  private let kitchens: Kitchens
  private let store: Store

  init() throws {
    kitchens = try Kitchens()
    store = try Store(StoreKinds.location(kitchens.kitchen))
  }

  @Test(arguments: ["delete", "wal"])
  func `opening, exporting and inspecting the same store keeps the lock of a write`(mode: String) throws {
    let path = kitchens.kitchen
    _ = try Program.sqlite3(path, "PRAGMA journal_mode = \(mode)")
    try store.write { block in
      try block.update(ObjectID<Recipe>(1)) { $0.title = "Mine" }
      #expect(try Store(StoreKinds.location(path)).objects(Recipe.self).count() == 12)
      let archive = kitchens.folder.path("one.decant")
      let other = try Store(StoreKinds.location(path))
      try other.archive(other.objects(Tag.self), to: archive)
      _ = try Inspect(path).run()
      // Closing a file gives up the locks of the whole process: another program could write now.
      #expect(throws: Program.Failure.self) {
        try Program.sqlite3(path, "UPDATE ZRECIPE SET ZTITLE = 'Theirs' WHERE Z_PK = 1")
      }
    }
    #expect(
      try Program.sqlite3(path, "SELECT ZTITLE FROM ZRECIPE WHERE Z_PK = 1; PRAGMA integrity_check") == "Mine\nok")
    #expect(try Program.sqlite3(path, "UPDATE ZRECIPE SET ZTITLE = 'Theirs' WHERE Z_PK = 1; SELECT changes()") == "1")
  }

  @Test func `an archive is taken into a store with a log that has been read and written`() async throws {
    let friend = try await Store(StoreKinds.location(kitchens.guests))
    _ = try Program.sqlite3(kitchens.guests, "PRAGMA journal_mode = wal")
    let before = try await friend.objects(Recipe.self).count()
    try await friend.write { block in try block.update(block.objects(Recipe.self)) { $0.servings = 9 } }
    let changes = friend.changes()
    let bytes = try await store.archive(store.objects(Recipe.self).prefix(2))
    let reports = try await friend.take(bytes)
    #expect(reports.count == 1 && reports[0].isVerified)
    #expect(try await friend.objects(Recipe.self).count() > before)
    var iterator = changes.makeAsyncIterator()
    #expect(try await iterator.next() == StoreChange(entities: nil))
    try await friend.write { block in try block.update(block.objects(Recipe.self)) { $0.servings = 8 } }
  }

  @Test func `objects of another store are not changed by their keys`() throws {
    let other = try Store(StoreKinds.location(kitchens.guests))
    let before = try Kitchens.rows(of: kitchens.kitchen)
    #expect(throws: DecantError.self) {
      try store.write { block in try block.delete(other.objects(Tag.self)) }
    }
    #expect(throws: DecantError.self) {
      try store.write { block in try block.update(other.objects(Tag.self)) { $0.name = "x" } }
    }
    #expect(try Kitchens.rows(of: kitchens.kitchen) == before)
  }

  @Test func `loops within loops are independent`() throws {
    let count = try store.write { block in
      var count = 0
      try block.objects(Tag.self).each { _ in try block.objects(Tag.self).each { _ in count += 1 } }
      return count
    }
    #expect(count == 36)
  }

  @Test func `a draft shows what the object has`() throws {
    let before = try #require(try store.object(ObjectID<Recipe>(1)))
    try store.write { block in
      try block.update(before.id) {
        $0.viewCount = ($0.viewCount ?? 0) + 1
        #expect($0.title == before.title && $0.category == before.category && $0.viewCount == before.viewCount + 1)
      }
      do {
        try block.update(block.objects(Recipe.self)) { $0.viewCount = ($0.viewCount ?? 0) + 1 }
        Issue.record("each has a value of its own")
      } catch let error as DecantError {
        #expect(error.code == .unsupportedRequest)
      }
    }
    #expect(try store.object(before.id)?.viewCount == before.viewCount + 1)
    #expect(try Program.sqlite3(kitchens.kitchen, "SELECT count(*) FROM ZRECIPE WHERE ZVIEWCOUNT = 1") != "12")
  }

  @Test func `reads of a snapshot belong together`() async throws {
    let (store, path) = (store, kitchens.kitchen)
    let counts = try await store.read { snapshot in
      let before = try snapshot.objects(Recipe.self).count()
      let categories = try snapshot.objects(Examples.Category.self).by(
        snapshot.objects(Recipe.self).array().map(\.category))
      return (before, categories.count)
    }
    #expect(counts == (12, 5))
    _ = try Program.sqlite3(path, "PRAGMA journal_mode = wal")
    let other = try await Store(StoreKinds.location(path))
    try await store.read { snapshot in
      #expect(try snapshot.objects(Tag.self).count() == 6)
      try other.write { block in try block.delete(block.objects(Tag.self).filter { $0.name == "quick" }) }
      #expect(try snapshot.objects(Tag.self).count() == 6)
    }
    #expect(try await store.objects(Tag.self).count() == 5)
  }

  @Test func `a write whose task was cancelled before does not begin`() async throws {
    let before = try Kitchens.rows(of: kitchens.kitchen)
    let store = store
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.write { block in try block.delete(block.objects(Tag.self)) }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try Kitchens.rows(of: kitchens.kitchen) == before)
  }

  @Test func `constraints that skip or undo rows are errors, and undo the block`() throws {
    let place = try PlainDatabase()
    try place.make(
      "odd.db",
      """
      CREATE TABLE skipped (id INTEGER PRIMARY KEY, n TEXT UNIQUE ON CONFLICT IGNORE);
      CREATE TABLE undone (id INTEGER PRIMARY KEY, n TEXT UNIQUE ON CONFLICT ROLLBACK);
      CREATE TABLE cased (id INTEGER PRIMARY KEY, n TEXT COLLATE NOCASE);
      INSERT INTO skipped (n) VALUES ('a'); INSERT INTO undone (n) VALUES ('a'); INSERT INTO cased (n) VALUES ('soup')
      """
    )
    let path = place.path("odd.db")
    let odd = try Store(StoreKinds.location(path))
    let skipped = #expect(throws: DecantError.self) {
      try odd.write { try $0.insert("skipped") { $0["n"] = .text("a") } }
    }
    #expect(skipped?.code == .constraintViolated)
    #expect(throws: DecantError.self) {
      try odd.write { block in
        try block.insert("cased") { $0["n"] = .text("lost") }
        _ = try? block.insert("undone") { $0["n"] = .text("a") }
        try block.insert("undone") { $0["n"] = .text("b") }
      }
    }
    try odd.write { try $0.update($0.objects("cased")) { $0["n"] = .text("Soup") } }
    let found = try Program.sqlite3(
      path,
      "SELECT (SELECT group_concat(n) FROM skipped), (SELECT group_concat(n) FROM undone), (SELECT group_concat(n) FROM cased)"
    )
    #expect(found == "a|a|Soup")
  }

  @Test func `looking at an open store again and again takes one descriptor`() throws {
    func count() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    try store.write { block in
      _ = try Inspect(kitchens.kitchen).run()
      let before = try count()
      for _ in 1...40 { _ = try Inspect(kitchens.kitchen).run() }
      // Other tests run beside this one and have files of their own.
      #expect(try count() < before + 30)
    }
  }

  @Test(.enabled(if: Fixtures.areAvailable, "the folder of fixtures is not there"))
  func `derived counts follow what is inserted, moved and deleted`() throws {
    let truth = try GroundTruth(of: "cdp-samplemodel2-v2")
    let folder = try TemporaryFolder()
    let path = try Fixtures.copyStore(truth.file, into: folder.url).path
    let books = try Store(StoreKinds.location(path), model: truth.model)
    let keys = try books.objects("Book").array().compactMap(\.id)
    try #require(keys.count > 2)
    let wrong = "SELECT count(*) FROM ZBOOK b WHERE ZPAGESCOUNT <> (SELECT count(*) FROM ZPAGE WHERE ZBOOK = b.Z_PK)"
    let sum = { try Program.sqlite3(path, "SELECT sum(ZPAGESCOUNT) FROM ZBOOK") }
    let before = try #require(Int(try sum()))
    let pages = try books.write { block in
      try (0..<6).map { number in
        let values = try #require(try FixtureWritingTests.values(for: "Page", books.model, block))
        return try block.insert("Page") { draft in
          for (name, value) in values { draft[name] = value }
          draft["book"] = .integer(keys[number % 3].key)
        }
      }
    }
    #expect(try sum() == "\(before + 6)")
    try books.write { block in
      try block.update(block.objects("Page").filter { $0.id.isOne(of: pages) }) { $0["book"] = .integer(keys[0].key) }
      try block.delete(block.objects("Page").filter { $0.id == pages[0] })
    }
    #expect(try sum() == "\(before + 5)")
    #expect(try Program.sqlite3(path, wrong) == "0")
  }
}
