package import DecantBase

/// One direction of a relationship, with its closure rule.
package struct LinkPath: Sendable, Hashable {
  package var name: LinkDirection
  /// Other names with the same meaning.
  package var aliases: [LinkDirection] = []
  /// The root entities at both ends.
  package var from: String
  package var to: String
  package var rule: ClosureRule
  /// Whether it leads from an object to parts, which are deleted with it.
  package var isToParts: Bool
  /// Whether it leads from a part to the object with which it is deleted.
  package var isToOwner: Bool
  /// Whether the rows at both ends are one object, since the key of one is that of the other.
  package var isWithinObject: Bool
  /// The condition of the targets that are followed.
  package var condition: LinkCondition?
  /// The maximum number of links of this direction on the way from a root; `nil` for any number.
  package var depth: Int?
  /// Why the rule cannot be changed; `nil` if it can.
  package var reason: String?
  /// The rows with the links; empty if the rows at one end have no key.
  package var rows: [LinkRows]

  package init(
    name: LinkDirection,
    aliases: [LinkDirection] = [],
    from: String,
    to: String,
    rule: ClosureRule,
    isToParts: Bool = false,
    isToOwner: Bool = false,
    isWithinObject: Bool = false,
    condition: LinkCondition? = nil,
    depth: Int? = nil,
    reason: String? = nil,
    rows: [LinkRows]
  ) {
    (self.name, self.aliases, self.from) = (name, aliases, from)
    (self.to, self.rule, self.condition) = (to, rule, condition)
    (self.depth, self.reason, self.rows) = (depth, reason, rows)
    (self.isToParts, self.isToOwner, self.isWithinObject) = (isToParts, isToOwner, isWithinObject)
  }

  /// The text of the rule in a plan: equal rules have equal texts.
  var ruleText: String {
    rule.rawValue + (isToParts ? " to parts" : isToOwner ? " to owner" : "") + (depth.map { " depth \($0)" } ?? "")
      + (condition.map { " where \($0.entity): \($0.expression)" } ?? "")
  }
}

/// The condition for an object to be included because of a link.
package struct LinkCondition: Sendable, Hashable {
  /// The target entity of the relationship.
  package var entity: String
  /// The concrete entities it applies to: the entity and its subentities.
  package var entities: [String]
  /// SQL on the entity's attribute names, checked.
  package var expression: String

  package init(entity: String, entities: [String], expression: String) {
    (self.entity, self.entities, self.expression) = (entity, entities, expression)
  }
}
