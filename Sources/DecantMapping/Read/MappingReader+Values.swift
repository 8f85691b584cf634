internal import DecantBase
internal import DecantPlan

/// Values of all kinds.
extension MappingReader {
  /// Returns the members of the map in `member`; an empty value is an empty map.
  func map(_ member: Member) throws(DecantError) -> [Member] {
    if member.value.isNothing { return [] }
    guard case .map(let members) = member.value.content else { throw wrongKind(member, "a map") }
    return members
  }

  /// Returns the text of `member`; errors call it `wanted`.
  func text(_ member: Member, _ wanted: String = "a text") throws(DecantError) -> Word {
    let value = member.value
    guard case .text(let text, _) = value.content, !value.isNothing else {
      throw wrongKind(member, wanted)
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw mapping.mistake("\(member.key.quoted): expected \(wanted), found an empty string", at: value.mark)
    }
    return Word(text, value.mark)
  }

  /// Returns the name in `value`, which belongs to `key`.
  func name(_ value: MappingNode, for key: Word) throws(DecantError) -> Word {
    guard case .text(let text, _) = value.content else {
      throw wrongKind(Member(key: key, value: value), "a name")
    }
    guard !value.isNull else {
      throw mapping.mistake(
        "\(key.quoted): expected a name, found nothing",
        at: value.mark,
        remedy: "to use this as a name, put it in quotes"
      )
    }
    guard !text.isEmpty else { throw emptyName(value.mark) }
    return Word(text, value.mark)
  }

  /// Returns the names in the list of `member`, without duplicates.
  ///
  /// - Parameters:
  ///   - member: The key and the list.
  ///   - isFilled: Whether an empty list is an error.
  /// - Returns: The names in their order.
  /// - Throws: `DecantError` of the family `.usage`.
  func names(_ member: Member, isFilled: Bool = false) throws(DecantError) -> [Word] {
    if !isFilled, member.value.isNothing { return [] }
    guard case .list(let values) = member.value.content else { throw wrongKind(member, "a list") }
    var names: [Word] = []
    var known: Set<String> = []
    for value in values {
      let name = try name(value, for: member.key)
      guard known.insert(name.text).inserted else { throw twice(name, in: member.key.quoted) }
      names.append(name)
    }
    guard !isFilled || !names.isEmpty else {
      throw mapping.mistake(
        "\(member.key.quoted): the list is empty",
        at: member.value.mark,
        remedy: "add items to it, or remove it"
      )
    }
    return names
  }

  /// Returns the value of `member` as one of a set of words.
  ///
  /// - Parameters:
  ///   - member: The key and the word.
  ///   - kind: The type of the words.
  ///   - what: The name of the type in errors, such as “merge policy”.
  ///   - other: A word of the type that has no meaning in a mapping.
  /// - Returns: The word.
  /// - Throws: `DecantError` of the family `.usage`.
  func word<Kind: RawRepresentable<String> & CaseIterable>(
    _ member: Member,
    as kind: Kind.Type,
    _ what: String,
    without other: Kind? = nil
  ) throws(DecantError) -> Kind {
    guard case .text(let text, _) = member.value.content, !text.isEmpty else {
      throw wrongKind(member, "a word")
    }
    guard let word = Kind(rawValue: text), text != other?.rawValue else {
      let words = Kind.allCases.map(\.rawValue).filter { $0 != other?.rawValue }
      throw mapping.mistake(
        "\(Word(text, member.value.mark).quoted) is not a \(what)",
        at: member.value.mark,
        remedy: remedy(text, among: words, "use one of"),
        code: .unknownName,
        remedies: [.correctName(text.shortened, among: words)]
      )
    }
    return word
  }

  /// Returns the non-negative whole number of `member`.
  func count(_ member: Member) throws(DecantError) -> Int64 {
    guard member.value.isNumber, case .text(let text, _) = member.value.content else {
      throw wrongKind(member, "a number")
    }
    guard !text.hasPrefix("-") else {
      throw mapping.mistake("\(member.key.quoted) cannot be negative", at: member.value.mark)
    }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw mapping.mistake(
        "\(member.key.quoted): expected a whole number",
        at: member.value.mark,
        remedy: "use digits only"
      )
    }
    guard let count = Int64(text) else {
      throw mapping.mistake("the number of \(member.key.quoted) is too large", at: member.value.mark)
    }
    return count
  }

  /// Returns the expression of `member` as SQL: `true` is 1, `false` is 0, `null` is NULL.
  ///
  /// A text in quotes is an expression as well: the quotes belong to YAML.
  func expression(_ member: Member, mayBeNull: Bool = false) throws(DecantError) -> Word {
    if mayBeNull, member.value.isNull { return Word("NULL", member.value.mark) }
    if let truth = member.value.truth { return Word(truth ? "1" : "0", member.value.mark) }
    return try text(member, "an expression")
  }

  /// Returns `name`, which must have the form `Entity.property`.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - property: The kind of property, such as “attribute”.
  /// - Returns: The same name.
  /// - Throws: `DecantError` of the family `.usage`.
  func path(_ name: Word, _ property: String) throws(DecantError) -> Word {
    guard name.text.dropFirst().dropLast().contains(".") else {
      throw mapping.mistake(
        "\(name.quoted) does not name \(property == "attribute" ? "an" : "a") \(property) of an entity",
        at: name.mark,
        remedy: "write it as Entity.\(property)"
      )
    }
    return name
  }
}
