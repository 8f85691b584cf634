internal import DecantBase
internal import DecantPlan

/// The rules for links.
extension MappingReader {
  /// Reads `relationships`.
  mutating func readRelationships(_ relationships: Member) throws(DecantError) {
    for member in try map(relationships) { mapping.relationships.append(try rule(member)) }
  }

  private func rule(_ relationship: Member) throws(DecantError) -> Mapping.RelationshipRule {
    let key = relationship.key
    let inverse = LinkDirection.inverseMark
    if key.text.hasPrefix(inverse) {
      _ = try path(Word(String(key.text.dropFirst(inverse.count)), key.mark), "relationship")
    }
    var rule = Mapping.RelationshipRule(try path(key, "relationship"))
    guard case .map(let members) = relationship.value.content else {
      rule.rule = try closureRule(relationship)
      return rule
    }
    let said = try self.members(members, by: MappingKeys.Relationship.self)
    for (key, member) in said {
      switch key {
      case .rule: rule.rule = try closureRule(member)
      case .missing: rule.missing = try missing(member)
      case .depth: rule.depth = try depth(member)
      case .where: rule.condition = try expression(member)
      }
    }
    try check(rule, said)
    return rule
  }

  private func closureRule(_ member: Member) throws(DecantError) -> ClosureRule {
    try word(member, as: ClosureRule.self, "rule")
  }

  private func depth(_ member: Member) throws(DecantError) -> Int {
    let depth = try count(member)
    guard depth > 0 else {
      throw mapping.mistake(
        "“depth” must be at least 1",
        at: member.value.mark,
        remedy: "write rule: stop to copy none of them"
      )
    }
    return Int(depth)
  }

  /// Throws if settings for followed targets contradict a rule that follows none.
  private func check(
    _ rule: Mapping.RelationshipRule,
    _ said: [(key: MappingKeys.Relationship, member: Member)]
  ) throws(DecantError) {
    guard let word = rule.rule, word != .follow else { return }
    for (key, member) in said where key == .depth || key == .where {
      throw mapping.mistake(
        "\(member.key.quoted) only applies to the rule follow, but the rule is \(word.rawValue)",
        at: member.key.mark,
        remedy: "remove it, or write rule: follow"
      )
    }
  }
}
