/// What becomes of the objects that links of a relationship lead to, where `--root` names a part of a store.
///
/// A rule holds for one direction: that recipes take their ingredients along says nothing of what an
/// ingredient takes along.
public enum ClosureRule: String, Sendable, Hashable, CaseIterable {
  /// They are taken as well.
  case follow
  /// They are not taken for this link's sake; it is to lead to the same object where it arrives, if that one is
  /// there, and is cut otherwise.
  case reference
  /// They are not taken for this link's sake, and the link is cut.
  case stop
}

/// Whether the targets of one relationship are copied with the objects that link to them.
public struct FollowRule: Sendable, Hashable {
  /// The relationship: `Recipe.category`, or for a direction without a name `inverse of ingredient.recipe_id`.
  public var relationship: String
  /// What is done with the targets.
  public var rule: ClosureRule
  /// The condition that an object meets to be taken for such a link's sake: SQL over the attribute names of the
  /// entity that the relationship leads to; `nil` for all objects.
  public var condition: String?
  /// How many such links there may be at the most on the way from a root to an object; `nil` for any number.
  ///
  /// Of several ways the one with the fewest counts; links of other relationships do not.
  public var depth: Int?
  /// Where a mapping file says it, and where in it the condition stands; `nil` for what `--rule` says.
  package var place: String?
  package var conditionPlace: String?

  /// Makes a rule; that there is such a relationship is checked when the copy is planned.
  ///
  /// - Parameters:
  ///   - relationship: Its name, as `relationship` has it.
  ///   - rule: What is done with its targets.
  ///   - condition: What these objects must meet; only for `follow`.
  ///   - depth: The most such links on the way from a root, at least 1; only for `follow`.
  public init(_ relationship: String, _ rule: ClosureRule, where condition: String? = nil, depth: Int? = nil) {
    self.relationship = relationship
    self.rule = rule
    self.condition = condition
    self.depth = depth
  }

  /// Whether both say the same of what is taken along.
  package func agrees(with other: FollowRule) -> Bool {
    rule == other.rule && condition == other.condition && depth == other.depth
  }

  /// What it says, as errors name it.
  package var word: String {
    rule.rawValue + (depth.map { " to depth \($0)" } ?? "")
      + (condition.map { " where \($0)" } ?? "")
  }

  /// Whether only some of the links are followed.
  package var isBounded: Bool { condition != nil || depth != nil }
}
