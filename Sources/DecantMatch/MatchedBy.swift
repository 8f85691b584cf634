/// By what an object of one store is known as the same object in another: the rungs of a ladder.
public enum MatchedBy: String, Sendable, Hashable, CaseIterable, Comparable {
  /// By an ID table that was kept.
  case ids
  /// By its key, which a copy left as it was.
  case key
  /// By the attributes and links of which the model says that no two objects agree in them.
  case identity
  /// By everything it holds, links included.
  case content

  /// Whether `left` is the surer way.
  public static func < (left: MatchedBy, right: MatchedBy) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
  }

  /// The word for it in sentences.
  package var words: String { self == .ids ? "ID table" : rawValue }
}
