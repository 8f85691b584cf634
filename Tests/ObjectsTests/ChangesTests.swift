import Decant
import Examples
import Foundation
import StoreTestSupport
import TestSupport
import Testing

private typealias Recipe = Examples.Recipe

/// Changes that are noticed.
@Suite(.serialized) struct ChangesTests {
  private let kitchens: Kitchens
  private let store: Store

  init() throws {
    kitchens = try Kitchens()
    store = try Store(StoreKinds.location(kitchens.kitchen))
  }

  /// The next change; `nil` where none comes within a second.
  private func next(_ changes: StoreChanges) async throws -> StoreChange? {
    try await withThrowingTaskGroup(of: StoreChange?.self) { group in
      group.addTask {
        var iterator = changes.makeAsyncIterator()
        return try await iterator.next()
      }
      group.addTask {
        try await Task.sleep(for: .seconds(1))
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  private func write(_ sql: String = "UPDATE ZRECIPE SET ZTITLE = ZTITLE || '!' WHERE Z_PK = 4") throws {
    _ = try Program.sqlite3(kitchens.kitchen, sql)
  }

  @Test func `what another process commits is noticed once`() async throws {
    let changes = store.changes(of: Recipe.self)
    try write()
    #expect(try await next(changes) == StoreChange(entities: nil))
    #expect(try await next(changes) == nil)
  }

  @Test func `what was before, and what was not committed, is no change`() async throws {
    try write()
    let changes = store.changes()
    try write("BEGIN; UPDATE ZRECIPE SET ZTITLE = 'x'; ROLLBACK")
    #expect(try await next(changes) == nil)
  }

  @Test func `changes while nobody looks come as one`() async throws {
    let changes = store.changes()
    for _ in 1...3 {
      try write()
      try await Task.sleep(for: .milliseconds(300))
    }
    #expect(try await next(changes) == StoreChange(entities: nil))
    #expect(try await next(changes) == nil)
  }

  @Test func `own writes come with their entities, once`() async throws {
    let (recipes, tags, all) = (store.changes(of: Recipe.self), store.changes(of: Tag.self), store.changes())
    // As a write block does it: first in its transaction, then after the commit.
    store.noteWriting()
    try write()
    store.noteChange(entities: ["Recipe", "Step"])
    #expect(try await next(recipes) == StoreChange(entities: ["Recipe", "Step"]))
    #expect(try await next(all) == StoreChange(entities: ["Recipe", "Step"]))
    #expect(try await next(tags) == nil)
    // The write of somebody else after it is none of it.
    try write()
    #expect(try await next(store.changes()) == nil)
  }

  @Test func `a write before an own one is not taken for it`() async throws {
    let changes = store.changes(of: Tag.self)
    try write()
    store.noteWriting()
    store.noteChange(entities: ["Recipe"])
    #expect(try await next(changes) == StoreChange(entities: nil))
  }

  @Test func `a file that takes the store's place is a change`() async throws {
    let changes = store.changes()
    let other = kitchens.kitchen + ".new"
    try FileManager.default.copyItem(atPath: kitchens.kitchen, toPath: other)
    #expect(rename(other, kitchens.kitchen) == 0)
    #expect(try await next(changes) == StoreChange(entities: nil, isReplacement: true))
  }

  @Test func `the loop ends with its task`() async throws {
    let changes = store.changes()
    let task = Task {
      for try await _ in changes {}
      return true
    }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    #expect(try await task.value)
  }
}
