/// One object of a store: its entity, and its key.
public struct ObjectName: Sendable, Hashable {
  /// The entity, or one of its superentities.
  public var entity: String
  /// The values of the key as text: the number after the “p” in Core Data's names of objects, or the values of the
  /// table's own key columns.
  public var key: [String]

  /// Names an object; its existence is checked later.
  public init(entity: String, key: Int64) { self.init(entity: entity, key: ["\(key)"]) }

  /// Names a row by the values of its table's own key.
  public init(entity: String, key: [String]) {
    self.entity = entity
    self.key = key
  }
}
