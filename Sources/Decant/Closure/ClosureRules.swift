/// Settles what is taken along which links: the user's rules, and the defaults for all others.
struct ClosureRules {
  let rules: [CopyOptions.Rule]
  let model: Model
  /// The store, as the user named it.
  let place: String

  /// Returns `paths` with their rules.
  ///
  /// - Parameter paths: All directions, each with its default.
  /// - Returns: The same directions in the same order.
  /// - Throws: `DecantError` with code `.usage` for a rule of no relationship, for two rules that contradict
  ///   each other, and for one that cannot be followed.
  func settle(_ paths: [LinkPath]) throws(DecantError) -> [LinkPath] {
    var settled = paths
    var said: [Int: ClosureRule] = [:]
    for rule in rules {
      let meant = paths.indices.filter { paths[$0].isCalled(rule.relationship) }
      guard let first = meant.first else {
        if isUnstored(rule.relationship) { continue }
        throw unknown(rule, paths)
      }
      for index in meant {
        if let other = said[index], other != rule.rule {
          throw DecantError(
            .usage,
            "\(rule.relationship) has two rules, \(other.rawValue) and \(rule.rule.rawValue)",
            place: text(of: rule),
            remedy: "say one of them"
          )
        }
        if let reason = paths[index].reason, rule.rule != paths[index].rule {
          throw DecantError(
            .usage,
            "\(paths[first].name) can only be \(paths[index].rule.rawValue): \(reason)",
            place: text(of: rule),
            remedy: "leave the rule away, or choose objects with --where"
          )
        }
        said[index] = rule.rule
        settled[index].rule = rule.rule
      }
    }
    return settled
  }

  /// Whether the model has a relationship of this name, of which a store holds nothing.
  private func isUnstored(_ name: String) -> Bool {
    model.entities.contains { entity in
      entity.relationships.contains { "\(entity.name).\($0.name)" == name }
    }
  }

  private func text(of rule: CopyOptions.Rule) -> String {
    "--rule '\(rule.relationship)=\(rule.rule.rawValue)'"
  }

  private func unknown(_ rule: CopyOptions.Rule, _ paths: [LinkPath]) -> DecantError {
    let names = paths.map(\.name.description)
    let entity = rule.relationship.prefix { $0 != "." }
    let own = names.filter { $0.hasPrefix(entity + ".") }
    let remedy =
      if let near = rule.relationship.nearest(in: names) {
        "did you mean \(near)?"
      } else if names.isEmpty {
        "it has no relationships"
      } else {
        "there are \((own.isEmpty ? names : own).sorted().joined(separator: ", "))"
      }
    return DecantError(
      .usage,
      "there is no relationship \(rule.relationship) in “\(place)”",
      place: text(of: rule),
      remedy: remedy
    )
  }
}

extension LinkPath {
  /// Whether a rule that names `name` means this direction.
  fileprivate func isCalled(_ name: String) -> Bool {
    self.name.description == name || aliases.contains { $0.description == name }
  }
}
