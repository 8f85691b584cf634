extension Model {
  /// Whether an object belongs to what its `relationship` leads to.
  ///
  /// It is deleted along with that, or cannot be without it.
  package func leadsToOwner(_ relationship: Relationship) -> Bool {
    guard !relationship.isToMany else { return false }
    guard let inverse = inverse(of: relationship) else { return !relationship.isOptional }
    return inverse.isToMany && (inverse.deleteRule == .cascade || !relationship.isOptional)
  }
}
