/// The key of an object in its store.
///
/// Each store has its own keys: compare an ID only with IDs of the same store.
public struct ObjectID<Object>: Hashable, Sendable, CustomStringConvertible {
  /// The integer key: `Z_PK` in a Core Data store, the row's integer key in a database.
  public let key: Int64

  /// Creates the ID with this key, whether or not the object exists.
  public init(_ key: Int64) { self.key = key }

  public var description: String { String(key) }
}
