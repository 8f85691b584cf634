internal import DecantBase

/// A request for objects of a store; nothing is read until one of the reading methods is called.
///
/// The value can be stored, refined and read again. Each reading method sees one consistent state of the store.
public struct Objects<Object: StoredObject>: Sendable {
  let origin: ObjectOrigin
  var request: ObjectRequest

  init(_ origin: ObjectOrigin, _ request: ObjectRequest) { (self.origin, self.request) = (origin, request) }

  var store: Store { origin.store }

  /// Runs `body` on one state of the store.
  func reading<Result>(_ body: (StoreReader) throws(DecantError) -> Result) throws(DecantError) -> Result {
    guard let block = origin.block else { return try store.readers.reading(body) }
    return try body(try block.open())
  }

  /// Returns the objects that also meet a condition.
  public func filter(_ condition: (Object.Fields) -> ObjectCondition) -> Objects {
    adding(condition(fields).node)
  }

  /// Returns the objects that do not meet a condition.
  public func exclude(_ condition: (Object.Fields) -> ObjectCondition) -> Objects {
    adding((!condition(fields)).node)
  }

  /// Returns the objects in this order, which replaces any earlier one; equal objects are ordered by key.
  public func order(_ order: (Object.Fields) -> [ObjectOrder]) -> Objects {
    var objects = whole
    objects.request.order = order(fields)
    return objects
  }

  /// Returns at most the first `count` objects.
  public func prefix(_ count: Int) -> Objects {
    var objects = self
    objects.request.limit = Swift.max(0, Swift.min(count, request.limit ?? count))
    return objects
  }

  /// The same objects as a request without a limit, so that refining it does not go beyond the first ones.
  var whole: Objects {
    guard request.limit != nil else { return self }
    var objects = self
    objects.request = ObjectRequest(entity: request.entity, conditions: [.within(request)], order: request.order)
    return objects
  }

  private var fields: Object.Fields { Object.Fields(ObjectPath(FieldPath())) }

  private func adding(_ condition: ObjectCondition.Node) -> Objects {
    var objects = whole
    objects.request.conditions.append(condition)
    return objects
  }
}
