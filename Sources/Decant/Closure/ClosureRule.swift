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

extension CopyOptions {
  /// What becomes of the objects that links of one relationship lead to.
  public struct Rule: Sendable, Hashable {
    /// The relationship: `Recipe.category`, or for a direction without a name `inverse of ingredient.recipe_id`.
    public var relationship: String
    /// What becomes of them.
    public var rule: ClosureRule

    /// Makes a rule; that there is such a relationship is checked when the copy is planned.
    public init(_ relationship: String, _ rule: ClosureRule) {
      self.relationship = relationship
      self.rule = rule
    }
  }
}
