/// One object of a store: its entity, and its key.
public struct ObjectName: Sendable, Hashable {
  /// The entity, or one above it.
  public var entity: String
  /// The values of the key as text: what stands behind the “p” in Core Data's names of objects, or what the columns
  /// of a table's own key hold.
  public var key: [String]

  /// Names an object; whether it is there is found out later.
  public init(entity: String, key: Int64) { self.init(entity: entity, key: ["\(key)"]) }

  /// Names a row by the values of its table's own key.
  public init(entity: String, key: [String]) {
    self.entity = entity
    self.key = key
  }
}
