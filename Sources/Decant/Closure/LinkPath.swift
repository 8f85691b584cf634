/// One direction of a relationship, with what is taken along it.
struct LinkPath: Sendable, Hashable {
  var name: LinkDirection
  /// Other names that mean it as well.
  var aliases: [LinkDirection] = []
  /// The root entities at both ends.
  var from: String
  var to: String
  var rule: ClosureRule
  /// The condition of the objects that links are followed to.
  var condition: LinkCondition?
  /// The most links of this direction on the way from a root; `nil` for any number.
  var depth: Int?
  /// Why the rule cannot be another one; `nil` where it can.
  var reason: String?
  /// Where the links lie; nothing where the rows at one end cannot be told from one another.
  var rows: [LinkRows]

  /// What is taken along it, as a plan says it: equal rules have equal texts.
  var ruleText: String {
    rule.rawValue + (depth.map { " depth \($0)" } ?? "")
      + (condition.map { " where \($0.entity): \($0.expression)" } ?? "")
  }
}

/// What an object meets to be taken for the sake of a link.
struct LinkCondition: Sendable, Hashable {
  /// The entity that the relationship leads to.
  var entity: String
  /// The concrete entities it holds for: the entity and those below it.
  var entities: [String]
  /// SQL over the entity's attribute names, checked.
  var expression: String
}
