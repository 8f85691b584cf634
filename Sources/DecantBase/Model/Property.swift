/// A property, identified by its own name and the entity that declares it.
public struct Property: Sendable, Hashable, CustomStringConvertible {
  /// The entity that declares the property, not one that inherits it.
  public var entity: String
  /// The property's own name; for a leaf of a composite attribute the path to it, `address.city`.
  public var name: String

  /// Names a property, without looking it up in a model.
  public init(_ entity: String, _ name: String) {
    self.entity = entity
    self.name = name
  }

  /// Both names as errors and reports write them: `Recipe.title`.
  public var description: String { "\(entity).\(name)" }
}
