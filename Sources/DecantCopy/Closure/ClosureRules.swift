internal import DecantBase
internal import DecantPlan

/// Assigns a rule to each direction of links: the user's rules, and defaults for all others.
struct ClosureRules {
  let rules: [CopyOptions.Rule]
  let model: Model
  /// The entities, as used by conditions.
  let views: EntityViews
  /// The store, as given by the user.
  let place: String

  /// Returns `paths` with their rules.
  ///
  /// - Parameter paths: All directions, each with its default.
  /// - Returns: The same directions in the same order.
  /// - Throws: `DecantError` of the family `.usage` for a rule without a relationship, for contradictory rules, for a
  ///   rule that cannot be followed, and for a condition that does not compile.
  func settle(_ paths: [LinkPath]) throws(DecantError) -> [LinkPath] {
    var settled = paths
    var said: [Int: CopyOptions.Rule] = [:]
    for rule in rules {
      let meant = paths.indices.filter { paths[$0].isCalled(rule.relationship) }
      guard let first = meant.first else {
        if isUnstored(rule.relationship) { continue }
        throw unknown(rule, paths)
      }
      for index in meant {
        if let other = said[index], !other.agrees(with: rule) {
          throw DecantError(
            .conflictingOptions,
            "\(rule.relationship) has two conflicting rules, \(other.word) and \(rule.word)",
            place: text(of: rule),
            remedy: "use only one of them"
          )
        }
        if let reason = paths[index].reason, rule.rule != paths[index].rule || rule.isBounded {
          throw DecantError(
            .unsuitableOption,
            "\(paths[first].name) can only be \(paths[index].rule.rawValue)"
              + "\(rule.isBounded ? ", without bounds" : ""): \(reason)",
            place: text(of: rule),
            remedy: "remove the rule, or select objects with \(say: .where)"
          )
        }
        said[index] = rule
        settled[index].rule = rule.rule
        // A link that the user asks to follow is followed from every object, and brings whole objects.
        (settled[index].isToParts, settled[index].isToOwner) = (false, false)
        settled[index].depth = rule.depth
        settled[index].condition = try condition(of: rule, paths[index])
      }
    }
    return settled
  }

  /// Returns whether the model has a relationship of this name that stores do not hold.
  private func isUnstored(_ name: String) -> Bool {
    model.entities.contains { entity in
      entity.relationships.contains { "\(entity.name).\($0.name)" == name }
    }
  }

  /// Returns the checked condition of the objects that `path` leads to.
  private func condition(of rule: CopyOptions.Rule, _ path: LinkPath) throws(DecantError) -> LinkCondition? {
    guard rule.isBounded else { return nil }
    guard rule.rule == .follow else {
      throw DecantError(
        .conflictingOptions,
        "a condition or a depth applies only to a relationship that is followed, but \(rule.relationship) has the rule \(rule.rule.rawValue)",
        place: text(of: rule),
        remedy: "remove them, or use the rule follow"
      )
    }
    guard let text = rule.condition else { return nil }
    let entity = target(of: path)
    do throws(Expression.Mistake) {
      return LinkCondition(
        entity: entity,
        entities: model.family(of: entity).map(\.name),
        expression: try Expression(text, over: entity, views: views).text
      )
    } catch {
      throw DecantError(
        error.code,
        "cannot use the condition of \(rule.relationship) “\(text)”: \(error.message)",
        place: rule.conditionPlace.map { "\($0)" } ?? self.text(of: rule),
        remedy: error.remedy.map { "\($0)" },
        remedies: error.remedies
      )
    }
  }

  /// Returns the entity that the links of `path` lead to.
  private func target(of path: LinkPath) -> String {
    let name = path.name
    let relationship = model[name.property.entity]?.relationships
      .first { $0.name == name.property.name }
    let entity = name.isInverse ? name.property.entity : relationship?.destination
    guard let entity, views[entity] != nil else { return path.to }
    return entity
  }

  private func text(of rule: CopyOptions.Rule) -> DecantError.Text {
    rule.place.map { "\($0)" } ?? "\(option: .rule, "\(rule.relationship)=\(rule.rule.rawValue)")"
  }

  private func unknown(_ rule: CopyOptions.Rule, _ paths: [LinkPath]) -> DecantError {
    let names = paths.map(\.name.description)
    let entity = rule.relationship.prefix { $0 != "." }
    let own = names.filter { $0.hasPrefix(entity + ".") }
    let remedy: DecantError.Text =
      if let near = rule.relationship.nearest(in: names) {
        "did you mean \(near)?"
      } else if names.isEmpty {
        "it has no relationships"
      } else {
        "its relationships are \((own.isEmpty ? names : own).sorted().joined(separator: ", "))"
      }
    return DecantError(
      .unknownName,
      "there is no relationship \(rule.relationship) in “\(place)”",
      place: text(of: rule),
      remedy: remedy,
      remedies: [.correctName(rule.relationship, among: names)]
    )
  }
}

extension LinkPath {
  /// Returns whether a rule with the name `name` applies to this direction.
  fileprivate func isCalled(_ name: String) -> Bool {
    self.name.description == name || aliases.contains { $0.description == name }
  }
}
