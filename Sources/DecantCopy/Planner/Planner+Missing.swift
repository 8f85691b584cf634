internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// The rules for links with a missing target, as far as the stores support them.
extension Planner {
  /// Determines the rules.
  ///
  /// - Parameter closure: The selection, if not everything is copied.
  /// - Returns: The rules of relationships whose links the destination holds.
  /// - Throws: `DecantError` of the family `.usage` for a rule without a relationship, and for an unsupported rule.
  func missingRules(_ closure: ClosurePlan?) throws(DecantError) -> MissingRules {
    var rules = MissingRules(general: options.missingDefault)
    if source.mapped == nil, rules.general == .stub || options.missing.values.contains(.stub) {
      throw DecantError(
        .missingOption,
        "empty target objects can only be created with a mapping",
        place: "missing: stub",
        remedy: "use a mapping file: \(say: .mapping)"
      )
    }
    for (name, rule) in options.missing.sorted(by: { $0.key < $1.key }) {
      let places = self.places(of: name)
      guard !places.isEmpty else {
        if rule == .null, isDeclared(name) { continue }
        throw unstored(name)
      }
      if rule == .reject, places.contains(where: { !$0.canReject }) {
        throw mistake(
          in: name,
          "the links of \(name) are in a separate table or a table without a key, so no object can be rejected for them",
          remedy: "use null, which drops only the links, or error"
        )
      }
      rules.said[name] = rule
    }
    // A plain database enforces this itself.
    if !destination.model.isFromTables {
      for entity in destination.model.entities {
        for relationship in entity.relationships
        where !relationship.isToMany && !relationship.isOptional && !relationship.isTransient {
          let name = "\(entity.name).\(relationship.name)"
          if rules.said[name] == nil { rules.required.insert(name) }
        }
      }
    }
    // A copy that only refers to an object stores its identity, by which it is linked in the other store.
    if options.tellsReferences, !options.hidesValues {
      for property in closure?.references ?? [] where rules.rule(of: property) == .stub {
        rules.said[property.description] = .null
      }
    }
    return rules
  }

  /// Returns where links of the relationship are stored, and whether a dangling link can reject its object.
  private func places(of name: String) -> [(property: Property, canReject: Bool)] {
    let layout = destination.layout
    let columns = layout.relations.flatMap { relation in
      let canReject = relation.stepKind != .unkeyed(root: relation.root, key: [])
      return relation.columns.compactMap(\.columnRole.link).map { ($0, canReject) }
    }
    let tables = layout.links.filter(\.isTable).flatMap { link in
      [link.relationship, link.inverse].compactMap(\.self).map { ($0, false) }
    }
    return (columns + tables).filter { $0.0.description == name }
  }

  private func isDeclared(_ name: String) -> Bool {
    destination.model.entities.contains { entity in
      entity.relationships.contains { "\(entity.name).\($0.name)" == name }
    }
  }

  /// Returns the error for a rule for a relationship whose links the destination does not hold.
  private func unstored(_ name: String) -> DecantError {
    let model = destination.model
    if destination.layout.nonIntegerKeys.contains(where: { $0.relationship.description == name }) {
      return mistake(
        in: name,
        "\(name) is a foreign key whose values are always copied unchanged",
        remedy: "remove its “missing”"
      )
    }
    for entity in model.entities {
      for relationship in model.relationships(of: entity.name)
      where "\(entity.name).\(relationship.name)" == name {
        let inverse = relationship.inverse.map { "\(relationship.destination).\($0)" }
        if let inverse, !places(of: inverse).isEmpty {
          return mistake(in: name, "the links of \(name) are stored by its inverse", remedy: "set it for \(inverse)")
        }
        let declaring = model.lineage(of: entity.name).first { other in
          !places(of: "\(other.name).\(relationship.name)").isEmpty
        }
        if let declaring {
          return mistake(
            in: name,
            "\(declaring.name) declares \(relationship.name), for all its child entities",
            remedy: "set it for \(declaring.name).\(relationship.name)"
          )
        }
        return mistake(
          in: name,
          "“\(destination.identity.place)” holds no links of \(name)",
          remedy: "remove its “missing”"
        )
      }
    }
    let names = destination.layout.relations.flatMap { $0.columns.compactMap(\.columnRole.link) }
    return mistake(
      in: name,
      "there is no relationship \(name) in “\(destination.identity.place)”",
      remedy: name.remedy(among: Set(names.map(\.description)).sorted(), of: "relationships"),
      code: .unknownName,
      remedies: [.correctName(name, among: Set(names.map(\.description)).sorted())]
    )
  }

  private func mistake(
    in name: String,
    _ message: String,
    remedy: String,
    code: DecantError.Code = .unsuitableOption,
    remedies: [DecantError.Remedy]? = nil
  ) -> DecantError {
    guard let mapping = options.mapping,
      let rule = mapping.relationships.first(where: { $0.name.text == name && $0.missing != nil })
    else {
      return DecantError(code, message, place: "missing of \(name)", remedy: remedy, remedies: remedies)
    }
    return mapping.mistake(message, at: rule.name.mark, remedy: remedy, code: code, remedies: remedies)
  }
}
