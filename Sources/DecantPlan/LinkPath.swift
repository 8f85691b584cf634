package import DecantBase

/// One direction of a relationship, with what is taken along it.
package struct LinkPath: Sendable, Hashable {
  package var name: LinkDirection
  /// Other names that mean it as well.
  package var aliases: [LinkDirection] = []
  /// The root entities at both ends.
  package var from: String
  package var to: String
  package var rule: ClosureRule
  /// The condition of the objects that links are followed to.
  package var condition: LinkCondition?
  /// The most links of this direction on the way from a root; `nil` for any number.
  package var depth: Int?
  /// Why the rule cannot be another one; `nil` where it can.
  package var reason: String?
  /// Where the links lie; nothing where the rows at one end cannot be told from one another.
  package var rows: [LinkRows]

  package init(
    name: LinkDirection,
    aliases: [LinkDirection] = [],
    from: String,
    to: String,
    rule: ClosureRule,
    condition: LinkCondition? = nil,
    depth: Int? = nil,
    reason: String? = nil,
    rows: [LinkRows]
  ) {
    (self.name, self.aliases, self.from) = (name, aliases, from)
    (self.to, self.rule, self.condition) = (to, rule, condition)
    (self.depth, self.reason, self.rows) = (depth, reason, rows)
  }

  /// What is taken along it, as a plan says it: equal rules have equal texts.
  var ruleText: String {
    rule.rawValue + (depth.map { " depth \($0)" } ?? "")
      + (condition.map { " where \($0.entity): \($0.expression)" } ?? "")
  }
}

/// What an object meets to be taken for the sake of a link.
package struct LinkCondition: Sendable, Hashable {
  /// The entity that the relationship leads to.
  package var entity: String
  /// The concrete entities it holds for: the entity and those below it.
  package var entities: [String]
  /// SQL over the entity's attribute names, checked.
  package var expression: String

  package init(entity: String, entities: [String], expression: String) {
    (self.entity, self.entities, self.expression) = (entity, entities, expression)
  }
}
