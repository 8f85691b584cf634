internal import DecantBase

/// The rows of a table in an app, by number; pages are read when one of their rows is requested.
///
/// The first rows are available at once. The number of rows and the start of each page come from one pass over the
/// keys, which runs when `total` or a distant row is requested; until then the number of rows is an estimate and marked
/// as such. The table keeps a few pages. It discards them after a change of the store by this or another process, so
/// that rows of different states are mixed for no longer than it takes to detect a change: a quarter of a second.
///
/// ```swift
/// let table = ObjectTable(store.objects(Recipe.self).order { [$0.title.ascending] })
/// show(try await table.row(0))
/// for try await _ in table.changes { show(try await table.row(0)) }
/// ```
public actor ObjectTable<Object: EntityObject> {
  /// The objects, in the order of the rows.
  public nonisolated let objects: Objects<Object>
  /// The number of rows that are read at a time.
  public nonisolated let pageSize: Int
  /// Whether `delete` is allowed; true by default.
  public private(set) var allowsDeletion: Bool
  private let noticed: StoreChanges
  private var index: Task<PageIndex<Object>, any Error>?
  private var pages: [Int: ObjectPage<Object>] = [:]
  private var reading: [Int: Task<ObjectPage<Object>?, any Error>] = [:]
  /// The numbers of the pages in memory, the most recently used last.
  private var used: [Int] = []
  /// The number of rows, after the pass over the keys.
  private var count: Int?
  /// Incremented by `refresh`, so that the result of an older read is not kept.
  private var generation = 0
  /// The maximum number of pages in memory.
  private static var pageLimit: Int { 8 }
  /// The number of rows up to which an estimate counts.
  private static var countLimit: Int { 1_000 }

  /// Creates a table of these objects.
  public init(_ objects: Objects<Object>, pageSize: Int = 50, allowsDeletion: Bool = true) {
    (self.objects, self.pageSize, self.allowsDeletion) = (objects, max(1, pageSize), allowsDeletion)
    noticed = objects.store.changes()
  }

  /// Allows or forbids deleting.
  public func setAllowsDeletion(_ isAllowed: Bool) { allowsDeletion = isAllowed }

  /// Returns the number of rows without a full count: exact up to a thousand, and after `total`.
  public func estimate() async throws -> RowCount {
    refreshIfChanged()
    if let count { return RowCount(count) }
    let count = try await objects.prefix(Self.countLimit + 1).count()
    return RowCount(min(count, Self.countLimit), isEstimate: count > Self.countLimit)
  }

  /// Returns the number of rows, counted in one pass over the keys and kept until the store changes.
  public func total() async throws -> Int {
    refreshIfChanged()
    return try await wholeIndex().count
  }

  /// Returns the object of a row, counted from 0, or `nil` after the last one.
  public func row(_ number: Int) async throws -> Object? {
    refreshIfChanged()
    guard number >= 0, let page = try await page(number / pageSize) else { return nil }
    let place = number % pageSize
    return place < page.objects.count ? page.objects[place] : nil
  }

  /// Deletes an object by the delete rules of the model.
  ///
  /// - Throws: `DecantError`, with the code `.unsupportedRequest` if deleting is not allowed.
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

  /// Discards the rows and their number, so that they are read again.
  public func refresh() {
    (index, pages, reading, used, count) = (nil, [:], [:], [], nil)
    generation += 1
  }

  private func refreshIfChanged() {
    if noticed.takePending() != nil { refresh() }
  }

  /// The changes of the store, for one loop; any of them may affect the rows.
  public nonisolated var changes: StoreChanges { objects.store.changes() }

  // MARK: Pages

  private func page(_ number: Int) async throws -> ObjectPage<Object>? {
    if let page = pages[number] {
      keep(page, number)
      return page
    }
    // Concurrent requests for rows of one page share one read.
    let task = reading[number] ?? Task { try await read(number) }
    reading[number] = task
    let asked = generation
    defer { if asked == generation { reading[number] = nil } }
    guard let page = try await task.value else { return nil }
    if asked == generation { keep(page, number) }
    return page
  }

  /// Reads a page from an adjacent page in memory, or else by the index.
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

/// The number of rows of a table.
public struct RowCount: Sendable, Hashable {
  /// The number; a lower bound if it is an estimate.
  public var value: Int
  /// Whether counting stopped at this number.
  public var isEstimate: Bool

  /// Creates a number of rows.
  package init(_ value: Int, isEstimate: Bool = false) { (self.value, self.isEstimate) = (value, isEstimate) }
}
