/// What keeps the objects of one model from being poured into a store of another, one to one.
struct ModelMisfits {
  /// Everything that does not fit, in the model's order, each as a short sentence.
  let all: [String]

  init(from source: Model, to destination: Model) {
    var all: [String] = []
    for entity in source.entities {
      guard let other = destination[entity.name] else {
        all.append("the destination has no entity \(entity.name)")
        continue
      }
      if entity.superentity != other.superentity {
        all.append("\(entity.name) has another parent entity there")
      }
      for attribute in entity.attributes where !attribute.isTransient {
        guard let there = other.attributes.first(where: { $0.name == attribute.name }) else {
          all.append("the destination has no attribute \(entity.name).\(attribute.name)")
          continue
        }
        if there.isTransient || there.type.name != attribute.type.name
          || there.allowsExternalStorage != attribute.allowsExternalStorage
        {
          all.append(
            "\(entity.name).\(attribute.name) is \(attribute.kindName) here and \(there.kindName) there"
          )
        }
      }
      for attribute in other.attributes where !attribute.isTransient && !attribute.isOptional {
        let isNew = !entity.attributes.contains { $0.name == attribute.name }
        if isNew, attribute.defaultValue == nil {
          all.append("\(entity.name).\(attribute.name) is required there and has no default")
        }
      }
      for relationship in entity.relationships where !relationship.isTransient {
        let there = other.relationships.first { $0.name == relationship.name }
        if there == nil {
          all.append("the destination has no relationship \(entity.name).\(relationship.name)")
        } else if there?.destination != relationship.destination
          || there?.isToMany != relationship.isToMany || there?.inverse != relationship.inverse
          || there?.isOrdered != relationship.isOrdered
        {
          all.append("the relationship \(entity.name).\(relationship.name) is another one there")
        }
      }
    }
    self.all = all
  }
}

extension Attribute {
  /// The attribute's type as a misfit names it.
  fileprivate var kindName: String {
    (isTransient ? "transient " : "") + type.name + (allowsExternalStorage ? " (external)" : "")
  }
}
