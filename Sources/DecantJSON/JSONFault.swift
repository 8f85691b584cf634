/// What is wrong with JSON, or more in it than may be.
package struct JSONFault: Error, Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// This is no JSON.
    case syntax
    /// Arrays and objects lie too deep in each other.
    case depth
    /// There are too many values.
    case count
    /// A value, or a name, takes too much memory.
    case memory
  }

  package let kind: Kind
  /// What is wrong, in a sentence without a full stop and without what the document says.
  package let message: String
  /// Where, in bytes from the beginning; `nil` for what has no place.
  package let place: Int64?
  /// The first characters of what stands there, where something else was expected.
  package let found: String?

  package init(_ kind: Kind, _ message: String, at place: Int64? = nil, found: String? = nil) {
    (self.kind, self.message, self.place, self.found) = (kind, message, place, found)
  }

  /// Whether this is sound JSON, and can be read on behind the value that is too much.
  package var isExcess: Bool { kind != .syntax }
}
