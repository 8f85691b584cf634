/// A property by the entity that declares it and its own name.
public struct Property: Sendable, Hashable, CustomStringConvertible {
  /// The entity that declares the property, not one that inherits it.
  public var entity: String
  /// The property's own name; of a composite attribute's leaf the path to it, `address.city`.
  public var name: String

  /// Names a property; nothing is looked up in a model.
  public init(_ entity: String, _ name: String) {
    self.entity = entity
    self.name = name
  }

  /// Both names as errors and reports write them: `Recipe.title`.
  public var description: String { "\(entity).\(name)" }
}
