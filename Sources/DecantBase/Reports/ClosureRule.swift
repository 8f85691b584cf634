/// What a copy of a part of a store (`--root`) does with the targets of a relationship.
///
/// A rule applies to one direction: that recipes include their ingredients says nothing about what an ingredient
/// includes.
public enum ClosureRule: String, Sendable, Hashable, CaseIterable {
  /// The targets are copied as well.
  case follow
  /// The targets are not copied because of this link.
  ///
  /// The link leads to the same object at the destination if it exists there, and is cut otherwise.
  case reference
  /// The targets are not copied because of this link, and the link is cut.
  case stop
}

/// A rule for one relationship: whether its targets are copied with the objects that link to them.
public struct FollowRule: Sendable, Hashable {
  /// The relationship: `Recipe.category`, or `inverse of ingredient.recipe_id` for a direction without a name.
  public var relationship: String
  /// What to do with the targets.
  public var rule: ClosureRule
  /// The condition of targets that are copied: SQL over the attribute names of the target entity; `nil` for all
  /// objects.
  public var condition: String?
  /// The maximum number of such links on the way from a root to an object; `nil` for any number.
  ///
  /// Of several ways, the one with the fewest such links counts; links of other relationships are not counted.
  public var depth: Int?
  /// The places of the rule and of its condition in a mapping file; `nil` for those of `--rule`.
  package var place: String?
  package var conditionPlace: String?

  /// Creates a rule; the relationship is checked when the copy is planned.
  ///
  /// - Parameters:
  ///   - relationship: Its name, in the form of the property `relationship`.
  ///   - rule: What to do with its targets.
  ///   - condition: The condition of the targets; only for `follow`.
  ///   - depth: The maximum number of such links on the way from a root, at least 1; only for `follow`.
  public init(_ relationship: String, _ rule: ClosureRule, where condition: String? = nil, depth: Int? = nil) {
    self.relationship = relationship
    self.rule = rule
    self.condition = condition
    self.depth = depth
  }

  /// Returns whether both rules have the same effect.
  package func agrees(with other: FollowRule) -> Bool {
    rule == other.rule && condition == other.condition && depth == other.depth
  }

  /// The rule in the words of error messages.
  package var word: String {
    rule.rawValue + (depth.map { " to depth \($0)" } ?? "")
      + (condition.map { " where \($0)" } ?? "")
  }

  /// Whether only some of the links are followed.
  package var isBounded: Bool { condition != nil || depth != nil }
}
