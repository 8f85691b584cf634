extension DataModel {
  /// A kind of object: its own attributes and relationships, and the entity it inherits from.
  public struct Entity: Sendable, Hashable {
    /// What the model calls it; no other entity of the model has this name.
    public var name: String
    /// The entity whose properties this one inherits, or `nil` for a root entity.
    public var superentity: String?
    /// Whether no object is of exactly this entity, only of its sub-entities.
    public var isAbstract: Bool
    /// The attributes this entity declares itself, sorted by name; inherited ones are its parent's.
    public var attributes: [ModelAttribute]
    /// The relationships this entity declares itself, sorted by name.
    public var relationships: [ModelRelationship]
    /// Sets of attributes of which no two objects may agree in all.
    public var uniquenessConstraints: [[String]]
    /// The indexes the developer asked for.
    public var fetchIndexes: [FetchIndex]
    /// Sets of attributes to be indexed together, as models had them before fetch indexes.
    public var compoundIndexes: [[String]]
    /// The class of the app's objects, where the model names one.
    public var className: String?
    /// The name this entity had in an earlier version, where the developer said so.
    public var renamingIdentifier: String?
    /// A text of the developer's by which the version hash differs though nothing else does.
    public var versionHashModifier: String?
    /// The 32 bytes by which Core Data recognises this version of the entity; taken from a store or
    /// a compiled model, never computed.
    public var versionHash: [UInt8]?
    /// What the developer noted beside it in the model; texts only.
    public var userInfo: [String: String]

    /// Describes an entity; attributes and relationships may come in any order.
    public init(
      name: String,
      superentity: String? = nil,
      isAbstract: Bool = false,
      attributes: [ModelAttribute] = [],
      relationships: [ModelRelationship] = [],
      uniquenessConstraints: [[String]] = [],
      fetchIndexes: [FetchIndex] = [],
      compoundIndexes: [[String]] = [],
      className: String? = nil,
      renamingIdentifier: String? = nil,
      versionHashModifier: String? = nil,
      versionHash: [UInt8]? = nil,
      userInfo: [String: String] = [:]
    ) {
      self.name = name
      self.superentity = superentity
      self.isAbstract = isAbstract
      self.attributes = attributes.sorted { $0.name < $1.name }
      self.relationships = relationships.sorted { $0.name < $1.name }
      self.uniquenessConstraints = uniquenessConstraints
      self.fetchIndexes = fetchIndexes
      self.compoundIndexes = compoundIndexes
      self.className = className
      self.renamingIdentifier = renamingIdentifier
      self.versionHashModifier = versionHashModifier
      self.versionHash = versionHash
      self.userInfo = userInfo
    }
  }
}
