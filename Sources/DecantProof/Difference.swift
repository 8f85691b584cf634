internal import DecantBase

/// One object or link that differs between two stores.
public struct Difference: Sendable, Hashable {
  /// How it differs.
  public enum Kind: Sendable, Hashable {
    /// The second store does not have it.
    case missing
    /// Both stores have it, with different values in these properties.
    case changed([String])
    /// Only the second store has it, among objects that both have.
    case added
    /// The second store has wrong system data about it, described by this text; the first store does not.
    case misbooked(String)
  }

  /// The concrete entity, or the relationship for a link.
  public var entity: String
  /// The object's key in the first store; for a link, the keys of its two ends there; empty for a row that is neither.
  public var keys: [Int64]
  public var kind: Kind
  /// The key in words, for rows not identified by an object's number.
  public var name: String?

  /// Creates a differing object or link.
  package init(entity: String, keys: [Int64], kind: Kind, name: String? = nil) {
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
