internal import DecantBase
internal import DecantPlan

/// The mistakes that any part of a mapping file may have.
extension MappingReader {
  /// The error of a value of the wrong kind.
  ///
  /// - Parameters:
  ///   - member: The key, and the value that is written there.
  ///   - wanted: What is wanted, such as “a list”.
  /// - Returns: The error, at the value; at the key if there is none.
  func wrongKind(_ member: Member, _ wanted: String) -> DecantError {
    guard !member.value.isNothing else {
      return mapping.mistake(
        "\(member.key.quoted) has no value",
        at: member.key.mark,
        remedy: "write \(wanted) after it, or remove it"
      )
    }
    var remedy: String?
    if wanted == "a list", case .text = member.value.content {
      remedy = "put it in brackets: [ … ]"
    }
    return mapping.mistake(
      "\(member.key.quoted): expected \(wanted), found \(member.value.kind)",
      at: member.value.mark,
      remedy: remedy
    )
  }

  /// The error of a key that stands in a map already, at `first`.
  func repeated(_ key: Word, first: Mapping.Mark) -> DecantError {
    mapping.mistake(
      "duplicate key \(key.quoted), first in line \(first.line)",
      at: key.mark,
      remedy: "remove one of them; to give an entity several rules, use a list"
    )
  }

  /// The error of something said twice that counts once.
  func twice(_ word: Word, in what: String) -> DecantError {
    mapping.mistake("\(word.quoted) appears twice in \(what)", at: word.mark, remedy: "remove one of them")
  }

  /// The error of a name without a letter.
  func emptyName(_ mark: Mapping.Mark) -> DecantError {
    mapping.mistake("expected a name, found an empty string", at: mark)
  }

  /// Returns what a map holds, by its keys.
  ///
  /// - Parameters:
  ///   - members: What the map holds.
  ///   - keys: The keys that mean something in it.
  /// - Returns: The members in their order.
  /// - Throws: `DecantError` of the family `.usage` for the first key that is another one.
  func members<Key: MappingKey>(_ members: [Member], by keys: Key.Type) throws(DecantError)
    -> [(key: Key, member: Member)]
  {
    var known: [(Key, Member)] = []
    for member in members {
      guard let key = Key(rawValue: member.key.text) else {
        throw mapping.mistake(
          "\(member.key.quoted) is not a key of \(Key.owner)",
          at: member.key.mark,
          remedy: remedy(member.key.text, among: Key.names, "its keys are"),
          code: .unknownName,
          remedies: [.correctName(member.key.text.shortened, among: Key.names)]
        )
      }
      known.append((key, member))
    }
    return known
  }

  /// Returns what the map of `member` holds, by its keys.
  func members<Key: MappingKey>(of member: Member, by keys: Key.Type) throws(DecantError)
    -> [(key: Key, member: Member)]
  {
    try members(map(member), by: keys)
  }

  /// Returns what to do about `text`, which is none of `words`.
  func remedy(_ text: String, among words: [String], _ there: String) -> String {
    let near = text.shortened.nearest(in: words)
    return near.map { "did you mean \($0)?" } ?? "\(there) \(words.joined(separator: ", "))"
  }
}

extension Mapping.Word {
  /// The text in quotes, as errors name it.
  var quoted: String { "“\(text.shortened)”" }
}
