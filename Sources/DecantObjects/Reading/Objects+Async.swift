public import DecantBase

/// Asynchronous reading: it runs on a thread of the store and ends early if the task is cancelled.
extension Objects {
  /// Returns the number of objects.
  public func count() async throws(DecantError) -> Int {
    try await store.readers.onThread { () throws(DecantError) in try self.count() }
  }

  /// Returns whether there are no objects.
  public func isEmpty() async throws(DecantError) -> Bool {
    try await store.readers.onThread { () throws(DecantError) in try self.isEmpty() }
  }

  /// Returns the first object, or `nil` if there is none.
  public func first() async throws(DecantError) -> Object? {
    try await store.readers.onThread { () throws(DecantError) in try self.first() }
  }

  /// Returns all objects, in memory.
  public func array() async throws(DecantError) -> [Object] {
    try await store.readers.onThread { () throws(DecantError) in try self.array() }
  }

  /// Returns the object with this key, or `nil` if it is not one of these.
  public func object(_ id: ObjectID<Object>) async throws(DecantError) -> Object? {
    try await store.readers.onThread { () throws(DecantError) in try self.object(id) }
  }
}

extension Objects {
  /// Returns the values of a field in order, each with its number of objects: the sections of a list.
  public func sections<Value>(by field: (Object.Fields) -> Field<Value>) async throws(DecantError) -> [ObjectSection] {
    let field = field(Object.Fields(ObjectPath(FieldPath())))
    return try await store.readers.onThread { () throws(DecantError) in try self.sections { _ in field } }
  }
}

extension ObjectPages {
  /// Returns the first page, which is empty if there are no objects.
  public func first() async throws(DecantError) -> ObjectPage<Object> {
    try await objects.store.readers.onThread { () throws(DecantError) in try self.first() }
  }

  /// Returns the last page; it is full if there are enough objects.
  public func last() async throws(DecantError) -> ObjectPage<Object> {
    try await objects.store.readers.onThread { () throws(DecantError) in try self.last() }
  }

  /// Returns the page after another, or `nil` after the last one.
  public func next(after page: ObjectPage<Object>) async throws(DecantError) -> ObjectPage<Object>? {
    try await objects.store.readers.onThread { () throws(DecantError) in try self.next(after: page) }
  }

  /// Returns the page before another, or `nil` before the first one.
  public func previous(before page: ObjectPage<Object>) async throws(DecantError) -> ObjectPage<Object>? {
    try await objects.store.readers.onThread { () throws(DecantError) in try self.previous(before: page) }
  }

  /// Returns an index of the pages for scroll bars and jumps, built in one pass over the keys.
  public func index() async throws(DecantError) -> PageIndex<Object> {
    try await objects.store.readers.onThread { () throws(DecantError) in try self.index() }
  }

  /// Returns page `number` of the index, counted from 0, or `nil` after the last one.
  public func page(_ number: Int, of index: PageIndex<Object>) async throws(DecantError) -> ObjectPage<Object>? {
    try await objects.store.readers.onThread { () throws(DecantError) in try self.page(number, of: index) }
  }
}

extension Store {
  /// Returns the object with this key, or `nil` if there is none.
  public func object<Object: EntityObject>(_ id: ObjectID<Object>) async throws(DecantError) -> Object? {
    try await objects(Object.self).object(id)
  }

  /// Returns a binary value, from the store or its external file, or `nil` if there is none.
  ///
  /// - Throws: `DecantError` if the object or the external file does not exist.
  public func bytes<Object: EntityObject>(
    of id: ObjectID<Object>,
    _ field: (Object.Fields) -> Field<[UInt8]>
  ) async throws(DecantError) -> [UInt8]? {
    let field = field(Object.Fields(ObjectPath(FieldPath())))
    return try await readers.onThread { () throws(DecantError) in try self.bytes(of: id) { _ in field } }
  }
}
