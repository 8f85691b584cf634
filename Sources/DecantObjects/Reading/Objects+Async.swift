public import DecantBase

/// Reading that is awaited: it runs on a thread of the store's, and ends early when the task is cancelled.
extension Objects {
  /// How many there are.
  public func count() async throws(DecantError) -> Int {
    try await store.readers.onThread { () throws(DecantError) in try self.count() }
  }

  /// Whether there is none.
  public func isEmpty() async throws(DecantError) -> Bool {
    try await store.readers.onThread { () throws(DecantError) in try self.isEmpty() }
  }

  /// The first one; `nil` where there is none.
  public func first() async throws(DecantError) -> Object? {
    try await store.readers.onThread { () throws(DecantError) in try self.first() }
  }

  /// All of them, in memory.
  public func array() async throws(DecantError) -> [Object] {
    try await store.readers.onThread { () throws(DecantError) in try self.array() }
  }

  /// The object with this key, if it is one of these.
  public func object(_ id: ObjectID<Object>) async throws(DecantError) -> Object? {
    try await store.readers.onThread { () throws(DecantError) in try self.object(id) }
  }
}

extension Objects {
  /// The values of a field, in order, each with the number of objects that have it: the sections of a list.
  public func sections<Value>(by field: (Object.Fields) -> Field<Value>) async throws(DecantError) -> [ObjectSection] {
    let field = field(Object.Fields(ObjectPath(FieldPath())))
    return try await store.readers.onThread { () throws(DecantError) in try self.sections { _ in field } }
  }
}

extension ObjectPages {
  /// The first page; without objects it is empty.
  public func first() async throws(DecantError) -> ObjectPage<Object> {
    try await objects.store.readers.onThread { () throws(DecantError) in try self.first() }
  }

  /// The last page; it has as many objects as the others, if there are so many.
  public func last() async throws(DecantError) -> ObjectPage<Object> {
    try await objects.store.readers.onThread { () throws(DecantError) in try self.last() }
  }

  /// The page behind another; `nil` behind the last one.
  public func next(after page: ObjectPage<Object>) async throws(DecantError) -> ObjectPage<Object>? {
    try await objects.store.readers.onThread { () throws(DecantError) in try self.next(after: page) }
  }

  /// The page in front of another; `nil` in front of the first one.
  public func previous(before page: ObjectPage<Object>) async throws(DecantError) -> ObjectPage<Object>? {
    try await objects.store.readers.onThread { () throws(DecantError) in try self.previous(before: page) }
  }

  /// Where each page begins: made in one pass over the keys, for scroll bars and jumps.
  public func index() async throws(DecantError) -> PageIndex<Object> {
    try await objects.store.readers.onThread { () throws(DecantError) in try self.index() }
  }

  /// Page `number` of those that `index` counted, from 0; `nil` behind the last one.
  public func page(_ number: Int, of index: PageIndex<Object>) async throws(DecantError) -> ObjectPage<Object>? {
    try await objects.store.readers.onThread { () throws(DecantError) in try self.page(number, of: index) }
  }
}

extension Store {
  /// The object with this key; `nil` where there is none.
  public func object<Object: EntityObject>(_ id: ObjectID<Object>) async throws(DecantError) -> Object? {
    try await objects(Object.self).object(id)
  }

  /// The bytes of an attribute, from the store or from the external file that holds them; `nil` where there are none.
  ///
  /// - Throws: `DecantError` where the object or the external file does not exist.
  public func bytes<Object: EntityObject>(
    of id: ObjectID<Object>,
    _ field: (Object.Fields) -> Field<[UInt8]>
  ) async throws(DecantError) -> [UInt8]? {
    let field = field(Object.Fields(ObjectPath(FieldPath())))
    return try await readers.onThread { () throws(DecantError) in try self.bytes(of: id) { _ in field } }
  }
}
