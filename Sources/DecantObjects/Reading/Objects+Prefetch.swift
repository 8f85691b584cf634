public import DecantBase
internal import DecantSQLite

/// Prefetching: the related objects of many objects, read with few statements instead of one for each.
extension Objects where Object: EntityObject {
  /// Returns the objects with these keys, by key: the targets of a to-one relationship.
  ///
  /// ```swift
  /// let categories = try store.objects(Category.self).by(recipes.map(\.category))
  /// for recipe in recipes { print(recipe.title, recipe.category.flatMap { categories[$0] }?.name ?? "none") }
  /// ```
  ///
  /// - Parameter keys: Keys in any order; they may repeat, and `nil` means no target.
  /// - Returns: The objects found, all of one state of the store.
  /// - Throws: `DecantError` if the store cannot be read.
  public func by(_ keys: [ObjectID<Object>?]) throws(DecantError) -> [ObjectID<Object>: Object] {
    var found: [ObjectID<Object>: Object] = [:]
    var request = whole.request
    request.order = []
    try reading { reader throws(DecantError) in
      for batch in keys.keyBatches() {
        var part = request
        part.conditions.insert(.among(FieldPath(), batch.map { .integer($0) }), at: 0)
        try ObjectReading<Object>(part, reader).forEach { object, row in
          if let key = row.integerOrNil(at: 0) { found[ObjectID(key)] = object }
        }
      }
    }
    return found
  }

  /// Returns the objects with these keys, by key; runs on a thread of the store.
  public func by(_ keys: [ObjectID<Object>?]) async throws(DecantError) -> [ObjectID<Object>: Object] {
    try await store.readers.onThread { () throws(DecantError) in try self.by(keys) }
  }

  /// Returns the targets of a to-many relationship of several objects, by the object that has it.
  ///
  /// ```swift
  /// let steps = try store.objects(Recipe.self).lists(of: recipes.map(\.id)) { $0.steps }
  /// ```
  ///
  /// - Parameters:
  ///   - owners: The objects that have the relationship.
  ///   - relationship: The relationship; it must belong to these objects.
  /// - Returns: The lists that are not empty, each in its order, all of one state of the store.
  /// - Throws: `DecantError` if the store cannot be read, or if the relationship belongs to another object.
  public func lists<Target: EntityObject>(
    of owners: [ObjectID<Object>],
    _ relationship: (Object.Fields) -> ToMany<Target>
  ) throws(DecantError) -> [ObjectID<Object>: [Target]] {
    let path = relationship(Object.Fields(ObjectPath(FieldPath()))).path
    guard path.steps.isEmpty else {
      throw DecantError(
        .invalidExpression,
        "\((path.steps + [path.name]).joined(separator: ".")) is a relationship of other objects than \(Object.entity)",
        remedy: "read those objects first, then their lists"
      )
    }
    var lists: [ObjectID<Object>: [Target]] = [:]
    try reading { reader throws(DecantError) in
      for batch in (owners as [ObjectID<Object>?]).keyBatches() {
        var request = ObjectRequest(entity: Target.entity)
        request.owner = ObjectRequest.Owner(entity: Object.entity, keys: batch, relationship: path.name)
        let reading = try ObjectReading<Target>(request, reader)
        let place = ObjectRow.leadingCount + reading.shape.names.count
        try reading.forEach { object, row in lists[ObjectID(row.integer(at: place)), default: []].append(object) }
      }
    }
    return lists
  }

  /// Returns the targets of a to-many relationship of several objects; runs on a thread of the store.
  public func lists<Target: EntityObject>(
    of owners: [ObjectID<Object>],
    _ relationship: (Object.Fields) -> ToMany<Target>
  ) async throws(DecantError) -> [ObjectID<Object>: [Target]] {
    let list = relationship(Object.Fields(ObjectPath(FieldPath())))
    return try await store.readers.onThread { () throws(DecantError) in try self.lists(of: owners) { _ in list } }
  }
}

extension ObjectReading {
  /// Calls `body` for each object with its row.
  fileprivate func forEach(_ body: (Object, Statement) -> Void) throws(DecantError) {
    let statement = try open()
    defer { statement.reset() }
    while let object = try next(statement) { body(object, statement) }
  }
}

extension Sequence {
  /// Returns the distinct keys, in batches that one statement can take.
  fileprivate func keyBatches<Object>() -> [[Int64]] where Element == ObjectID<Object>? {
    var seen: Set<Int64> = []
    var batches: [[Int64]] = []
    for case let key? in self where seen.insert(key.key).inserted {
      if batches.last?.count ?? keysPerStatement >= keysPerStatement { batches.append([]) }
      batches[batches.count - 1].append(key.key)
    }
    return batches
  }
}

/// The number of keys in one statement; more would slow its compilation and save little.
private let keysPerStatement = 500
