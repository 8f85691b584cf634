/// A link from the objects of one entity to those of another.
public struct ModelRelationship: Sendable, Hashable {
  /// What the model calls it, seen from the entity that declares it.
  public var name: String
  /// The entity at the other end.
  public var destination: String
  /// The relationship of `destination` that leads back, or `nil` if there is none.
  public var inverse: String?
  /// Whether an object may have several links; else it has one at most.
  public var isToMany: Bool
  /// Whether the order of a to-many relationship's objects is kept.
  public var isOrdered: Bool
  /// Whether an object may do without a link.
  public var isOptional: Bool
  /// Whether the links live in memory only: a store holds nothing of them.
  public var isTransient: Bool
  /// The fewest links an object must have; 0 for no bound.
  public var minCount: Int
  /// The most links an object may have; 0 for no bound.
  public var maxCount: Int
  /// What an app does at the other end when it deletes an object; a copy deletes none.
  public var deleteRule: DeleteRule
  /// The name this relationship had in an earlier version, where the developer said so.
  public var renamingIdentifier: String?
  /// A text of the developer's by which the version hash differs though nothing else does.
  public var versionHashModifier: String?
  /// What the developer noted beside it in the model; texts only.
  public var userInfo: [String: String]

  /// Describes a relationship: optional, to one object and without inverse, unless told otherwise.
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
  /// In this order: they keep a dead link, lose it, are deleted too, or forbid the deletion.
  case noAction, nullify, cascade, deny
}
