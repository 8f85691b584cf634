public import DecantBase
internal import DecantPlan
internal import DecantSQLite

/// Objects in pages, for tables and lists: next and previous by key, so that a page costs the same wherever it is.
///
/// A page begins behind the last object of the one before, whatever was added or deleted meanwhile.
///
/// ```swift
/// let pages = store.objects(Recipe.self).order { [$0.title.ascending] }.pages(of: 50)
/// var page = try pages.first()
/// while let next = try pages.next(after: page) { page = next }
/// ```
public struct ObjectPages<Object: StoredObject>: Sendable {
  let objects: Objects<Object>
  /// How many objects a page has; the last one may have fewer.
  public let size: Int

  /// The first page; without objects it is empty.
  public func first() throws(DecantError) -> ObjectPage<Object> { try page(nil, isBackward: false) ?? ObjectPage() }

  /// The last page; it has as many objects as the others, if there are so many.
  public func last() throws(DecantError) -> ObjectPage<Object> { try page(nil, isBackward: true) ?? ObjectPage() }

  /// The page behind another; `nil` behind the last one.
  public func next(after page: ObjectPage<Object>) throws(DecantError) -> ObjectPage<Object>? {
    guard let end = page.end else { return nil }
    return try self.page(end, isBackward: false)
  }

  /// The page in front of another; `nil` in front of the first one.
  public func previous(before page: ObjectPage<Object>) throws(DecantError) -> ObjectPage<Object>? {
    guard let start = page.start else { return nil }
    return try self.page(start, isBackward: true)
  }

  /// Where each page begins: made in one pass over the keys, for scroll bars and jumps.
  ///
  /// At most some thousand places are kept, however many objects there are.
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

  /// Page `number` of those that `index` counted, from 0; `nil` behind the last one.
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
      // Objects without a value come behind all others of a descending order: an index has them in another place.
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
  /// Pages of `size` objects each.
  public func pages(of size: Int) -> ObjectPages<Object> { ObjectPages(objects: whole, size: Swift.max(1, size)) }

  /// The values of a field, in order, each with the number of objects that have it: the sections of a list.
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

/// The objects of a list that have one value of a field.
public struct ObjectSection: Sendable, Hashable {
  /// The value.
  public let value: StoreValue
  /// How many objects have it.
  public let count: Int
}

/// Some objects of a list, in its order.
public struct ObjectPage<Object: Sendable>: Sendable {
  /// The objects.
  public var objects: [Object] = []
  var start: ObjectPosition?
  var end: ObjectPosition?
}

/// Where the pages of a list begin.
public struct PageIndex<Object>: Sendable {
  /// How many objects there were.
  public private(set) var count = 0
  private let size: Int
  /// Every how many pages a place is kept.
  private var stride = 1
  private var starts: [ObjectPosition] = []
  private static var limit: Int { 4_096 }

  init(size: Int) { self.size = size }

  /// How many pages there were.
  public var pageCount: Int { (count + size - 1) / size }

  mutating func add(_ position: ObjectPosition) {
    if count % (size * stride) == 0 { starts.append(position) }
    count += 1
    guard starts.count == Self.limit else { return }
    starts = starts.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    stride *= 2
  }

  /// The nearest place in front of a page, and how many pages further it is.
  func start(of page: Int) -> (ObjectPosition, rest: Int)? {
    guard (0..<pageCount).contains(page) else { return nil }
    return (starts[page / stride], page % stride)
  }
}
