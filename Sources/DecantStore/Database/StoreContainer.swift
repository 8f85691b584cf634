/// A file that contains a store in another form than a database, or a database on a server.
public struct StoreContainer: Sendable, Hashable {
  /// The kind's name on the command line: `archive`, `mela`.
  public var kind: String
  /// The size on disk in bytes; 0 for a pipe.
  public var byteCount: Int64
  /// Whether it is a database on a server, whose rows can be changed there.
  public var isOnServer: Bool

  /// Describes a file of `kind`, or a database on a server.
  package init(kind: String, byteCount: Int64, isOnServer: Bool = false) {
    (self.kind, self.byteCount, self.isOnServer) = (kind, byteCount, isOnServer)
  }
}
