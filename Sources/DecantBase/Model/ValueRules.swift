/// The validation rules of an attribute's values, beyond their type.
///
/// An app validates values when it saves, a store does not. Rules do not change a version hash, and a store may contain
/// values that break them.
public struct ValueRules: Sendable, Hashable {
  /// The lowest value, of the attribute's type; for texts the minimum length in UTF-16 code units, an integer.
  public var minimum: StoreValue?
  /// The highest value, of the attribute's type; for texts the maximum length in UTF-16 code units, an integer.
  public var maximum: StoreValue?
  /// A regular expression in ICU syntax that the whole text must match.
  public var pattern: String?

  /// Describes rules; by default none.
  package init(minimum: StoreValue? = nil, maximum: StoreValue? = nil, pattern: String? = nil) {
    self.minimum = minimum
    self.maximum = maximum
    self.pattern = pattern
  }

  /// Whether there are no rules.
  public var isEmpty: Bool { minimum == nil && maximum == nil && pattern == nil }
}

extension AttributeType {
  /// The type of the bounds in ``ValueRules``; `nil` if values have no bounds.
  package var boundType: AttributeType? {
    switch self {
    case .string: .integer32
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .date: self
    case .undefined, .boolean, .binary, .uuid, .uri, .transformable, .objectID, .composite: nil
    }
  }
}
