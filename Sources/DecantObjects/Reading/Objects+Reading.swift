public import DecantBase
internal import DecantPlan
internal import DecantSQLite

/// Synchronous reading, which blocks the caller's thread.
extension Objects {
  /// Returns the number of objects.
  public func count() throws(DecantError) -> Int {
    try reading { reader throws(DecantError) in
      var statement = reader.newStatement
      let sql = try statement.count(request)
      var count = 0
      try reader.forEachRow(sql, statement.bindings) { row in
        count = Int(row.integer(at: 0))
        return false
      }
      return count
    }
  }

  /// Returns whether there are no objects.
  public func isEmpty() throws(DecantError) -> Bool { try prefix(1).count() == 0 }

  /// Returns the first object, or `nil` if there is none.
  public func first() throws(DecantError) -> Object? {
    var first: Object?
    try prefix(1).forEach { object in
      first = object
      return false
    }
    return first
  }

  /// Returns all objects, in memory.
  public func array() throws(DecantError) -> [Object] {
    var objects: [Object] = []
    try forEach { object in
      objects.append(object)
      return true
    }
    return objects
  }

  /// Calls `body` for each object in turn, with only one in memory at a time.
  ///
  /// - Parameter body: Receives each object; an error that it throws ends the reading and is rethrown.
  /// - Throws: The error of `body`, or `DecantError`.
  public func each(_ body: (Object) throws -> Void) throws {
    if origin.block?.isWriting == true { return try eachByKey(body) }
    var failure: (any Error)?
    try forEach { object in
      do { try body(object) } catch { failure = error }
      return failure == nil
    }
    if let failure { throw failure }
  }

  /// Calls `body` for each object that exists at the start, whatever `body` changes in the block.
  ///
  /// The keys are read first. An object that is deleted before its turn is left out.
  private func eachByKey(_ body: (Object) throws -> Void) throws {
    let keys: [Int64]? = try reading { reader throws(DecantError) in
      var statement = reader.newStatement
      guard statement.hasKey(try statement.view(request.entity)) else { return nil }
      let sql = try statement.select(request, [])
      var keys: [Int64] = []
      try reader.forEachRow(sql, statement.bindings) { row in
        keys.append(row.integer(at: 0))
        return true
      }
      return keys
    }
    guard let keys else { return try array().forEach(body) }
    var one = ObjectRequest(entity: request.entity)
    for key in keys {
      one.conditions = [.compared(FieldPath(), .isEqual, .integer(key))]
      if let object = try Objects(origin, one).array().first { try body(object) }
    }
  }

  /// Calls `body` for each object until it returns false.
  ///
  /// Never specialized: the optimizer of Swift 6.3.1 crashes when it does so for records.
  @_semantics("optimize.sil.specialize.generic.never")
  func forEach(_ body: (Object) -> Bool) throws(DecantError) {
    try reading { reader throws(DecantError) in
      let reading = try ObjectReading<Object>(request, reader)
      let statement = try reading.open()
      defer { statement.reset() }
      while let object = try reading.next(statement) {
        guard body(object) else { return }
      }
    }
  }

  /// Returns the object with this key, or `nil` if it is not one of these.
  public func object(_ id: ObjectID<Object>) throws(DecantError) -> Object? {
    var one = whole
    one.request.conditions.append(.compared(FieldPath(), .isEqual, .integer(id.key)))
    return try one.first()
  }
}

/// Reads the objects of a request on one connection.
struct ObjectReading<Object: StoredObject> {
  let reader: StoreReader
  let shape: RowShape
  private let sql: String
  private let bindings: [Binding]

  init(_ request: ObjectRequest, _ reader: StoreReader) throws(DecantError) {
    self.reader = reader
    var statement = reader.newStatement
    let view = try statement.view(request.entity)
    shape = RowShape(view, Object.properties)
    sql = try statement.select(request, shape.names)
    bindings = statement.bindings
  }

  /// Returns the statement before its first row; the caller has to reset it.
  func open() throws(DecantError) -> Statement { try reader.open(sql, bindings) }

  /// Returns the next object of a statement from `open`, or `nil` after the last.
  func next(_ statement: Statement) throws(DecantError) -> Object? {
    try reader.step(statement) ? try Object(ObjectRow(statement: statement, shape: shape)) : nil
  }
}

extension RowShape {
  /// Describes the columns of a view that hold `names`, or all that hold values.
  init(_ view: EntityView, _ names: [String]?) {
    var types: [String: AttributeType] = [:]
    var all: [String] = []
    for column in view.columns
    where column.name != EntityView.key && column.name != EntityView.entityName && column.type?.isExternal != true {
      types[column.name] = column.type?.attribute
      all.append(column.name)
    }
    let names = names ?? all
    self.init(entity: view.entity, names: names, types: names.map { types[$0] })
  }
}
