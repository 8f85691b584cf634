import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Pages, loops and snapshots.
@Suite struct ReadingTests {
  private let place: PlainDatabase

  init() throws {
    place = try PlainDatabase()
    try place.make(
      "notes.db",
      """
      PRAGMA journal_mode = wal;
      CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, rank INTEGER);
      CREATE INDEX by_rank ON note (rank, title);
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 237)
        INSERT INTO note SELECT i, CASE WHEN i % 5 = 0 THEN NULL ELSE 'note ' || (i * 7 % 40) END, i * 13 % 17 FROM n;
      UPDATE note SET rank = NULL WHERE id % 11 = 0
      """
    )
  }

  private func store() throws -> Store { try Store(StoreKinds.location(place.path("notes.db"))) }

  private static let orders: [@Sendable (StoreRecord.Fields) -> [ObjectOrder]] = [
    { _ in [] }, { [$0["rank"].ascending] }, { [$0["rank"].descending] },
    { [$0["id"].descending] }, { [$0["rank"].descending, $0["title"].ascending] },
    { [$0["title"].descending, $0["rank"].ascending] },
    { [$0["title", as: String.self].ascendingIgnoringCase, $0["rank"].descending] },
  ]

  @Test(arguments: orders.indices, [1, 7, 50, 237, 500])
  func `pages are the list, forwards and backwards`(_ order: Int, _ size: Int) throws {
    let notes = try store().objects("note").order(Self.orders[order])
    let all = try notes.array().map(\.id)
    let pages = notes.pages(of: size)
    var forwards = try pages.first()
    var found = forwards.objects.map(\.id)
    while let next = try pages.next(after: forwards) {
      #expect(next.objects.count <= size && !next.objects.isEmpty)
      found += next.objects.map(\.id)
      forwards = next
    }
    #expect(found == all)
    var backwards = try pages.last()
    found = backwards.objects.map(\.id)
    while let previous = try pages.previous(before: backwards) {
      found = previous.objects.map(\.id) + found
      backwards = previous
    }
    #expect(found == all)
    let index = try pages.index()
    #expect(index.count == all.count && index.pageCount == (all.count + size - 1) / size)
    for number in [0, index.pageCount / 2, index.pageCount - 1] {
      let page = try #require(try pages.page(number, of: index))
      #expect(page.objects.map(\.id) == Array(all[number * size..<min(all.count, (number + 1) * size)]))
    }
    #expect(try pages.page(index.pageCount, of: index) == nil)
  }

  @Test func `a page goes on where the last one ended, whatever came or went`() throws {
    let pages = try store().objects("note").order { [$0["rank"].ascending] }.pages(of: 20)
    let first = try pages.first()
    let expected = try #require(try pages.next(after: first)).objects.map(\.id)
    let last = try #require(first.objects.last?.id?.key)
    try place.make("notes.db", "DELETE FROM note WHERE id = \(last); INSERT INTO note VALUES (-5, 'new', NULL)")
    #expect(try #require(try pages.next(after: first)).objects.map(\.id) == expected)
  }

  @Test func `what is asked of the first objects does not reach beyond them`() throws {
    let first = try store().objects("note").order { [$0["rank"].descending] }.prefix(30)
    let all = try first.array().compactMap(\.id)
    let pages = first.pages(of: 20)
    let page = try pages.first()
    #expect(page.objects.compactMap(\.id) == Array(all[..<20]))
    let next = try #require(try pages.next(after: page))
    #expect(next.objects.compactMap(\.id) == Array(all[20...]))
    #expect(try pages.next(after: next) == nil)
    #expect(try pages.index().count == 30)
    #expect(try first.sections { $0["rank"] }.map(\.count).reduce(0, +) == 30)
    #expect(try first.object(ObjectID(try #require(all.last).key)) != nil)
    let others = try store().objects("note").array().compactMap(\.id).filter { !all.contains($0) }
    #expect(try first.object(try #require(others.first)) == nil)
  }

  @Test func `rows without an integer key have no pages`() throws {
    try place.make(
      "text.db", "CREATE TABLE word (word TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO word VALUES ('a'), ('b')")
    let words = try Store(StoreKinds.location(place.path("text.db"))).objects("word")
    #expect(try words.array().compactMap { $0["word"] } == [.text("a"), .text("b")])
    #expect(throws: DecantError.self) { try words.pages(of: 1).first() }
    #expect(throws: DecantError.self) { try words.pages(of: 1).index() }
  }

  @Test func `a loop whose task is cancelled says so`() async throws {
    let store = try store()
    let task = Task {
      var count = 0
      for try await _ in store.objects("note") {
        count += 1
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return count
    }
    await #expect(throws: DecantError.self) { try await task.value }
  }

  @Test func `sections count what the list holds`() throws {
    let notes = try store().objects("note").filter { $0["id"] <= .integer(100) }
    let expected = try place.read("notes.db", "SELECT rank, count(*) FROM note WHERE id <= 100 GROUP BY 1 ORDER BY 1")
    let sections = try notes.sections { $0["rank"] }.map { section in
      if case .integer(let rank) = section.value { "\(rank),\(section.count)" } else { "NULL,\(section.count)" }
    }
    #expect(sections == expected)
  }

  @Test func `a loop sees one state of the store, and leaves nobody waiting`() async throws {
    let store = try store()
    var count = 0
    for try await note in store.objects("note") {
      if count == 20 { try place.make("notes.db", "DELETE FROM note WHERE id > 100") }
      #expect(note["id"] == .integer(Int64(count + 1)))
      count += 1
      try #require(count <= 237)
    }
    #expect(count == 237)
    #expect(try await store.objects("note").count() == 100)
    // A loop that is left early gives its connection back, and the log can be taken in.
    for try await note in store.objects("note") where note["id"] == .integer(3) { break }
    #expect(try place.read("notes.db", "PRAGMA wal_checkpoint(TRUNCATE)").first?.hasPrefix("0,") == true)
  }

  @Test func `reads run side by side`() async throws {
    let store = try store()
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for limit in 1...40 { group.addTask { try await store.objects("note").prefix(limit).array().count } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts.sorted() == Array(1...40))
  }

  @Test func `what the body of a loop throws ends it`() throws {
    struct Enough: Error {}
    var count = 0
    #expect(throws: Enough.self) {
      try store().objects("note").each { _ in
        count += 1
        if count == 3 { throw Enough() }
      }
    }
    #expect(count == 3)
  }

  @Test(.enabled(if: Fixtures.areAvailable, "the folder of fixtures is not there"), arguments: GroundTruth.names)
  func `every real store is read whole`(_ name: String) throws {
    let truth = try GroundTruth(of: name)
    let folder = try TemporaryFolder()
    let path = try Fixtures.copyStore(truth.file, into: folder.url).path
    let store = try Store(StoreKinds.location(path), model: truth.model)
    for (entity, expected) in truth.counts where store.model[entity] != nil {
      let objects = store.objects(entity)
      var count = 0
      try objects.each { record in
        if record.entity == entity { count += 1 }
      }
      #expect(count == expected, "\(entity)")
      var all = 0
      try objects.each { _ in all += 1 }
      #expect(try objects.count() == all)
    }
  }
}
