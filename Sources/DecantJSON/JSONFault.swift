/// What is wrong with JSON, or more in it than may be.
public struct JSONFault: Error, Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// This is no JSON.
    case syntax
    /// Arrays and objects lie too deep in each other.
    case depth
    /// There are too many values.
    case count
    /// A value, or a name, takes too much memory.
    case memory
  }

  public let kind: Kind
  /// What is wrong, in a sentence without a full stop and without what the document says.
  public let message: String
  /// Where, in bytes from the beginning; `nil` for what has no place.
  public let place: Int64?
  /// The first characters of what stands there, where something else was expected.
  public let found: String?

  public init(_ kind: Kind, _ message: String, at place: Int64? = nil, found: String? = nil) {
    (self.kind, self.message, self.place, self.found) = (kind, message, place, found)
  }

  /// Whether this is sound JSON, and can be read on behind the value that is too much.
  public var isExcess: Bool { kind != .syntax }
}
