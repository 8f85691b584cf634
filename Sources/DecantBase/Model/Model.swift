/// The schema of a store: its entities, in Core Data's terms.
///
/// The type is the same for every origin: a store's model cache, a compiled `.mom`, the XML of an `.xcdatamodel`, or
/// the tables of a plain database. All other parts of decant use this value and do not depend on its origin.
public struct DataModel: Sendable, Hashable {
  /// The entities, parents before their subentities, each sibling group sorted by name.
  ///
  /// This is the order in which Core Data numbers them: depth first from the root entities, names compared without
  /// regard to case.
  public let entities: [Entity]
  /// The identifiers that the developer gave this version of the model; often one empty text, or none.
  public let versionIdentifiers: [String]
  /// Whether the model was derived from tables: types are those of the column declarations, and any value may occur.
  public var isFromTables = false
  private let positions: [String: Int]

  /// Creates a model of `entities`, in any order.
  package init(entities: [Entity], versionIdentifiers: [String] = []) {
    self.entities = Model.depthFirst(entities)
    self.versionIdentifiers = versionIdentifiers
    var positions: [String: Int] = [:]
    for (position, entity) in self.entities.enumerated() {
      positions[entity.name] = position
    }
    self.positions = positions
  }

  /// Returns the entity named `name`, or `nil` if the model has none.
  public subscript(name: String) -> Entity? {
    positions[name].map { entities[$0] }
  }

  /// The entities without a superentity.
  public var roots: [Entity] {
    entities.filter { $0.superentity == nil }
  }

  /// Returns the root entity of the entity named `name`.
  public func root(of name: String) -> Entity? {
    lineage(of: name).last
  }

  /// Returns the entity and its superentities, nearest first.
  public func lineage(of name: String) -> [Entity] {
    var lineage: [Entity] = []
    var next: String? = name
    while let name = next, let entity = self[name], lineage.count <= entities.count {
      lineage.append(entity)
      next = entity.superentity
    }
    return lineage
  }

  /// Returns the entity and all its subentities, parents first.
  public func family(of name: String) -> [Entity] {
    entities.filter { entity in lineage(of: entity.name).contains { $0.name == name } }
  }

  /// Returns the attributes of an entity's objects, inherited ones first.
  public func attributes(of name: String) -> [ModelAttribute] {
    lineage(of: name).reversed().flatMap(\.attributes)
  }

  /// Returns the relationships of an entity's objects, inherited ones first.
  public func relationships(of name: String) -> [ModelRelationship] {
    lineage(of: name).reversed().flatMap(\.relationships)
  }

  /// Returns the inverse relationship, if there is one.
  public func inverse(of relationship: ModelRelationship) -> ModelRelationship? {
    guard let inverse = relationship.inverse else { return nil }
    return relationships(of: relationship.destination).first { $0.name == inverse }
  }

  private static func depthFirst(_ entities: [Entity]) -> [Entity] {
    let names = Set(entities.map(\.name))
    let children = Dictionary(grouping: entities) { entity in
      entity.superentity.flatMap { names.contains($0) ? $0 : nil }
    }
    var ordered: [Entity] = []
    func visit(_ parent: String?) {
      let siblings = (children[parent] ?? []).sorted {
        let (a, b) = ($0.name.lowercased(), $1.name.lowercased())
        return a == b ? $0.name < $1.name : a < b
      }
      for entity in siblings {
        ordered.append(entity)
        visit(entity.name)
      }
    }
    visit(nil)
    return ordered
  }
}
