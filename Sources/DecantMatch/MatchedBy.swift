/// The method by which an object of one store is matched with one in another, in descending reliability.
public enum MatchedBy: String, Sendable, Hashable, CaseIterable, Comparable {
  /// By a kept ID table.
  case ids
  /// By its key, which a copy kept.
  case key
  /// By the attributes and links of a uniqueness constraint of the model.
  case identity
  /// By its complete content, including links.
  case content

  /// Returns whether `left` is the more reliable method.
  public static func < (left: MatchedBy, right: MatchedBy) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
  }

  /// The name of the method in sentences.
  package var words: String { self == .ids ? "ID table" : rawValue }
}
