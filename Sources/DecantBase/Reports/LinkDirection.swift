/// A relationship seen from one of its ends, with the name that rules and reports use.
package struct LinkDirection: Sendable, Hashable, CustomStringConvertible {
  /// The relationship, named from its own end.
  package var property: Property
  /// Whether it is seen from the other end, which has no name for it.
  package var isInverse: Bool

  /// Names a direction, without looking it up in a model.
  package init(_ property: Property, isInverse: Bool = false) {
    self.property = property
    self.isInverse = isInverse
  }

  /// The name in rules and reports: `Recipe.category`, `inverse of ingredient.recipe_id`.
  package var description: String { (isInverse ? LinkDirection.inverseMark : "") + "\(property)" }

  /// The prefix of a relationship that is named from its other end.
  package static let inverseMark = "inverse of "
}
