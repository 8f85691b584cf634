internal import DecantBase

extension ModelComparison {
  /// Adds what changed in an attribute that both models have.
  mutating func compareAttributes(_ edge: PropertyFlow<Attribute>.Edge) {
    let (from, to) = (edge.source, edge.destination)
    let scope = scope(edge.entities, of: to.property)
    let subject = to.property.description
    if from.part.name != to.part.name {
      add(.attributeRenamed, subject, "was called \(from.part.name)\(scope)", .inferred)
    }
    if matching.destination(of: from.entity) != to.entity {
      add(.attributeMoved, subject, "was declared by \(former(from.entity, besides: to.entity))", .inferred)
    }
    compare(from.part, at: from.property, to.part, at: to.property, edge.entities)
  }

  private mutating func compare(
    _ from: Attribute,
    at property: Property,
    _ to: Attribute,
    at subject: Property,
    _ entities: [String]
  ) {
    if case .composite(let leaves) = from.type, case .composite(let others) = to.type {
      compareLeaves(leaves, at: property, others, at: subject, entities)
    }
    compareValues(from, at: property, to, at: subject, entities)
    compareDetails(from, to, at: subject)
  }

  /// Adds the changes that affect values in a store.
  private mutating func compareValues(
    _ from: Attribute,
    at property: Property,
    _ to: Attribute,
    at subject: Property,
    _ entities: [String]
  ) {
    let (name, scope) = (subject.description, scope(entities, of: subject))
    guard from.isStored, to.isStored else {
      if from.isStored {
        let text = "is no longer stored"
        add(.transientChanged, name, text + scope, loss(of: property, entities))
      } else if to.isStored {
        let question = newValue(to, entities)
        let text = "is now stored" + scope
        if let question {
          add(.transientChanged, name, text, question)
        } else {
          add(.transientChanged, name, text, .inferred)
        }
      } else if from.type.name != to.type.name || from.isOptional != to.isOptional {
        add(.typeChanged, name, "is transient, with a different type", .inferred)
      }
      return
    }
    if from.type.name != to.type.name {
      compareTypes(from, at: property, to, at: subject, entities)
    }
    if from.isOptional != to.isOptional {
      if to.isOptional {
        add(.requiredToOptional, name, "no longer requires a value\(scope)", .inferred)
      } else if to.hasDefault || to.isDerived {
        add(
          .optionalToRequired,
          name,
          "is now required\(scope), with a default value",
          DataQuestion(.value(property, isMissing: true), of: entities, none: .inferred, some: .inferred)
        )
      } else {
        add(
          .optionalToRequired,
          name,
          "is now required\(scope), without a default value",
          DataQuestion(.value(property, isMissing: true), of: entities, none: .beyondCoreData, some: .mapping)
        )
      }
    }
  }

  private mutating func compareTypes(
    _ from: Attribute,
    at property: Property,
    _ to: Attribute,
    at subject: Property,
    _ entities: [String]
  ) {
    let text = "is \(to.type.name) instead of \(from.type.name)" + scope(entities, of: subject)
    switch TypeConversion(from.type, to.type) {
    case .always:
      add(.typeChanged, subject.description, text, .beyondCoreData)
    case .byValue:
      add(
        .typeChanged,
        subject.description,
        text,
        DataQuestion(
          .unfitValue(property, from: from.type.name, to: to.type.name),
          of: entities,
          none: .beyondCoreData,
          some: .mapping
        )
      )
    case .never:
      add(
        .typeChanged,
        subject.description,
        text,
        DataQuestion(.foreignValue(property, to: to.type.name), of: entities, none: .beyondCoreData, some: .mapping)
      )
    }
  }

  /// Adds the changes of an attribute that affect no value.
  private mutating func compareDetails(_ from: Attribute, _ to: Attribute, at subject: Property) {
    let name = subject.description
    if from.derivation != to.derivation {
      let text =
        switch (from.derivation, to.derivation) {
        case (nil, _): "is now derived from other values"
        case (_, nil): "is no longer derived from other values"
        case (_, _): "is derived differently"
        }
      add(.derivationChanged, name, text, .inferred)
    }
    if from.allowsExternalStorage != to.allowsExternalStorage {
      add(
        .externalStorageChanged,
        name,
        to.allowsExternalStorage
          ? "large values may be in external files" : "values are no longer in external files",
        .inferred
      )
    }
    if from.versionHashModifier != to.versionHashModifier {
      add(.versionHashModifierChanged, name, ModelComparison.modifierText, .inferred)
    }
    if from.valueTransformer != to.valueTransformer {
      add(.transformerChanged, name, "uses a different transformer", .nothing)
    }
    if from.defaultValue != to.defaultValue, from.type.name == to.type.name {
      add(.defaultChanged, name, "has a different default value", .nothing)
    }
    if from.rules != to.rules, from.type.name == to.type.name {
      add(.validationChanged, name, "has different rules for its values", .nothing)
    }
    if from.isIndexed != to.isIndexed {
      add(.indexChanged, name, to.isIndexed ? "is indexed" : "is no longer indexed", .nothing)
    }
    if from.userInfo != to.userInfo {
      add(.userInfoChanged, name, "different user info", .nothing)
    }
  }

  private mutating func compareLeaves(
    _ leaves: [Attribute],
    at property: Property,
    _ others: [Attribute],
    at subject: Property,
    _ entities: [String]
  ) {
    let pairs = Renaming.pairs(leaves, others)
    for (position, leaf) in others.enumerated() {
      let place = Property(subject.entity, "\(subject.name).\(leaf.name)")
      guard let found = pairs[position] else {
        addAttribute(leaf, at: place, to: entities)
        continue
      }
      let earlier = Property(property.entity, "\(property.name).\(leaves[found].name)")
      if leaves[found].name != leaf.name {
        add(.attributeRenamed, place.description, "was called \(leaves[found].name)", .inferred)
      }
      compare(leaves[found], at: earlier, leaf, at: place, entities)
    }
    let kept = Set(pairs.values)
    for (position, leaf) in leaves.enumerated() where !kept.contains(position) {
      let place = Property(property.entity, "\(property.name).\(leaf.name)")
      removeAttribute(leaf, at: place, from: entities)
    }
  }

  // MARK: Added and removed

  /// Adds an attribute that objects of `entities` did not have.
  mutating func addAttribute(_ new: ModelMatching.Declared<Attribute>, to entities: [String]) {
    addAttribute(new.part, at: new.property, to: entities)
  }

  private mutating func addAttribute(_ attribute: Attribute, at place: Property, to entities: [String]) {
    let scope = scope(entities, of: place)
    guard attribute.isStored, let question = newValue(attribute, entities) else {
      let kind =
        if !attribute.isStored {
          "new, and never stored"
        } else if attribute.isDerived {
          "new, and derived from other values"
        } else {
          attribute.isOptional ? "new, and optional" : "new, with a default value"
        }
      return add(.attributeAdded, place.description, kind + scope, .inferred)
    }
    add(.attributeAdded, place.description, "new, required, without a default value\(scope)", question)
  }

  /// Adds an attribute that objects of `entities` no longer have.
  mutating func removeAttribute(_ old: ModelMatching.Declared<Attribute>, from entities: [String]) {
    removeAttribute(old.part, at: old.property, from: entities)
  }

  private mutating func removeAttribute(_ attribute: Attribute, at place: Property, from entities: [String]) {
    let text = "removed" + lostScope(entities, of: place)
    guard attribute.isStored, !attribute.isDerived else {
      let reason = attribute.isStored ? "it was derived from others" : "it was never stored"
      return add(.attributeRemoved, place.description, "\(text); \(reason)", .inferred)
    }
    add(.attributeRemoved, place.description, text, loss(of: place, entities))
  }

  /// Names the entities that lost a property of the source, if other entities keep it.
  func lostScope(_ entities: [String], of property: Property) -> String {
    let all = source.family(of: property.entity).map(\.name)
      .filter { matching.destination(of: $0) != nil }
    return Set(all) == Set(entities) ? "" : " from \(entities.joined(separator: ", "))"
  }

  /// Returns the question that decides whether objects of `entities` can get an attribute; `nil` if they always can.
  private func newValue(_ attribute: Attribute, _ entities: [String]) -> DataQuestion? {
    guard !attribute.isOptional, !attribute.hasDefault, !attribute.isDerived else { return nil }
    if case .composite = attribute.type { return nil }
    return DataQuestion(.presence(.value), of: entities, none: .beyondCoreData, some: .mapping)
  }

  private func loss(of property: Property, _ entities: [String]) -> DataQuestion {
    DataQuestion(.value(property, isMissing: false), of: entities, none: .inferred, some: .inferred)
  }
}

extension Attribute {
  fileprivate var hasDefault: Bool { defaultValue.map { $0 != .null } ?? false }
}
