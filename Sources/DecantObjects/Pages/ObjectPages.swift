public import DecantBase
internal import DecantPlan
internal import DecantSQLite

/// Objects in pages, for tables and lists: paging uses keys, so that every page costs the same.
///
/// A page starts after the last object of the previous page, even if objects were added or deleted in between.
///
/// ```swift
/// let pages = store.objects(Recipe.self).order { [$0.title.ascending] }.pages(of: 50)
/// var page = try pages.first()
/// while let next = try pages.next(after: page) { page = next }
/// ```
public struct ObjectPages<Object: StoredObject>: Sendable {
  let objects: Objects<Object>
  /// The number of objects in a page; the last page may have fewer.
  public let size: Int

  /// Returns the first page, which is empty if there are no objects.
  public func first() throws(DecantError) -> ObjectPage<Object> { try page(nil, isBackward: false) ?? ObjectPage() }

  /// Returns the last page; it is full if there are enough objects.
  public func last() throws(DecantError) -> ObjectPage<Object> { try page(nil, isBackward: true) ?? ObjectPage() }

  /// Returns the page after another, or `nil` after the last one.
  public func next(after page: ObjectPage<Object>) throws(DecantError) -> ObjectPage<Object>? {
    guard let end = page.end else { return nil }
    return try self.page(end, isBackward: false)
  }

  /// Returns the page before another, or `nil` before the first one.
  public func previous(before page: ObjectPage<Object>) throws(DecantError) -> ObjectPage<Object>? {
    guard let start = page.start else { return nil }
    return try self.page(start, isBackward: true)
  }

  /// Returns an index of the pages for scroll bars and jumps, built in one pass over the keys.
  ///
  /// The index holds at most about four thousand positions, however many objects there are.
  public func index() throws(DecantError) -> PageIndex<Object> {
    var index = PageIndex<Object>(size: size)
    try objects.reading { reader throws(DecantError) in
      var statement = reader.newStatement
      let sql = try statement.positions(objects.request)
      try reader.forEachRow(sql, statement.bindings) { row in
        index.add(ObjectPosition(row, from: 0))
        return true
      }
    }
    return index
  }

  /// Returns page `number` of the index, counted from 0, or `nil` after the last one.
  public func page(_ number: Int, of index: PageIndex<Object>) throws(DecantError) -> ObjectPage<Object>? {
    guard let (start, rest) = index.start(of: number) else { return nil }
    var page = try self.page(start, isBackward: false, isIncluded: true)
    for _ in 0..<rest {
      guard let last = page else { return nil }
      page = try next(after: last)
    }
    return page
  }

  private func page(_ position: ObjectPosition?, isBackward: Bool, isIncluded: Bool = false) throws(DecantError)
    -> ObjectPage<Object>?
  {
    var request = objects.request
    request.limit = size
    return try objects.reading { reader throws(DecantError) in
      var rows: [(object: Object, position: ObjectPosition)] = []
      var part = PagePart(position: position, isBackward: isBackward, isIncluded: isIncluded)
      func read() throws(DecantError) {
        request.limit = size - rows.count
        var statement = reader.newStatement
        let shape = RowShape(try statement.view(request.entity), Object.properties)
        let sql = try statement.select(request, shape.names, part)
        let first = ObjectRow.leadingCount + shape.names.count + (request.owner == nil ? 0 : 1)
        try reader.forEachRow(sql, statement.bindings) { row throws(DecantError) in
          rows.append((try Object(ObjectRow(statement: row, shape: shape)), ObjectPosition(row, from: first)))
          return true
        }
      }
      try read()
      // In descending order, objects without a value come last. An index stores them elsewhere, so they are read
      // separately.
      let isDescending = (request.order.first?.isDescending ?? false) != isBackward
      if let position, rows.count < size, isDescending, !request.order.isEmpty, position.values.first != .null {
        part.rest = .withoutValue
        try read()
      }
      if isBackward { rows.reverse() }
      guard let start = rows.first, let end = rows.last else { return nil }
      return ObjectPage(objects: rows.map(\.object), start: start.position, end: end.position)
    }
  }
}

extension Objects {
  /// Returns the objects in pages of `size` each.
  public func pages(of size: Int) -> ObjectPages<Object> { ObjectPages(objects: whole, size: Swift.max(1, size)) }

  /// Returns the values of a field in order, each with its number of objects: the sections of a list.
  public func sections<Value>(by field: (Object.Fields) -> Field<Value>) throws(DecantError) -> [ObjectSection] {
    let path = field(Object.Fields(ObjectPath(FieldPath()))).path
    let request = whole.request
    return try reading { reader throws(DecantError) in
      var statement = reader.newStatement
      let type = try statement.type(path, of: request.entity)
      let sql = try statement.groups(request, by: path)
      var sections: [ObjectSection] = []
      try reader.forEachRow(sql, statement.bindings) { row in
        let value = ColumnReader(statement: row, place: 0).value(type)
        sections.append(ObjectSection(value: value, count: Int(row.integer(at: 1))))
        return true
      }
      return sections
    }
  }
}

/// A section of a list: the objects that have the same value of a field.
public struct ObjectSection: Sendable, Hashable {
  /// The value.
  public let value: StoreValue
  /// The number of objects with this value.
  public let count: Int
}

/// A page: some objects of a list, in its order.
public struct ObjectPage<Object: Sendable>: Sendable {
  /// The objects.
  public var objects: [Object] = []
  var start: ObjectPosition?
  var end: ObjectPosition?
}

/// The positions at which the pages of a list start.
public struct PageIndex<Object>: Sendable {
  /// The number of objects when the index was built.
  public private(set) var count = 0
  private let size: Int
  /// The number of pages from one stored position to the next.
  private var stride = 1
  private var starts: [ObjectPosition] = []
  private static var limit: Int { 4_096 }

  init(size: Int) { self.size = size }

  /// The number of pages when the index was built.
  public var pageCount: Int { (count + size - 1) / size }

  mutating func add(_ position: ObjectPosition) {
    if count % (size * stride) == 0 { starts.append(position) }
    count += 1
    guard starts.count == Self.limit else { return }
    starts = starts.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    stride *= 2
  }

  /// Returns the last stored position at or before a page, and the number of pages from there to it.
  func start(of page: Int) -> (ObjectPosition, rest: Int)? {
    guard (0..<pageCount).contains(page) else { return nil }
    return (starts[page / stride], page % stride)
  }
}
