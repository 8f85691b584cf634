public import DecantBase

/// One transaction of a store; reading in it sees its own changes.
///
/// Each change is atomic: if one throws, it has changed nothing, and the block can continue. A block is valid only in
/// its closure, and only on that closure's thread.
///
/// `@unchecked Sendable`: every use of `edits` first checks `block`, which is open only on the thread of its closure.
public final class WriteBlock: ObjectSource, @unchecked Sendable {
  public let origin: ObjectOrigin
  private let edits: ObjectEdits
  private let block: BlockReader

  init(_ store: Store, _ edits: ObjectEdits) {
    block = BlockReader(edits.reader, isWriting: true)
    origin = ObjectOrigin(store: store, block: block)
    self.edits = edits
  }

  func end() { block.end() }

  private func open() throws(DecantError) -> ObjectEdits {
    _ = try block.open()
    return edits
  }

  // MARK: Inserting

  /// Inserts a new object, and returns its key.
  ///
  /// - Parameters:
  ///   - type: The type of the object.
  ///   - body: Sets its values and links.
  /// - Returns: The key, for links from other objects.
  /// - Throws: The error of `body`, or `DecantError` for a value or link that the object cannot have.
  @discardableResult
  public func insert<Object: EntityObject>(
    _ type: Object.Type,
    _ body: (inout ObjectDraft<Object>) throws -> Void = { _ in }
  ) throws -> ObjectID<Object> {
    var draft = ObjectDraft<Object>()
    try body(&draft)
    return ObjectID(try change { edits throws(DecantError) in try edits.insert(Object.entity, draft) })
  }

  /// Inserts a new object of the entity `name`, and returns its key.
  @discardableResult
  public func insert(
    _ name: String,
    _ body: (inout ObjectDraft<StoreRecord>) throws -> Void = { _ in }
  ) throws -> ObjectID<StoreRecord> {
    var draft = ObjectDraft<StoreRecord>()
    try body(&draft)
    return ObjectID(try change { edits throws(DecantError) in try edits.insert(name, draft) })
  }

  // MARK: Updating

  /// Changes one object.
  ///
  /// - Throws: The error of `body`, or `DecantError`, with the code `.objectNotFound` if there is no such object.
  public func update<Object: EntityObject>(
    _ id: ObjectID<Object>,
    _ body: (inout ObjectDraft<Object>) throws -> Void
  ) throws {
    let entity = try open().entity(Object.entity).name
    guard let current = try objects(entity).filter({ $0.id == ObjectID(id.key) }).first() else {
      throw DecantError(.objectNotFound, "there is no \(Object.entity) \(id)")
    }
    var draft = ObjectDraft<Object>(of: current)
    try body(&draft)
    try check(draft, "is not read with the object")
    let one = ObjectRequest(entity: entity, conditions: [.compared(FieldPath(), .isEqual, .integer(id.key))])
    try change { edits throws(DecantError) in _ = try edits.update(one, draft) }
  }

  /// Gives all of these objects the same values and links.
  ///
  /// - Parameters:
  ///   - objects: The objects to change; objects of the store are read as this block sees them.
  ///   - body: Sets the changes; called once.
  /// - Returns: The number of objects, including those that had these values before.
  /// - Throws: The error of `body`, or `DecantError`.
  @discardableResult
  public func update<Object: StoredObject>(
    _ objects: Objects<Object>,
    _ body: (inout ObjectDraft<Object>) throws -> Void
  ) throws -> Int {
    try check(objects)
    var draft = ObjectDraft<Object>(isShared: true)
    try body(&draft)
    try check(draft, "is another value in each of these objects")
    return try change { edits throws(DecantError) in try edits.update(objects.request, draft) }
  }

  // MARK: Deleting

  /// Deletes one object by the delete rules of the model.
  ///
  /// - Throws: `DecantError`, with the code `.objectNotFound` if there is no such object, `.constraintViolated` if a
  ///   rule forbids it.
  public func delete<Object: EntityObject>(_ id: ObjectID<Object>) throws(DecantError) {
    let one = objects(Object.self).filter { _ in ObjectCondition(.compared(FieldPath(), .isEqual, .integer(id.key))) }
    guard try delete(one) == 1 else { throw DecantError(.objectNotFound, "there is no \(Object.entity) \(id)") }
  }

  /// Deletes objects by the delete rules of the model.
  ///
  /// - Parameter objects: The objects to delete; objects of the store are read as this block sees them.
  /// - Returns: The number of objects deleted, without those deleted by a cascade.
  /// - Throws: `DecantError`, with the code `.constraintViolated` if a rule forbids it.
  @discardableResult
  public func delete<Object: StoredObject>(_ objects: Objects<Object>) throws(DecantError) -> Int {
    try check(objects)
    return try change { edits throws(DecantError) in try edits.delete(objects.request) }
  }

  /// Throws if a draft's closure read a property that cannot be read there.
  private func check<Object>(_ draft: ObjectDraft<Object>, _ why: String) throws(DecantError) {
    guard let name = draft.misreadName else { return }
    throw DecantError(
      .unsupportedRequest,
      "\(name) is read where it is to be changed, and \(why)",
      remedy: "read it before, or change the objects one by one"
    )
  }

  /// Throws for objects of another store, whose keys have another meaning here.
  private func check<Object>(_ objects: Objects<Object>) throws(DecantError) {
    guard objects.store !== origin.store else { return }
    throw DecantError(
      .unsuitableOption,
      "the objects are those of another store",
      remedy: "change them in a write block of the store whose objects they are"
    )
  }

  // MARK: Undoing

  /// Runs `body`; if it throws, undoes its changes and rethrows the error, and the block can continue.
  public func attempt<Result>(_ body: () throws -> Result) throws -> Result {
    let savepoint = try open().beginStep()
    let result: Result
    do {
      result = try body()
    } catch {
      try open().undo(savepoint)
      throw error
    }
    try open().keep(savepoint)
    return result
  }

  /// Makes one change atomically.
  private func change<Result>(_ body: (ObjectEdits) throws(DecantError) -> Result) throws(DecantError) -> Result {
    let edits = try open()
    let savepoint = try edits.beginStep()
    let result: Result
    do throws(DecantError) {
      result = try body(edits)
    } catch {
      try edits.undo(savepoint)
      throw error
    }
    try edits.keep(savepoint)
    return result
  }
}
