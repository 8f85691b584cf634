/// Which objects of an entity are asked for, and in what order.
struct ObjectRequest: Sendable {
  var entity: String
  var conditions: [ObjectCondition.Node] = []
  var order: [ObjectOrder] = []
  var limit: Int?
  /// The objects whose relationship leads to them; `nil` for all objects.
  var owner: Owner?

  /// Objects and one of their relationships.
  struct Owner: Sendable {
    let entity: String
    var keys: [Int64]
    let relationship: String
  }
}
