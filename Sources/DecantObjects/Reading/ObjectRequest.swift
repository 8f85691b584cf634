/// Which objects of an entity are asked for, and in what order.
struct ObjectRequest: Sendable {
  var entity: String
  var conditions: [ObjectCondition.Node] = []
  var order: [ObjectOrder] = []
  var limit: Int?
  /// The objects whose relationship leads to them; `nil` for all objects.
  var owner: Owner?

  /// The objects that a relationship of `owner` leads to.
  static func leading<Object: EntityObject>(
    from owner: ObjectID<Object>,
    _ relationship: String,
    to entity: String
  ) -> ObjectRequest {
    var request = ObjectRequest(entity: entity)
    request.owner = Owner(entity: Object.entity, keys: [owner.key], relationship: relationship)
    return request
  }

  /// Objects and one of their relationships.
  struct Owner: Sendable {
    let entity: String
    var keys: [Int64]
    let relationship: String
  }
}
