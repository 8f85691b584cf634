package import DecantBase

/// The differences that prevent copying objects one to one from one model to another.
package struct ModelMisfits {
  /// The differences, in the model's order, each as a short sentence.
  package let all: [DecantError.Text]

  package init(from source: Model, to destination: Model) {
    let terms = destination.terms
    var all: [DecantError.Text] = []
    for entity in source.entities {
      guard let other = destination[entity.name] else {
        all.append("the destination has no \(terms.entity) \(entity.name)")
        continue
      }
      if entity.superentity != other.superentity {
        all.append("\(entity.name) has a different parent entity there")
      }
      for attribute in entity.attributes where !attribute.isTransient {
        guard let there = other.attributes.first(where: { $0.name == attribute.name }) else {
          let link = other.relationships.first { $0.name == attribute.name }?.destination
          let name = "\(entity.name).\(attribute.name)"
          all.append(
            link.map {
              "\(name) is a link there but not here: use \(say: .link, "\(name) -> \($0)")"
            }
              ?? "the destination has no \(terms.attribute) \(name)"
          )
          continue
        }
        // Declared types of columns are not enforced; the proof finds values that change.
        let isTyped = !(source.isFromTables && destination.isFromTables)
        if there.isTransient || (isTyped && there.type.name != attribute.type.name)
          || there.allowsExternalStorage != attribute.allowsExternalStorage
        {
          all.append("\(entity.name).\(attribute.name) is \(attribute.kindName) here but \(there.kindName) there")
        }
      }
      for attribute in other.attributes where !attribute.isTransient && !attribute.isOptional {
        let isNew = !entity.attributes.contains { $0.name == attribute.name }
        if isNew, attribute.defaultValue == nil {
          all.append("\(entity.name).\(attribute.name) is required there and has no default")
        }
      }
      for relationship in entity.relationships where !relationship.isTransient {
        let name = "\(entity.name).\(relationship.name)"
        guard let there = other.relationships.first(where: { $0.name == relationship.name }) else {
          all.append("the destination has no \(terms.relationship) \(name)")
          continue
        }
        let differences = relationship.differences(from: there)
        if !differences.isEmpty {
          all.append("the \(terms.relationship) \(name) \(differences.joined(separator: ", and "))")
        }
      }
    }
    self.all = all
  }
}

extension Attribute {
  /// The attribute's type in the words of a difference.
  package var kindName: String {
    (isTransient ? "transient " : "") + type.name + (allowsExternalStorage ? " (external)" : "")
  }
}

extension Relationship {
  /// Returns the differences from the relationship of the same name `there`, each as the end of a sentence.
  package func differences(from there: Relationship) -> [String] {
    var differences: [String] = []
    if there.destination != destination {
      differences.append("points to \(destination) here and to \(there.destination) there")
    }
    if there.isToMany != isToMany {
      differences.append(isToMany ? "is to-many here but to-one there" : "is to-one here but to-many there")
    }
    if there.isOrdered != isOrdered {
      differences.append(isOrdered ? "is ordered here but not there" : "is ordered there but not here")
    }
    if there.inverse != inverse {
      differences.append("has the inverse \(inverse ?? "none") here and \(there.inverse ?? "none") there")
    }
    if there.isTransient { differences.append("is stored here but transient there") }
    return differences
  }
}
