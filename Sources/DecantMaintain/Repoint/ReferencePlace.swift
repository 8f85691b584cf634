public import DecantBase

/// Where references to objects of another store stand: an attribute, and what its values speak of.
public struct ReferencePlace: Sendable, Hashable {
  /// The attribute that holds them, of an entity or one below it.
  public var property: Property
  /// The entity that bare keys belong to; `nil` where only references that name it themselves are wanted.
  public var target: Target?

  /// Where the entity of a bare key is said.
  public enum Target: Sendable, Hashable {
    /// Every key is one of this entity.
    case entity(String)
    /// Another attribute of the same object holds the entity's name.
    case attribute(String)
  }

  /// Names a place; that it exists is checked when the store is opened.
  public init(_ property: Property, to target: Target? = nil) {
    self.property = property
    self.target = target
  }
}

extension ReferencePlace: CustomStringConvertible {
  /// The place as the command line has it: `Note.recipeKey -> Recipe`, `Note.objectKey -> .kind`.
  public var description: String {
    switch target {
    case .entity(let name): "\(property) -> \(name)"
    case .attribute(let name): "\(property) -> .\(name)"
    case nil: "\(property)"
    }
  }
}

/// A value that goes with a reference: an attribute of the object that holds it, and how it is computed.
public struct SetRule: Sendable, Hashable {
  /// The entity whose objects are meant; `nil` where only one is re-pointed.
  public var entity: String?
  /// The attribute that gets the value.
  public var attribute: String
  /// SQL over the object's attributes, as they are after the reference was changed.
  public var expression: String

  /// Describes a rule; it is compiled when the store is opened.
  public init(entity: String? = nil, attribute: String, expression: String) {
    self.entity = entity
    self.attribute = attribute
    self.expression = expression
  }
}
