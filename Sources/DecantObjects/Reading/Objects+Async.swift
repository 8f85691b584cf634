public import DecantBase

/// Reading that is awaited: it runs on a thread of its own.
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
