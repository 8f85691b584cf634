internal import DecantBase

/// Objects of a store that are asked for: nothing is read before one of the reading methods is called.
///
/// A value that can be kept, narrowed and read again. Each reading method sees one state of the store.
public struct Objects<Object: StoredObject>: Sendable {
  let origin: ObjectOrigin
  var request: ObjectRequest

  init(_ origin: ObjectOrigin, _ request: ObjectRequest) { (self.origin, self.request) = (origin, request) }

  var store: Store { origin.store }

  /// Has `body` read one state of the store.
  func reading<Result>(_ body: (StoreReader) throws(DecantError) -> Result) throws(DecantError) -> Result {
    guard let block = origin.block else { return try store.readers.reading(body) }
    return try body(try block.open())
  }

  /// Those that meet a condition as well.
  public func filter(_ condition: (Object.Fields) -> ObjectCondition) -> Objects {
    adding(condition(fields).node)
  }

  /// Those that do not meet a condition.
  public func exclude(_ condition: (Object.Fields) -> ObjectCondition) -> Objects {
    adding((!condition(fields)).node)
  }

  /// In this order, instead of that of earlier calls; objects that are equal in it are ordered by key.
  public func order(_ order: (Object.Fields) -> [ObjectOrder]) -> Objects {
    var objects = whole
    objects.request.order = order(fields)
    return objects
  }

  /// The first `count` of them at most.
  public func prefix(_ count: Int) -> Objects {
    var objects = self
    objects.request.limit = Swift.max(0, Swift.min(count, request.limit ?? count))
    return objects
  }

  /// The same objects as a request without limit: what is asked of the first ones does not reach beyond them.
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
