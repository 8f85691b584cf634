/// A store as the user names it: a place, optionally with its kind.
public struct StoreLocation: Sendable, Hashable, CustomStringConvertible {
  /// The kind's name, or `nil` if it follows from the place.
  public var kind: String?
  /// The path as the user gave it, absolute or relative to the current folder.
  public var place: String

  /// Names a place, which may contain any characters and is not looked up.
  public init(kind: String? = nil, place: String) {
    self.kind = kind
    self.place = place
  }

  /// Parses `[kind:]place`; a prefix that is not a kind belongs to the place.
  public init(_ text: String, kinds: [String]) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, kinds.contains(String(parts[0])) {
      self.init(kind: String(parts[0]), place: String(parts[1]))
    } else {
      self.init(place: text)
    }
  }

  /// The location in the form that `init(_:kinds:)` parses.
  public var description: String { (kind.map { $0 + ":" } ?? "") + place }
}
