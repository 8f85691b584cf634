internal import DecantBase
internal import DecantSQLite

/// The names of a model's tables and columns, with numbered entities and resolved clashes.
///
/// If several properties of one table want the same name, the first in the order of the entities has it, and the others
/// get a number appended.
struct SchemaNames {
  let model: Model
  /// The number of each entity: 1, 2, 3, … in the model's order.
  let numbers: [String: Int64]
  /// The columns of attributes, leaves and to-one relationships.
  ///
  /// A to-many relationship without an inverse has a column in the rows of its targets.
  private(set) var columns: [Property: String] = [:]

  init(_ model: Model) {
    self.model = model
    let pairs = model.entities.enumerated().map { ($1.name, Int64($0 + 1)) }
    numbers = Dictionary(pairs) { first, _ in first }
    for root in model.roots { nameColumns(of: root) }
  }

  func number(_ entity: String) -> Int64 { numbers[entity] ?? 0 }

  /// Returns the table of the objects of `entity`.
  func table(of entity: String) -> String {
    CoreDataLayout.tableName(of: model.root(of: entity)?.name ?? entity)
  }

  /// Returns the column of a property that `entity` declares or inherits; a leaf is named by its path.
  func column(of property: String, in entity: String) -> String? {
    for ancestor in model.lineage(of: entity) {
      if let column = columns[Property(ancestor.name, property)] { return column }
    }
    return nil
  }

  /// Returns the relationship called `name` that `entity` declares or inherits.
  func relationship(_ name: String, of entity: String) -> Relationship? {
    model.relationships(of: entity).first { $0.name == name }
  }

  /// Returns the to-many relationships without an inverse whose destination is `entity`, with their owners.
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
  /// The attributes that have a column, each with its path: `address.city` for a leaf.
  var storedAttributes: [(path: String, attribute: Attribute)] {
    attributes.flatMap { $0.storedLeaves(path: "") }
  }

  /// The relationships with a column in the entity's own table.
  var storedToOnes: [Relationship] { relationships.filter { !$0.isToMany && !$0.isTransient } }
}

extension Attribute {
  fileprivate func storedLeaves(path: String) -> [(path: String, attribute: Attribute)] {
    guard !isTransient, type != .undefined else { return [] }
    guard case .composite(let leaves) = type else { return [(path + name, self)] }
    return leaves.flatMap { $0.storedLeaves(path: path + name + ".") }
  }
}
