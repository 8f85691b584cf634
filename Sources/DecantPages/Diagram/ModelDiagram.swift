public import DecantPlan
internal import DecantBase

/// The entities of a store and the relationships between them, as a graph for drawing.
///
/// There is one edge for each relationship with its inverse, and one from each entity to its superentity.
public struct ModelDiagram: Sendable {
  let entities: [EntityInspection]
  /// The relationships, with each pair of inverses counted as one, in the model's order.
  let edges: [Edge]
  let places: [String: Int]
  let objectNoun: String
  /// Whether delete rules are known, which is not the case for plain databases.
  let knowsDeleteRules: Bool

  /// One relationship with its inverse.
  struct Edge: Sendable {
    /// The entities at both ends, by their indices in the list.
    let source: Int
    let destination: Int
    let forward: RelationshipInspection
    let backward: RelationshipInspection?
    /// The entity that declares the inverse: the destination, or one that it inherits from.
    let backwardOwner: String

    /// The links, each counted once.
    var linkCount: Int64 { max(forward.linkCount, backward?.linkCount ?? 0) }
    var danglingCount: Int64 { forward.danglingCount + (backward?.danglingCount ?? 0) }
  }

  /// Describes the graph of an inspected store.
  public init(_ inspection: Inspection) {
    entities = inspection.entities
    objectNoun = inspection.identity.terms.object
    knowsDeleteRules = inspection.identity.terms == .objects
    var places: [String: Int] = [:]
    for (place, entity) in entities.enumerated() { places[entity.name] = place }
    self.places = places
    var edges: [Edge] = []
    var seen: Set<Property> = []
    for (source, entity) in entities.enumerated() {
      for forward in entity.relationships {
        guard let destination = places[forward.relationship.destination],
          seen.insert(Property(entity.name, forward.relationship.name)).inserted
        else { continue }
        let inverse = inspection.inverse(of: forward.relationship)
        if let inverse { seen.insert(Property(inverse.owner, inverse.end.relationship.name)) }
        // A relationship that is its own inverse has only one end.
        let isOwn = inverse.map { $0.owner == entity.name && $0.end.relationship.name == forward.relationship.name }
        let backward = isOwn == true ? nil : inverse?.end
        edges.append(
          Edge(
            source: source,
            destination: destination,
            forward: forward,
            backward: backward,
            backwardOwner: inverse?.owner ?? ""
          )
        )
      }
    }
    self.edges = edges
  }

  /// The number of entities drawn.
  public var entityCount: Int { entities.count }
  /// The number of relationships drawn, each counted together with its inverse.
  public var relationshipCount: Int { edges.count }
}

extension Inspection {
  /// Returns the inverse of `relationship` and the entity that declares it: the destination, or one of its ancestors.
  fileprivate func inverse(of relationship: ModelRelationship) -> (owner: String, end: RelationshipInspection)? {
    guard let name = relationship.inverse else { return nil }
    var next: String? = relationship.destination
    // Models from other sources may contain inheritance cycles.
    for _ in entities {
      guard let entity = next.flatMap({ self[$0] }) else { return nil }
      if let end = entity.relationships.first(where: { $0.relationship.name == name }) {
        return (entity.name, end)
      }
      next = entity.superentity
    }
    return nil
  }
}
