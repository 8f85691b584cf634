internal import DecantBase
internal import DecantPlan

/// The similarity of two names that may mean the same, for guesses by name.
struct NameLikeness: Comparable {
  /// The reason for the similarity, as given in a suggestion.
  let reason: String
  /// The likelihood; higher is more likely.
  private let rank: Int

  /// Compares two names of entities, or of properties; `nil` if they are not similar.
  ///
  /// - Parameters:
  ///   - name: The first name.
  ///   - other: The second name.
  ///   - prefixes: The names of their entities, which are ignored as prefixes.
  init?(_ name: String, _ other: String, prefixes: [String] = []) {
    let (mine, theirs) = (NameLikeness.words(of: name), NameLikeness.words(of: other))
    guard !mine.isEmpty, !theirs.isEmpty else { return nil }
    if mine.joined() == theirs.joined() {
      (reason, rank) = ("nearly the same name", 3)
      return
    }
    let shared = prefixes.map(NameLikeness.words(of:)) + NameLikeness.fillers
    let (myCore, theirCore) = (mine.dropping(shared), theirs.dropping(shared))
    if myCore.joined() == theirCore.joined() {
      (reason, rank) = ("the same name apart from a prefix", 2)
      return
    }
    let (short, long) = mine.count < theirs.count ? (mine, theirs) : (theirs, mine)
    let isPart = long.starts(with: short) || long.reversed().starts(with: short.reversed())
    if short.count < long.count, isPart, short.joined().count > 2 {
      (reason, rank) = ("one name contains the other", 1)
      return
    }
    let length = min(mine.joined().count, theirs.joined().count)
    guard length > 3, mine.joined().distance(to: theirs.joined()) <= max(1, length / 4) else {
      return nil
    }
    (reason, rank) = ("nearly the same name", 0)
  }

  static func < (a: NameLikeness, b: NameLikeness) -> Bool { a.rank < b.rank }

  private static let fillers = [["is"], ["has"], ["my"], ["the"]]

  /// Returns the words of a name in lower case and in the singular, equal for `recipeTitles` and `recipe_title`.
  static func words(of name: String) -> [String] { name.nameWords.map(\.singular) }
}

extension [String] {
  /// Returns the words without the first of `prefixes` that they start with, if other words follow.
  fileprivate func dropping(_ prefixes: [[String]]) -> [String] {
    let prefix = prefixes.first { !$0.isEmpty && $0.count < count && starts(with: $0) }
    return prefix.map { Array(dropFirst($0.count)) } ?? self
  }
}
