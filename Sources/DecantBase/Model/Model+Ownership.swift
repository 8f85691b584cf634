extension Model {
  /// Returns whether an object is owned by the target of its `relationship`.
  ///
  /// An owned object is deleted along with its owner, or cannot exist without it.
  package func leadsToOwner(_ relationship: Relationship) -> Bool {
    guard !relationship.isToMany else { return false }
    guard let inverse = inverse(of: relationship) else { return !relationship.isOptional }
    return inverse.isToMany && (inverse.deleteRule == .cascade || !relationship.isOptional)
  }
}
