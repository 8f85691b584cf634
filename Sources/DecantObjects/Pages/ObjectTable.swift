internal import DecantBase

/// What a table of an app shows: rows by their place, read page by page when they are asked for.
///
/// The first rows come at once. How many there are, and where each page begins, is found by one pass over the keys, which
/// runs when `total` or a row far away is asked for; until then the number of rows is an estimate, and marked as one. The
/// table keeps a few pages. It forgets them by itself after a change of the store, of this process or another, so that rows
/// of different states are not mixed for longer than it takes to notice one: a quarter of a second.
///
/// ```swift
/// let table = ObjectTable(store.objects(Recipe.self).order { [$0.title.ascending] })
/// show(try await table.row(0))
/// for try await _ in table.changes { show(try await table.row(0)) }
/// ```
public actor ObjectTable<Object: EntityObject> {
  /// The objects, in the order of the rows.
  public nonisolated let objects: Objects<Object>
  /// How many rows are read at a time.
  public nonisolated let pageSize: Int
  /// Whether `delete` deletes; it does, unless this is turned off.
  public private(set) var allowsDeletion: Bool
  private let noticed: StoreChanges
  private var index: Task<PageIndex<Object>, any Error>?
  private var pages: [Int: ObjectPage<Object>] = [:]
  private var reading: [Int: Task<ObjectPage<Object>?, any Error>] = [:]
  /// The pages that are kept, the one used last at the end.
  private var used: [Int] = []
  /// The number of rows, once the pass over the keys has ended.
  private var count: Int?
  /// Raised by `refresh`: what was asked for before is not kept.
  private var generation = 0
  /// How many pages are kept.
  private static var pageLimit: Int { 8 }
  /// How far rows are counted for an estimate.
  private static var countLimit: Int { 1_000 }

  /// A table of these objects.
  public init(_ objects: Objects<Object>, pageSize: Int = 50, allowsDeletion: Bool = true) {
    (self.objects, self.pageSize, self.allowsDeletion) = (objects, max(1, pageSize), allowsDeletion)
    noticed = objects.store.changes()
  }

  /// Turns deleting on or off.
  public func setAllowsDeletion(_ isAllowed: Bool) { allowsDeletion = isAllowed }

  /// How many rows there are, as far as it is known at once: exact up to a thousand, and after `total`.
  public func estimate() async throws -> RowCount {
    refreshIfChanged()
    if let count { return RowCount(count) }
    let count = try await objects.prefix(Self.countLimit + 1).count()
    return RowCount(min(count, Self.countLimit), isEstimate: count > Self.countLimit)
  }

  /// How many rows there are: found in one pass over the keys, and kept until the store changes.
  public func total() async throws -> Int {
    refreshIfChanged()
    return try await wholeIndex().count
  }

  /// The object of a row, from 0; `nil` behind the last one.
  public func row(_ number: Int) async throws -> Object? {
    refreshIfChanged()
    guard number >= 0, let page = try await page(number / pageSize) else { return nil }
    let place = number % pageSize
    return place < page.objects.count ? page.objects[place] : nil
  }

  /// Deletes an object by the delete rules of the model.
  ///
  /// - Throws: `DecantError`; of the code `.unsupportedRequest` where deleting is turned off.
  public func delete(_ id: ObjectID<Object>) async throws {
    guard allowsDeletion else {
      throw DecantError(
        .unsupportedRequest,
        "rows of this table are not deleted",
        remedy: "allow it first, by setAllowsDeletion(true)"
      )
    }
    try await objects.store.write { block in try block.delete(id) }
    refresh()
  }

  /// Forgets the rows and the number of rows that were read, so that they are read anew.
  public func refresh() {
    (index, pages, reading, used, count) = (nil, [:], [:], [], nil)
    generation += 1
  }

  private func refreshIfChanged() {
    if noticed.takePending() != nil { refresh() }
  }

  /// The changes of the store, for one loop: any of them may change what the rows show.
  public nonisolated var changes: StoreChanges { objects.store.changes() }

  // MARK: Pages

  private func page(_ number: Int) async throws -> ObjectPage<Object>? {
    if let page = pages[number] {
      keep(page, number)
      return page
    }
    // Rows of one page that are asked for at the same time are one read.
    let task = reading[number] ?? Task { try await read(number) }
    reading[number] = task
    let asked = generation
    defer { if asked == generation { reading[number] = nil } }
    guard let page = try await task.value else { return nil }
    if asked == generation { keep(page, number) }
    return page
  }

  /// Reads a page behind or in front of one that is there, else by the index.
  private func read(_ number: Int) async throws -> ObjectPage<Object>? {
    let all = objects.pages(of: pageSize)
    if number == 0 { return try await all.first() }
    if let before = pages[number - 1] { return try await all.next(after: before) }
    if index == nil, let behind = pages[number + 1] { return try await all.previous(before: behind) }
    return try await all.page(number, of: try await wholeIndex())
  }

  private func wholeIndex() async throws -> PageIndex<Object> {
    let pages = objects.pages(of: pageSize)
    let task = index ?? Task { try await pages.index() }
    index = task
    let asked = generation
    let whole = try await task.value
    if asked == generation { count = whole.count }
    return whole
  }

  private func keep(_ page: ObjectPage<Object>, _ number: Int) {
    pages[number] = page
    used.removeAll { $0 == number }
    used.append(number)
    if used.count > Self.pageLimit { pages[used.removeFirst()] = nil }
  }
}

/// How many rows a table has.
public struct RowCount: Sendable, Hashable {
  /// The number; there are more where it is an estimate.
  public var value: Int
  /// Whether rows were counted up to this number only.
  public var isEstimate: Bool

  /// A number of rows.
  public init(_ value: Int, isEstimate: Bool = false) { (self.value, self.isEstimate) = (value, isEstimate) }
}
