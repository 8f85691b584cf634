/// Which objects of an entity are asked for, and in what order.
struct ObjectRequest: Sendable {
  var entity: String
  var conditions: [ObjectCondition.Node] = []
  var order: [ObjectOrder] = []
  var limit: Int?
  /// The object whose relationship leads to them; `nil` for all objects.
  var owner: Owner?

  /// An object and one of its relationships.
  struct Owner: Sendable {
    let entity: String
    let key: Int64
    let relationship: String
  }
}
