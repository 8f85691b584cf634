internal import DecantBase
internal import DecantSQLite

/// The names a model's tables and columns get: entities numbered, clashes settled.
///
/// Where several properties of one table want the same name, the first in the order of the entities
/// has it, the others have a number behind it.
struct SchemaNames {
  let model: Model
  /// The number of each entity: 1, 2, 3, … in the model's order.
  let numbers: [String: Int64]
  /// The column of each attribute, leaf and to-one relationship, and of each to-many one without
  /// inverse, which is a column of the objects it leads to.
  private(set) var columns: [Property: String] = [:]

  init(_ model: Model) {
    self.model = model
    let pairs = model.entities.enumerated().map { ($1.name, Int64($0 + 1)) }
    numbers = Dictionary(pairs) { first, _ in first }
    for root in model.roots { nameColumns(of: root) }
  }

  func number(_ entity: String) -> Int64 { numbers[entity] ?? 0 }

  /// The table that holds the objects of `entity`.
  func table(of entity: String) -> String {
    CoreDataLayout.tableName(of: model.root(of: entity)?.name ?? entity)
  }

  /// The column of a property that `entity` declares or inherits; of a leaf by its path.
  func column(of property: String, in entity: String) -> String? {
    for ancestor in model.lineage(of: entity) {
      if let column = columns[Property(ancestor.name, property)] { return column }
    }
    return nil
  }

  /// The relationship that `entity` declares or inherits under this name.
  func relationship(_ name: String, of entity: String) -> Relationship? {
    model.relationships(of: entity).first { $0.name == name }
  }

  /// The to-many relationships without inverse that lead to `entity`, and who declares them.
  func ownerships(of entity: String) -> [(owner: Entity, relationship: Relationship)] {
    model.entities.flatMap { owner in
      owner.relationships.filter { relationship in
        relationship.isToMany && relationship.inverse == nil && !relationship.isTransient
          && relationship.destination == entity
      }.map { (owner, $0) }
    }
  }

  private mutating func nameColumns(of root: Entity) {
    var taken: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
    func claim(_ base: String) -> String {
      var name = base
      var clash = 0
      while !taken.insert(name).inserted {
        clash += 1
        name = base + String(clash)
      }
      return name
    }
    let family = model.family(of: root.name)
    for entity in family {
      for (path, attribute) in entity.storedAttributes {
        columns[Property(entity.name, path)] = claim("Z" + attribute.name.uppercased())
      }
      for relationship in entity.storedToOnes {
        let base = "Z" + relationship.name.uppercased()
        columns[Property(entity.name, relationship.name)] = claim(base)
      }
    }
    for entity in family {
      for (owner, relationship) in ownerships(of: entity.name) {
        let base = "Z\(number(owner.name))\(relationship.name.uppercased())"
        columns[Property(owner.name, relationship.name)] = claim(base)
      }
    }
  }
}

extension Entity {
  /// The values that have a column, each with the path to it: `address.city` for a leaf.
  var storedAttributes: [(path: String, attribute: Attribute)] {
    attributes.flatMap { $0.storedLeaves(path: "") }
  }

  /// The relationships that are a column of the entity's own objects.
  var storedToOnes: [Relationship] { relationships.filter { !$0.isToMany && !$0.isTransient } }
}

extension Attribute {
  fileprivate func storedLeaves(path: String) -> [(path: String, attribute: Attribute)] {
    guard !isTransient, type != .undefined else { return [] }
    guard case .composite(let leaves) = type else { return [(path + name, self)] }
    return leaves.flatMap { $0.storedLeaves(path: path + name + ".") }
  }
}
