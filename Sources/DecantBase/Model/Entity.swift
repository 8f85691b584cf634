extension DataModel {
  /// An entity: its own attributes and relationships, and the entity it inherits from.
  public struct Entity: Sendable, Hashable {
    /// The name, unique in the model.
    public var name: String
    /// The entity whose properties this one inherits, or `nil` for a root entity.
    public var superentity: String?
    /// Whether objects exist only of its subentities.
    public var isAbstract: Bool
    /// The attributes this entity declares itself, without inherited ones, sorted by name.
    public var attributes: [ModelAttribute]
    /// The relationships this entity declares itself, sorted by name.
    public var relationships: [ModelRelationship]
    /// Sets of attributes; no two objects may have the same values in all attributes of a set.
    public var uniquenessConstraints: [[String]]
    /// The indexes that the developer declared.
    public var fetchIndexes: [FetchIndex]
    /// Sets of attributes that are indexed together, as in models before fetch indexes.
    public var compoundIndexes: [[String]]
    /// The class of the app's objects, if the model names one.
    public var className: String?
    /// The name of this entity in an earlier version, if the developer gave one.
    public var renamingIdentifier: String?
    /// A text that changes the version hash without any other change.
    public var versionHashModifier: String?
    /// The 32 bytes by which Core Data recognises this version of the entity.
    ///
    /// They are taken from a store or a compiled model, never computed.
    public var versionHash: [UInt8]?
    /// The developer's notes in the model; texts only.
    public var userInfo: [String: String]

    /// Describes an entity; attributes and relationships may have any order.
    package init(
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
