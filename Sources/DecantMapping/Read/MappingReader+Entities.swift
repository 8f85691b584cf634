internal import DecantBase
internal import DecantPlan

/// The rules for objects of the destination's entities.
extension MappingReader {
  /// Reads `entities`.
  mutating func readEntities(_ entities: Member) throws(DecantError) {
    for member in try map(entities) {
      guard case .list(let rules) = member.value.content else {
        mapping.entities.append(try rule(member))
        continue
      }
      guard !rules.isEmpty else {
        throw mapping.mistake(
          "\(member.key.quoted): the list is empty",
          at: member.value.mark,
          remedy: "write a rule for it, or remove it"
        )
      }
      for rule in rules {
        mapping.entities.append(try self.rule(Member(key: member.key, value: rule)))
      }
    }
  }

  private func rule(_ entity: Member) throws(DecantError) -> Mapping.EntityRule {
    var rule = Mapping.EntityRule(entity.key)
    for (key, member) in try members(of: entity, by: MappingKeys.Entity.self) {
      switch key {
      case .from: rule.sources = try sources(member)
      case .where: rule.condition = try expression(member)
      case .identity: rule.identity = try names(member, isFilled: true)
      case .generate: rule.generated = try generated(member)
      case .merge: rule.merge = try merge(member)
      case .set: rule.settings = try settings(member)
      case .drop: rule.dropped = try names(member)
      case .anonymize: rule.anonymized = try anonymized(member)
      }
    }
    try check(rule)
    return rule
  }

  private func sources(_ member: Member) throws(DecantError) -> [Word] {
    switch member.value.content {
    case .list: return try names(member, isFilled: true)
    case .map: throw wrongKind(member, "a name or a list")
    case .text:
      guard !member.value.isNothing else { throw wrongKind(member, "a name or a list") }
      return [try name(member.value, for: member.key)]
    }
  }

  /// Throws if two parts of a rule contradict each other, with the position of the later one.
  private func check(_ rule: Mapping.EntityRule) throws(DecantError) {
    for generated in rule.generated {
      let name = generated.attribute
      guard let setting = rule.settings.first(where: { $0.property.text == name.text }) else {
        continue
      }
      let isLater = name.mark.isAfter(setting.property.mark)
      throw mapping.mistake(
        "\(name.quoted) is both set and generated",
        at: isLater ? name.mark : setting.property.mark,
        remedy: "remove one of them"
      )
    }
    for name in rule.dropped {
      guard let setting = rule.settings.first(where: { $0.value.text == name.text }) else {
        continue
      }
      let isLater = name.mark.isAfter(setting.value.mark)
      throw mapping.mistake(
        "\(name.quoted) is dropped, but \(setting.property.quoted) is set from it",
        at: isLater ? name.mark : setting.value.mark,
        remedy: "remove one of them: a property that is read cannot be dropped"
      )
    }
  }
}

extension Mapping.Mark {
  /// Returns whether this position is after `other` in the file.
  func isAfter(_ other: Mapping.Mark) -> Bool {
    (line, column) > (other.line, other.column)
  }
}
