internal import DecantBase

/// One object, or one link, that is not the same in two stores.
public struct Difference: Sendable, Hashable {
  /// In what way they differ.
  public enum Kind: Sendable, Hashable {
    /// The second store does not have it.
    case missing
    /// Both have it; these properties have other values.
    case changed([String])
    /// Only the second store has it, among objects that both have.
    case added
    /// The second store keeps wrong books of it, as this text says; the first store does not.
    case misbooked(String)
  }

  /// The concrete entity, or the relationship for a link.
  public var entity: String
  /// The object's key in the first store; for a link those of its two ends there; none for a row of
  /// a table that holds neither.
  public var keys: [Int64]
  public var kind: Kind
  /// The key in words, where rows have another one than an object's number.
  public var name: String?

  /// Describes an object or link that differs.
  public init(entity: String, keys: [Int64], kind: Kind, name: String? = nil) {
    (self.entity, self.keys, self.kind, self.name) = (entity, keys, kind, name)
  }
}

extension Difference: CustomStringConvertible {
  public var description: String {
    if case .misbooked(let text) = kind { return text }
    guard name != nil || !keys.isEmpty else {
      let name = entity.hasPrefix("table ") ? "the " + entity : entity
      return kind == .missing ? "rows of \(name) are missing" : "\(name) has different rows"
    }
    let object = entity + " " + (name ?? keys.map(Terms.objects.key).joined(separator: " → "))
    return switch kind {
    case .missing: "\(object) is missing"
    case .added: "\(object) should not exist"
    case .changed(let properties): "\(object) differs in \(properties.joined(separator: ", "))"
    case .misbooked(let text): text
    }
  }
}
