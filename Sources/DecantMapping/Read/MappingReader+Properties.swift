internal import DecantBase
internal import DecantPlan

/// The values of an entity's properties.
extension MappingReader {
  /// Returns the contents of `set`.
  func settings(_ member: Member) throws(DecantError) -> [Mapping.Setting] {
    var settings: [Mapping.Setting] = []
    for member in try map(member) {
      let isEmpty = member.value.isNothing && !member.value.isNull
      guard !isEmpty else {
        throw mapping.mistake(
          "\(member.key.quoted) has no value",
          at: member.key.mark,
          remedy: "write null to leave it empty, or write an expression"
        )
      }
      var setting = Mapping.Setting(member.key, try expression(member, mayBeNull: true))
      setting.isOwnObject = setting.value.text == "$self"
      settings.append(setting)
    }
    return settings
  }

  /// Returns the contents of `generate`: for each attribute `uuid4`, `uuid5`, or the content to use.
  func generated(_ member: Member) throws(DecantError) -> [Mapping.Generated] {
    var generated: [Mapping.Generated] = []
    for member in try map(member) {
      generated.append(Mapping.Generated(member.key, try generator(member)))
    }
    return generated
  }

  private func generator(_ member: Member) throws(DecantError) -> Mapping.Generator {
    if case .map(let members) = member.value.content {
      guard let content = try self.members(members, by: MappingKeys.Generator.self).first?.member
      else {
        throw mapping.mistake(
          "\(member.key.quoted): the map is empty",
          at: member.value.mark,
          remedy: "write { uuid5: [attribute, …] }, uuid5 or uuid4"
        )
      }
      return .content(try names(content, isFilled: true))
    }
    switch try word(member, as: GeneratorWord.self, "generator") {
    case .uuid4: return .random
    case .uuid5: return .object
    }
  }

  /// Returns the contents of `anonymize`.
  func anonymized(_ member: Member) throws(DecantError) -> [Mapping.Anonymized] {
    var anonymized: [Mapping.Anonymized] = []
    for member in try map(member) {
      let anonymization = try word(member, as: Mapping.Anonymization.self, "way to anonymize")
      anonymized.append(Mapping.Anonymized(member.key, anonymization))
    }
    return anonymized
  }
}

/// The names of the generators of identifiers.
private enum GeneratorWord: String, CaseIterable {
  case uuid5, uuid4
}
