public import Containers

/// How much an archive that strangers made may ask for; each limit is checked while it is read.
public struct ArchiveLimits: Sendable, Hashable {
  /// The bounds of what packs it.
  public var container = ContainerLimits()
  /// How many bytes a line may have; 1 MiB unless told otherwise, and sixteen times that for the header.
  public var lineByteCount = 1 << 20
  /// How many objects there may be; a thousand million unless told otherwise.
  public var objectCount: Int64 = 1_000_000_000
  /// How deep values may lie in one another; 16 unless told otherwise.
  public var depth = 16

  /// The defaults.
  public init() {}

  /// How many bytes the first line may have: it holds the model.
  var headerByteCount: Int { lineByteCount.multipliedReportingOverflow(by: 16).partialValue }
}
