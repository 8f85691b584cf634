/// A request for objects of an entity: conditions, order and limit.
struct ObjectRequest: Sendable {
  var entity: String
  var conditions: [ObjectCondition.Node] = []
  var order: [ObjectOrder] = []
  var limit: Int?
  /// The objects whose relationship has the requested objects as its targets; `nil` for all objects.
  var owner: Owner?

  /// Objects and one of their relationships.
  struct Owner: Sendable {
    let entity: String
    var keys: [Int64]
    let relationship: String
  }
}
