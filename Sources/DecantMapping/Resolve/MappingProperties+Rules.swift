internal import DecantBase
internal import DecantPlan

/// Restrictions on the rules of entities.
extension MappingProperties {
  /// Throws if an identifier depends on itself, directly or indirectly.
  func checkCycles(_ rule: Mapping.EntityRule) throws(DecantError) {
    var known: Set<String> = []
    for made in rule.generated {
      try follow(made, [], rule, &known)
    }
  }

  /// Follows the dependencies of `made`; `path` leads to it, and `known` names are free of cycles.
  private func follow(
    _ made: Mapping.Generated,
    _ path: [String],
    _ rule: Mapping.EntityRule,
    _ known: inout Set<String>
  ) throws(DecantError) {
    let name = made.attribute.text
    guard !known.contains(name), case .content(let words) = made.generator else { return }
    let path = path + [name]
    for word in words {
      if let start = path.firstIndex(of: word.text) {
        let cycle = path[start...] + [word.text]
        throw mapping.mistake(
          "\(rule.name.text).\(word.text) depends on itself: \(cycle.joined(separator: " of "))",
          at: word.mark,
          remedy: "build it from other attributes, or use uuid5 alone"
        )
      }
      for other in rule.generated where other.attribute.text == word.text {
        try follow(other, path, rule, &known)
      }
    }
    known.insert(name)
  }

  /// Throws if a rule defines links that another one drops in the other direction.
  func checkNotDropped(_ rule: Mapping.EntityRule, _ part: MappedPart) throws(DecantError) {
    // Generated settings are consistent.
    for setting in rule.settings where setting.value.mark != .start {
      guard
        let (_, relationship) = destination.relationship(setting.property.text, of: part.entity),
        let name = setting.value.text.plainName,
        let (declared, own) = source.relationship(name, of: part.source),
        let (back, _) = source.inverse(of: own)
      else { continue }
      let others = source.model.family(of: own.destination).map(\.name)
      let made = destination.model.family(of: relationship.destination).map(\.name)
      for other in mapping.entities where made.contains(other.name.text) {
        let sources = other.sources.isEmpty ? [other.name.text] : other.sources.map(\.text)
        guard sources.contains(where: others.contains),
          let dropped = other.dropped.first(where: { $0.text == back.name })
        else { continue }
        throw mapping.mistake(
          "\(back) is dropped, and \(part.entity).\(setting.property.text) is set to \(declared), "
            + "which holds the same links from the other end",
          at: dropped.mark,
          remedy: "remove one of them: a property that is read cannot be dropped"
        )
      }
    }
  }

  /// Throws if a rule needs to know which of two objects was changed later, and nothing shows it.
  func checkTime(_ rule: Mapping.EntityRule, _ part: MappedPart) throws(DecantError) {
    guard let merge = rule.merge, merge.policy == .newest else { return }
    var rules = MergeRules(.newest)
    rules.rules[part.entity] = merge.rule
    let names = destination.attributeNames(of: part.entity).filter {
      MergeRules.canTellTime($0, of: part.entity, in: destination.model)
    }
    guard let time = rules.time(of: part.entity, in: destination.model) else {
      throw mapping.mistake(
        "no attribute is known to hold the time when a \(part.entity) was last changed",
        at: merge.mark,
        remedy: names.isEmpty
          ? "it has no dates and no numbers: use another policy"
          : "add by: { policy: newest, by: … }, with one of "
            + names.sorted().joined(separator: ", ")
      )
    }
    guard let by = merge.by, !names.contains(time.name) else { return }
    throw mapping.mistake(
      "\(part.entity).\(time.name) is neither a date nor a number, so it cannot be compared by time",
      at: by.mark,
      remedy: names.isEmpty
        ? "it has no dates and no numbers: use another policy"
        : "use one of \(names.sorted().joined(separator: ", "))"
    )
  }
}
