/// What a model asks of the values of an attribute, beyond their type.
///
/// An app's saving obeys it, a store does not: rules change no version hash, and values that break them can be there.
public struct ValueRules: Sendable, Hashable {
  /// The lowest value, of the attribute's type; for texts the least length in UTF-16 code units, an integer.
  public var minimum: StoreValue?
  /// The highest value, of the attribute's type; for texts the greatest length in UTF-16 code units, an integer.
  public var maximum: StoreValue?
  /// A regular expression, as ICU reads it, that the whole text has to match.
  public var pattern: String?

  /// Describes rules; none, unless told otherwise.
  public init(minimum: StoreValue? = nil, maximum: StoreValue? = nil, pattern: String? = nil) {
    self.minimum = minimum
    self.maximum = maximum
    self.pattern = pattern
  }

  /// Whether any value will do.
  public var isEmpty: Bool { minimum == nil && maximum == nil && pattern == nil }
}

extension AttributeType {
  /// The type in which ``ValueRules`` have their bounds; `nil` where values have none.
  package var boundType: AttributeType? {
    switch self {
    case .string: .integer32
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .date: self
    case .undefined, .boolean, .binary, .uuid, .uri, .transformable, .objectID, .composite: nil
    }
  }
}
