/// A file that holds a store in another form than a database.
public struct StoreContainer: Sendable, Hashable {
  /// The kind's name, as the command line spells it: `archive`, `mela`.
  public var kind: String
  /// How many bytes it has on disk; 0 for what came through a pipe.
  public var byteCount: Int64

  /// Describes a file of `kind`.
  public init(kind: String, byteCount: Int64) {
    self.kind = kind
    self.byteCount = byteCount
  }
}
