internal import DecantBase
internal import DecantPlan

/// How alike two names are that mean the same, perhaps: what stands behind guesses by name.
struct NameLikeness: Comparable {
  /// Why they are alike, as a suggestion says it.
  let reason: String
  /// The higher, the likelier.
  private let rank: Int

  /// Compares two names of entities, or of properties; `nil` where they have nothing to do with each other.
  ///
  /// - Parameters:
  ///   - name: One of them.
  ///   - other: The other one.
  ///   - prefixes: What may stand before either without meaning anything: the names of their entities.
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

  /// The words of a name, small and each in the singular: `recipeTitles` and `recipe_title` have the same.
  static func words(of name: String) -> [String] { name.nameWords.map(\.singular) }
}

extension [String] {
  /// The words without those of the first of `prefixes` with which they begin, if others follow.
  fileprivate func dropping(_ prefixes: [[String]]) -> [String] {
    let prefix = prefixes.first { !$0.isEmpty && $0.count < count && starts(with: $0) }
    return prefix.map { Array(dropFirst($0.count)) } ?? self
  }
}
