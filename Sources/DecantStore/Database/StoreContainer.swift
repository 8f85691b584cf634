/// A file that contains a store in another form than a database.
public struct StoreContainer: Sendable, Hashable {
  /// The kind's name on the command line: `archive`, `mela`.
  public var kind: String
  /// The size on disk in bytes; 0 for a pipe.
  public var byteCount: Int64

  /// Describes a file of `kind`.
  public init(kind: String, byteCount: Int64) {
    self.kind = kind
    self.byteCount = byteCount
  }
}
