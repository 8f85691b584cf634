public import DecantBase
internal import DecantSQLite

/// What many objects lead to, read in few statements instead of one for each.
extension Objects where Object: EntityObject {
  /// Those of the objects that have one of these keys, by key: the targets of a to-one relationship.
  ///
  /// ```swift
  /// let categories = try store.objects(Category.self).by(recipes.map(\.category))
  /// for recipe in recipes { print(recipe.title, recipe.category.flatMap { categories[$0] }?.name ?? "none") }
  /// ```
  ///
  /// - Parameter keys: Keys in any order, also repeated ones, and `nil` for no target.
  /// - Returns: The objects there are, all of one state of the store.
  /// - Throws: `DecantError` where the store cannot be read.
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

  /// As `by`, on a thread of the store's.
  public func by(_ keys: [ObjectID<Object>?]) async throws(DecantError) -> [ObjectID<Object>: Object] {
    try await store.readers.onThread { () throws(DecantError) in try self.by(keys) }
  }

  /// The lists that a to-many relationship of some of the objects leads to, by the object whose list it is.
  ///
  /// ```swift
  /// let steps = try store.objects(Recipe.self).lists(of: recipes.map(\.id)) { $0.steps }
  /// ```
  ///
  /// - Parameters:
  ///   - owners: The objects whose lists they are.
  ///   - relationship: The relationship, one of the objects' own.
  /// - Returns: The lists that have objects, each in its order, all of one state of the store.
  /// - Throws: `DecantError` where the store cannot be read, or the relationship is that of another object.
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

  /// As `lists(of:_:)`, on a thread of the store's.
  public func lists<Target: EntityObject>(
    of owners: [ObjectID<Object>],
    _ relationship: (Object.Fields) -> ToMany<Target>
  ) async throws(DecantError) -> [ObjectID<Object>: [Target]] {
    let list = relationship(Object.Fields(ObjectPath(FieldPath())))
    return try await store.readers.onThread { () throws(DecantError) in try self.lists(of: owners) { _ in list } }
  }
}

extension ObjectReading {
  /// Calls `body` with each object and the row that it was read from.
  fileprivate func forEach(_ body: (Object, Statement) -> Void) throws(DecantError) {
    let statement = try open()
    defer { statement.reset() }
    while let object = try next(statement) { body(object, statement) }
  }
}

extension Sequence {
  /// The different keys, in lists as long as a statement can take.
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

/// How many keys one statement is given: more of them make it slower to compile, and save little.
private let keysPerStatement = 500
