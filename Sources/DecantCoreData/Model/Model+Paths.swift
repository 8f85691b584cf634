package import DecantBase

extension Model {
  /// The relationship `name` that objects of `entity` have.
  func relationship(_ name: String, of entity: String) -> Relationship? {
    relationships(of: entity).first { $0.name == name }
  }

  /// The attribute `name` that objects of `entity` have.
  package func attribute(_ name: String, of entity: String) -> Attribute? {
    attributes(of: entity).first { $0.name == name }
  }

  /// The entity that relationships of these names lead to, one after the other; `nil` where there is no such.
  func target(of names: [String], from entity: String) -> String? {
    var entity = entity
    for name in names {
      guard let next = relationship(name, of: entity) else { return nil }
      entity = next.destination
    }
    return entity
  }

  /// The names that lead back from the end of `names`; `nil` where one of them does not lead back.
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
