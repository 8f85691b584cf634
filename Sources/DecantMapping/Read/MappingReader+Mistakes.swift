internal import DecantBase
internal import DecantPlan

/// The mistakes that can occur in any part of a mapping file.
extension MappingReader {
  /// Returns the error for a value of the wrong kind.
  ///
  /// - Parameters:
  ///   - member: The key and its value.
  ///   - wanted: The expected kind, such as “a list”.
  /// - Returns: The error at the position of the value, or of the key if there is no value.
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

  /// Returns the error for a key that already occurs in a map, at `first`.
  func repeated(_ key: Word, first: Mapping.Mark) -> DecantError {
    mapping.mistake(
      "duplicate key \(key.quoted), first in line \(first.line)",
      at: key.mark,
      remedy: "remove one of them; to give an entity several rules, use a list"
    )
  }

  /// Returns the error for a word that may occur only once.
  func twice(_ word: Word, in what: String) -> DecantError {
    mapping.mistake("\(word.quoted) appears twice in \(what)", at: word.mark, remedy: "remove one of them")
  }

  /// Returns the error for an empty name.
  func emptyName(_ mark: Mapping.Mark) -> DecantError {
    mapping.mistake("expected a name, found an empty string", at: mark)
  }

  /// Returns the members of a map with their keys.
  ///
  /// - Parameters:
  ///   - members: The members of the map.
  ///   - keys: The valid keys.
  /// - Returns: The members in their order.
  /// - Throws: `DecantError` of the family `.usage` for the first invalid key.
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

  /// Returns the members of the map in `member` with their keys.
  func members<Key: MappingKey>(of member: Member, by keys: Key.Type) throws(DecantError)
    -> [(key: Key, member: Member)]
  {
    try members(map(member), by: keys)
  }

  /// Returns the remedy for `text`, which is none of `words`.
  func remedy(_ text: String, among words: [String], _ there: String) -> String {
    let near = text.shortened.nearest(in: words)
    return near.map { "did you mean \($0)?" } ?? "\(there) \(words.joined(separator: ", "))"
  }
}

extension Mapping.Word {
  /// The text in quotes, as named in errors.
  var quoted: String { "“\(text.shortened)”" }
}
