package import DecantBase

extension Model {
  /// Returns the relationship `name` of `entity`, declared or inherited.
  func relationship(_ name: String, of entity: String) -> Relationship? {
    relationships(of: entity).first { $0.name == name }
  }

  /// Returns the attribute `name` of `entity`, declared or inherited.
  package func attribute(_ name: String, of entity: String) -> Attribute? {
    attributes(of: entity).first { $0.name == name }
  }

  /// Returns the entity at the end of a path of relationships; `nil` if the path is invalid.
  func target(of names: [String], from entity: String) -> String? {
    var entity = entity
    for name in names {
      guard let next = relationship(name, of: entity) else { return nil }
      entity = next.destination
    }
    return entity
  }

  /// Returns the path of inverses from the end of `names`; `nil` if one of them has no inverse.
  func wayBack(of names: [String], from entity: String) -> [String]? {
    var (entity, back) = (entity, [String]())
    for name in names {
      guard let next = relationship(name, of: entity), let inverse = next.inverse else {
        return nil
      }
      back.insert(inverse, at: 0)
      entity = next.destination
    }
    return back
  }
}
