internal import DecantBase
internal import DecantPlan

/// The contract on losses, and the defaults.
extension MappingReader {
  /// Reads `contract`.
  mutating func readContract(_ contract: Member) throws(DecantError) {
    for (key, member) in try members(of: contract, by: MappingKeys.Contract.self) {
      let loss = try word(member, as: Mapping.Loss.self, "contract")
      switch key {
      case .entities: mapping.contract.entities = loss
      case .attributes: mapping.contract.attributes = loss
      }
    }
  }

  /// Reads `defaults`.
  mutating func readDefaults(_ defaults: Member) throws(DecantError) {
    for (key, member) in try members(of: defaults, by: MappingKeys.Defaults.self) {
      switch key {
      case .merge: mapping.defaults.merge = try merge(member)
      case .missing:
        mapping.defaults.missing = try missing(member)
        mapping.defaults.missingMark = member.value.mark
      case .duplicates:
        mapping.defaults.duplicates = try word(
          member, as: MergeRules.Duplicates.self, "rule for duplicates", without: .merge)
      case .rejects: try readRejects(member)
      }
    }
  }

  /// Returns the rule for links with a missing target.
  func missing(_ member: Member) throws(DecantError) -> Mapping.Missing {
    try word(member, as: Mapping.Missing.self, "rule for missing targets")
  }

  /// Returns the rule for existing objects: a policy, or a map with further settings.
  func merge(_ member: Member) throws(DecantError) -> Mapping.Merge {
    guard case .map(let members) = member.value.content else {
      return Mapping.Merge(try policy(member), member.value.mark)
    }
    let parts = try self.members(members, by: MappingKeys.Merge.self)
    guard let said = parts.first(where: { $0.key == .policy })?.member else {
      throw mapping.mistake("“merge” has no policy", at: member.value.mark, remedy: "write { policy: newest, … }")
    }
    var merge = Mapping.Merge(try policy(said), said.value.mark)
    for (key, member) in parts {
      switch key {
      case .by:
        merge.by = try name(member.value, for: member.key)
        guard merge.policy == .newest else {
          throw mapping.mistake(
            "“by” only applies to the policy newest, but the policy is \(merge.policy.rawValue)",
            at: member.key.mark,
            remedy: "remove it, or write policy: newest"
          )
        }
      case .keep: merge.keep = try names(member)
      case .policy: break
      }
    }
    return merge
  }

  private func policy(_ member: Member) throws(DecantError) -> MergePolicy {
    try word(member, as: MergePolicy.self, "merge policy")
  }

  private mutating func readRejects(_ rejects: Member) throws(DecantError) {
    for (key, member) in try members(of: rejects, by: MappingKeys.Rejects.self) {
      if key == .max, !isPercentage(member.value) {
        mapping.defaults.rejectLimit = try count(member)
      } else {
        guard mapping.defaults.rejectRate == nil else {
          throw mapping.mistake("“rejects” has two limits", at: member.value.mark, remedy: "remove one of them")
        }
        mapping.defaults.rejectRate = try rate(member)
      }
    }
  }

  private func isPercentage(_ value: MappingNode) -> Bool {
    guard case .text(let text, _) = value.content else { return false }
    return text.hasSuffix("%")
  }

  /// Returns a rate between 0 and 1, written as a number or a percentage.
  private func rate(_ member: Member) throws(DecantError) -> Double {
    let isPercentage = isPercentage(member.value)
    guard case .text(let text, _) = member.value.content, isPercentage || member.value.isNumber
    else { throw wrongKind(member, "a rate") }
    let digits = isPercentage ? text.dropLast() : text[...]
    let isDecimal = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    guard isDecimal, let number = Double(digits), number <= (isPercentage ? 100 : 1) else {
      throw mapping.mistake(
        "\(member.key.quoted): expected a rate from 0 to 1",
        at: member.value.mark,
        remedy: "write 0.01, or \"1%\""
      )
    }
    return isPercentage ? number / 100 : number
  }
}
