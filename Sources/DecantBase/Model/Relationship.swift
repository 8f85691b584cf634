/// A relationship from the objects of one entity to those of another.
public struct ModelRelationship: Sendable, Hashable {
  /// The name in the entity that declares it.
  public var name: String
  /// The entity at the other end.
  public var destination: String
  /// The inverse relationship of `destination`, if there is one.
  public var inverse: String?
  /// Whether an object may have several links; otherwise at most one.
  public var isToMany: Bool
  /// Whether the order of a to-many relationship's objects is kept.
  public var isOrdered: Bool
  /// Whether an object may have no link.
  public var isOptional: Bool
  /// Whether the links exist in memory only and are not stored.
  public var isTransient: Bool
  /// The minimum number of links of an object; 0 for no minimum.
  public var minCount: Int
  /// The maximum number of links of an object; 0 for no maximum.
  public var maxCount: Int
  /// What an app does with the targets when it deletes an object; a copy deletes nothing.
  public var deleteRule: DeleteRule
  /// The name of this relationship in an earlier version, if the developer gave one.
  public var renamingIdentifier: String?
  /// A text that changes the version hash without any other change.
  public var versionHashModifier: String?
  /// The developer's notes in the model; texts only.
  public var userInfo: [String: String]

  /// Describes a relationship; by default optional, to one object and without inverse.
  package init(
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

/// What happens to the targets of a relationship when an object is deleted.
public enum DeleteRule: String, Sendable, Hashable {
  /// In this order: they keep a dangling link, lose the link, are deleted too, or prevent the deletion.
  case noAction, nullify, cascade, deny
}
