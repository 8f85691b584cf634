internal import DecantBase

extension ModelComparison {
  /// Adds what changed in a relationship that both models have.
  mutating func compareRelationships(_ edge: PropertyFlow<Relationship>.Edge) {
    let (from, to) = (edge.source.part, edge.destination.part)
    let place = edge.destination.property
    let (subject, scope) = (place.description, scope(edge.entities, of: place))
    if from.name != to.name {
      add(.relationshipRenamed, subject, "was called \(from.name)\(scope)", .inferred)
    }
    if matching.destination(of: edge.source.entity) != edge.destination.entity {
      add(
        .relationshipMoved,
        subject,
        "was declared by \(former(edge.source.entity, besides: edge.destination.entity))",
        .inferred
      )
    }
    if from.isTransient != to.isTransient {
      if to.isTransient {
        add(.transientChanged, subject, "is no longer stored", lostLinks(edge.source, edge.entities))
      } else {
        add(.transientChanged, subject, "is now stored", .inferred)
      }
    }
    if !from.isTransient, !to.isTransient { compareLinks(edge, scope) }
    compareDetails(from, to, at: subject)
  }

  /// Adds the changes that affect links in a store.
  private mutating func compareLinks(_ edge: PropertyFlow<Relationship>.Edge, _ scope: String) {
    let (from, to) = (edge.source.part, edge.destination.part)
    let (property, subject) = (edge.source.property, edge.destination.property.description)
    if from.isToMany != to.isToMany {
      if to.isToMany {
        let text = "is to-many instead of to-one\(scope)"
        if parts(edge) {
          add(.toOneToMany, subject, text, shared(edge))
        } else {
          add(.toOneToMany, subject, text, .inferred)
        }
      } else {
        add(
          .toManyToOne,
          subject,
          "is to-one instead of to-many\(scope)",
          DataQuestion(.links(property, moreThan: 1), of: edge.entities, none: .beyondCoreData, some: .mapping)
        )
      }
    } else if from.isToMany, from.isOrdered != to.isOrdered {
      add(
        .orderingChanged,
        subject,
        to.isOrdered ? "is now ordered" : "is no longer ordered",
        .inferred
      )
    }
    compareDestinations(edge, scope)
    compareBounds(edge, scope)
  }

  /// Returns whether a target may have had several owners, may now have only one, and no other change reports this.
  ///
  /// If the former inverse still exists, its own change reports it.
  private func parts(_ edge: PropertyFlow<Relationship>.Edge) -> Bool {
    let (from, to) = (edge.source.part, edge.destination.part)
    let inverse = destination.inverse(of: to)
    guard inverse.map({ !$0.isToMany }) ?? to.isToMany else { return false }
    let back = source.inverse(of: from)
    let mayShare = back.map(\.isToMany) ?? !from.isToMany
    return mayShare && (back == nil || to.inverse == nil || heir(ofInverse: from, to) != to.inverse)
  }

  private func shared(_ edge: PropertyFlow<Relationship>.Edge) -> DataQuestion {
    DataQuestion(.shared(edge.source.property), of: edge.entities, none: .inferred, some: .mapping)
  }

  private mutating func compareDestinations(_ edge: PropertyFlow<Relationship>.Edge, _ scope: String) {
    let (from, to) = (edge.source.part, edge.destination.part)
    let subject = edge.destination.property.description
    let heir = matching.destination(of: from.destination)
    guard heir != to.destination else {
      compareInverses(edge, at: subject)
      return
    }
    let text = "points to \(exchange(from.destination, for: to.destination))\(scope)"
    if let heir, destination.lineage(of: heir).contains(where: { $0.name == to.destination }) {
      // The new destination includes every possible target.
      return add(.destinationChanged, subject, text, .beyondCoreData)
    }
    add(
      .destinationChanged,
      subject,
      text,
      DataQuestion(
        .stray(edge.source.property, outside: matching.sources(ofFamily: to.destination)),
        of: edge.entities,
        none: .beyondCoreData,
        some: .mapping
      )
    )
  }

  private mutating func compareInverses(_ edge: PropertyFlow<Relationship>.Edge, at subject: String) {
    let (from, to) = (edge.source.part, edge.destination.part)
    let heir = heir(ofInverse: from, to)
    guard heir != to.inverse || (heir == nil) != (from.inverse == nil) else { return }
    let text =
      switch (from.inverse, to.inverse) {
      case (nil, let new?): "now has the inverse \(new)"
      case (let old?, nil): "no longer has the inverse \(old)"
      case (let old, let new): "has the inverse \(new ?? "none") instead of \(old ?? "none")"
      }
    // The change to to-many has already checked this.
    guard from.isToMany || !to.isToMany, parts(edge) else {
      return add(.inverseChanged, subject, text, .inferred)
    }
    add(.inverseChanged, subject, text, shared(edge))
  }

  /// Returns the later name of the relationship's former inverse, if it still exists.
  private func heir(ofInverse from: Relationship, _ to: Relationship) -> String? {
    from.inverse.flatMap { inverse in
      matching.relationships(from.destination, to.destination).common
        .first { $0.source.part.name == inverse }?.destination.part.name
    }
  }

  private mutating func compareBounds(_ edge: PropertyFlow<Relationship>.Edge, _ scope: String) {
    let (from, to) = (edge.source.part, edge.destination.part)
    let (property, subject) = (edge.source.property, edge.destination.property.description)
    if from.isOptional != to.isOptional {
      if to.isOptional {
        add(.requiredToOptional, subject, "no longer requires a target\(scope)", .inferred)
      } else if to.isToMany {
        // The count bounds define how many links are too few.
        add(.optionalToRequired, subject, "is no longer optional\(scope)", .inferred)
      } else {
        add(
          .optionalToRequired,
          subject,
          "requires a target\(scope)",
          DataQuestion(.link(property, isMissing: true), of: edge.entities, none: .beyondCoreData, some: .mapping)
        )
      }
    }
    guard from.isToMany, to.isToMany,
      (from.minCount, from.maxCount) != (to.minCount, to.maxCount)
    else { return }
    let text = "may have \(to.boundsText) links instead of \(from.boundsText)\(scope)"
    if to.maxCount > 0, from.maxCount == 0 || to.maxCount < from.maxCount {
      add(
        .countBoundsChanged,
        subject,
        text,
        DataQuestion(.links(property, moreThan: to.maxCount), of: edge.entities, none: .inferred, some: .mapping)
      )
    } else {
      add(.countBoundsChanged, subject, text, .inferred)
    }
  }

  /// Adds the changes of the relationship that affect no link.
  private mutating func compareDetails(_ from: Relationship, _ to: Relationship, at subject: String) {
    if from.deleteRule != to.deleteRule {
      // The delete rule changes no data, but it is part of the version hash, so Core Data requires a migration.
      add(
        .deleteRuleChanged,
        subject,
        "has the delete rule \(to.deleteRule.rawValue) instead of \(from.deleteRule.rawValue)",
        .inferred
      )
    }
    if from.versionHashModifier != to.versionHashModifier {
      add(.versionHashModifierChanged, subject, ModelComparison.modifierText, .inferred)
    }
    if from.userInfo != to.userInfo {
      add(.userInfoChanged, subject, "different user info", .nothing)
    }
  }

  // MARK: Added and removed

  /// Adds a relationship that objects of `entities` did not have.
  mutating func addRelationship(_ new: ModelMatching.Declared<Relationship>, to entities: [String]) {
    let (relationship, scope) = (new.part, scope(entities, of: new.property))
    let name = new.property.description
    guard !relationship.isOptional, !relationship.isToMany, !relationship.isTransient else {
      let text = relationship.isToMany ? "new, and to-many" : "new, and optional"
      return add(.relationshipAdded, name, text + scope, .inferred)
    }
    add(
      .relationshipAdded,
      name,
      "new, and requires a target\(scope)",
      DataQuestion(.presence(.link), of: entities, none: .beyondCoreData, some: .mapping)
    )
  }

  /// Adds a relationship that objects of `entities` no longer have.
  mutating func removeRelationship(_ old: ModelMatching.Declared<Relationship>, from entities: [String]) {
    let text = "removed" + lostScope(entities, of: old.property)
    guard !old.part.isTransient else {
      let name = old.property.description
      return add(.relationshipRemoved, name, "\(text); it was never stored", .inferred)
    }
    if let heir = keeper(of: old) {
      let name = old.property.description
      return add(.relationshipRemoved, name, "\(text); \(heir) holds the links", .inferred)
    }
    add(.relationshipRemoved, old.property.description, text, lostLinks(old, entities))
  }

  /// Returns the property that keeps the links of a removed relationship: its former inverse, if that still exists.
  private func keeper(of old: ModelMatching.Declared<Relationship>) -> Property? {
    guard let inverse = old.part.inverse,
      let heir = matching.destination(of: old.part.destination)
    else { return nil }
    return matching.relationships(old.part.destination, heir).common
      .first { $0.source.part.name == inverse && !$0.destination.part.isTransient }?
      .destination.property
  }

  private func lostLinks(_ old: ModelMatching.Declared<Relationship>, _ entities: [String]) -> DataQuestion {
    DataQuestion(.link(old.property, isMissing: false), of: entities, none: .inferred, some: .inferred)
  }
}

extension Relationship {
  fileprivate var boundsText: String {
    switch (minCount, maxCount) {
    case (0, 0): "any number of"
    case (let least, 0): "\(least) or more"
    case (let least, let most): "\(least) to \(most)"
    }
  }
}
