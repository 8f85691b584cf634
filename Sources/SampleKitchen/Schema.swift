/// A model as the generator needs it: entities in any order, each with its own properties.
///
/// The generator has its own types for this, so that what it writes can be held against what the
/// library reads.
struct Schema {
  var entities: [SchemaEntity]
  var versionIdentifiers: [String]

  /// The entities in the order of their numbers, `Z_ENT` 1, 2, 3 …: depth first, siblings sorted
  /// without regard to case.
  var numbered: [SchemaEntity] {
    func family(of parent: String?) -> [SchemaEntity] {
      entities.filter { $0.parent == parent }
        .sorted { $0.name.lowercased() < $1.name.lowercased() }
        .flatMap { [$0] + family(of: $0.name) }
    }
    return family(of: nil)
  }

  /// Returns the number of the entity called `name`; 0, which Core Data uses for none, if absent.
  func number(of name: String?) -> Int64 {
    numbered.firstIndex { $0.name == name }.map { Int64($0 + 1) } ?? 0
  }

  /// Returns the entity called `name`.
  func entity(_ name: String) -> SchemaEntity {
    guard let entity = entities.first(where: { $0.name == name }) else {
      preconditionFailure("the model has no entity \(name)")
    }
    return entity
  }

  /// Returns `name` and its super-entities, nearest first.
  func lineage(of name: String) -> [SchemaEntity] {
    let first = entity(name)
    return [first] + (first.parent.map { lineage(of: $0) } ?? [])
  }

  /// Returns the entity at the top of the tree in which `name` stands; its table is theirs.
  func root(of name: String) -> String {
    lineage(of: name).last?.name ?? name
  }

  /// Returns the attributes of `name`, inherited ones first.
  func attributes(of name: String) -> [SchemaAttribute] {
    lineage(of: name).reversed().flatMap(\.attributes)
  }

  /// Returns the relationships of `name`, inherited ones first.
  func relationships(of name: String) -> [SchemaRelationship] {
    lineage(of: name).reversed().flatMap(\.relationships)
  }

  /// Returns the relationship that leads back.
  func inverse(of relationship: SchemaRelationship) -> SchemaRelationship {
    let candidates = relationships(of: relationship.destination)
    guard let inverse = candidates.first(where: { $0.name == relationship.inverse }) else {
      preconditionFailure("\(relationship.name) has no inverse \(relationship.inverse)")
    }
    return inverse
  }
}

/// A kind of object.
struct SchemaEntity {
  var name: String
  var parent: String?
  var isAbstract = false
  var attributes: [SchemaAttribute] = []
  var relationships: [SchemaRelationship] = []
}

/// A value an object holds.
struct SchemaAttribute {
  /// The types, with the numbers by which Core Data knows them.
  enum Kind: Int64 {
    case integer16 = 100
    case integer32 = 200
    case integer64 = 300
    case decimal = 400
    case double = 500
    case float = 600
    case string = 700
    case boolean = 800
    case date = 900
    case binary = 1000
    case uuid = 1100
    case uri = 1200
    case transformable = 1800
  }

  var name: String
  var kind: Kind
  var isOptional = true
  var isTransient = false
  /// Whether large values may lie beside the store: every value then begins with a tag byte.
  var allowsExternalStorage = false
  /// Whether persistent history keeps the value of a deleted object.
  var isPreservedInHistory = false
}

/// A link from one entity's objects to another's; every one here has an inverse.
struct SchemaRelationship {
  /// What becomes of the other end on deletion, with the numbers by which Core Data knows them.
  enum DeleteRule: Int64 {
    case nullify = 1
    case cascade = 2
    case deny = 3
  }

  var name: String
  var destination: String
  var inverse: String
  var isToMany = false
  var isOrdered = false
  var isOptional = true
  var deleteRule = DeleteRule.nullify
}
