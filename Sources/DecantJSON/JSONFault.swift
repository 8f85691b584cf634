/// An error in JSON, or an exceeded limit.
package struct JSONFault: Error, Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// The text is not valid JSON.
    case syntax
    /// Arrays and objects are nested too deeply.
    case depth
    /// There are too many values.
    case count
    /// A value, or a name, takes too much memory.
    case memory
  }

  package let kind: Kind
  /// The error in a sentence without a full stop and without content of the document.
  package let message: String
  /// The byte offset; `nil` if the error has no place.
  package let place: Int64?
  /// The first characters at that place, if something else was expected.
  package let found: String?

  package init(_ kind: Kind, _ message: String, at place: Int64? = nil, found: String? = nil) {
    (self.kind, self.message, self.place, self.found) = (kind, message, place, found)
  }

  /// Whether the JSON is valid so far, so that reading can continue after the value that exceeds a limit.
  package var isExcess: Bool { kind != .syntax }
}
