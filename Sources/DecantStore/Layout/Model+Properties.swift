package import DecantBase

/// Look-ups of relationships by the entity that declares them.
extension Model {
  /// Returns the relationship with the name `property`; `nil` for an attribute or an unknown name.
  ///
  /// - Parameter property: The name, with the entity that declares it.
  /// - Returns: The relationship.
  package func relationship(_ property: Property) -> ModelRelationship? {
    self[property.entity]?.relationships.first { $0.name == property.name }
  }

  /// Returns the inverse with the entity that declares it, which may be above the destination.
  ///
  /// - Parameter relationship: A relationship of any entity.
  /// - Returns: The inverse relationship, if there is one.
  package func inverseProperty(of relationship: ModelRelationship) -> Property? {
    guard let name = relationship.inverse else { return nil }
    return lineage(of: relationship.destination).lazy.map { Property($0.name, name) }
      .first { self.relationship($0) != nil }
  }

  /// The names of the second ends of one-to-one relationships, in the model's order.
  ///
  /// Such a link is stored at both ends and counted once, at the first.
  package var secondEnds: Set<String> {
    var seen: Set<Property> = []
    var second: Set<String> = []
    for entity in entities {
      for relationship in entity.relationships where !relationship.isToMany {
        guard let inverse = inverseProperty(of: relationship),
          self.relationship(inverse)?.isToMany == false
        else { continue }
        let property = Property(entity.name, relationship.name)
        if seen.contains(inverse), inverse != property { second.insert(property.description) }
        seen.insert(property)
      }
    }
    return second
  }
}
