/// The key of an object in its store.
///
/// Of two stores each has its own keys: an ID is compared with those of the same store.
public struct ObjectID<Object>: Hashable, Sendable, CustomStringConvertible {
  /// The integer, in a Core Data store `Z_PK`, in a database the row's integer key.
  public let key: Int64

  /// Names the object with this key, whether it exists or not.
  public init(_ key: Int64) { self.key = key }

  public var description: String { String(key) }
}
