public import DecantBase

/// An attribute that holds references to objects of another store, and what its values refer to.
public struct ReferencePlace: Sendable, Hashable {
  /// The attribute that holds the references, of an entity and its sub-entities.
  public var property: Property
  /// The entity that bare keys belong to; `nil` to accept only references that name their entity.
  public var target: Target?

  /// How the entity of a bare key is determined.
  public enum Target: Sendable, Hashable {
    /// Every key belongs to this entity.
    case entity(String)
    /// Another attribute of the same object holds the entity's name.
    case attribute(String)
  }

  /// Creates a place; its existence is checked when the store is opened.
  public init(_ property: Property, to target: Target? = nil) {
    self.property = property
    self.target = target
  }
}

extension ReferencePlace: CustomStringConvertible {
  /// The place in command-line notation: `Note.recipeKey -> Recipe`, `Note.objectKey -> .kind`.
  public var description: String {
    switch target {
    case .entity(let name): "\(property) -> \(name)"
    case .attribute(let name): "\(property) -> .\(name)"
    case nil: "\(property)"
    }
  }
}

/// A value that is set with a reference: an attribute of the object that holds it, and the expression for its value.
public struct SetRule: Sendable, Hashable {
  /// The entity whose objects are changed; `nil` if only one entity is re-pointed.
  public var entity: String?
  /// The attribute that is set.
  public var attribute: String
  /// The SQL over the object's attributes after the reference was changed.
  public var expression: String

  /// Creates a rule; it is compiled when the store is opened.
  public init(entity: String? = nil, attribute: String, expression: String) {
    self.entity = entity
    self.attribute = attribute
    self.expression = expression
  }
}
