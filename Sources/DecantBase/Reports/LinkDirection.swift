/// A relationship seen from one of its ends, under the name by which rules and reports know it.
package struct LinkDirection: Sendable, Hashable, CustomStringConvertible {
  /// The relationship as its own end names it.
  package var property: Property
  /// Whether it is seen from the other end, which has no name for it.
  package var isInverse: Bool

  /// Names a direction; nothing is looked up in a model.
  package init(_ property: Property, isInverse: Bool = false) {
    self.property = property
    self.isInverse = isInverse
  }

  /// The name as rules and reports write it: `Recipe.category`, `inverse of ingredient.recipe_id`.
  package var description: String { (isInverse ? LinkDirection.inverseMark : "") + "\(property)" }

  /// What stands before the name of a relationship that is meant from its other end.
  package static let inverseMark = "inverse of "
}
