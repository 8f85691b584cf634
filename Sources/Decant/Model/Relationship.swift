/// A link from the objects of one entity to those of another.
public struct Relationship: Sendable, Hashable {
  public var name: String
  /// The entity at the other end.
  public var destination: String
  /// The relationship of `destination` that leads back, or `nil` if there is none.
  public var inverse: String?
  public var isToMany: Bool
  /// Whether the order of a to-many relationship's objects is kept.
  public var isOrdered: Bool
  public var isOptional: Bool
  public var isTransient: Bool
  /// The fewest links an object must have; 0 for no bound.
  public var minCount: Int
  /// The most links an object may have; 0 for no bound.
  public var maxCount: Int
  public var deleteRule: DeleteRule
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  public var userInfo: [String: String]

  public init(
    name: String,
    destination: String,
    inverse: String? = nil,
    isToMany: Bool = false,
    isOrdered: Bool = false,
    isOptional: Bool = true,
    isTransient: Bool = false,
    minCount: Int = 0,
    maxCount: Int = 0,
    deleteRule: DeleteRule = .nullify,
    renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.destination = destination
    self.inverse = inverse
    self.isToMany = isToMany
    self.isOrdered = isOrdered
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.minCount = minCount
    self.maxCount = maxCount
    self.deleteRule = deleteRule
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }
}

/// What becomes of the objects at the other end when an object is deleted.
public enum DeleteRule: String, Sendable, Hashable {
  case noAction, nullify, cascade, deny
}
