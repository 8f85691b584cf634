/// A store as the user names it: a place, and the kind in front of it where it was said.
public struct StoreLocation: Sendable, Hashable, CustomStringConvertible {
  /// The kind's name, or `nil` where the place itself must tell.
  public var kind: String?
  /// The path as the user gave it, absolute or from the current folder on.
  public var place: String

  /// Names a place, whatever characters it has; nothing is looked up.
  public init(kind: String? = nil, place: String) {
    self.kind = kind
    self.place = place
  }

  /// Reads `[kind:]place`; what stands before the colon counts as a kind only if it is one.
  public init(_ text: String, kinds: [String]) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, kinds.contains(String(parts[0])) {
      self.init(kind: String(parts[0]), place: String(parts[1]))
    } else {
      self.init(place: text)
    }
  }

  /// The location as `init(_:kinds:)` reads it.
  public var description: String { (kind.map { $0 + ":" } ?? "") + place }
}
