package import DecantContainers

/// How much an archive from others may ask for; each limit is checked while it is read.
public struct ArchiveLimits: Sendable, Hashable {
  /// How many bytes all files in a container may unpack to; 1 TiB unless told otherwise.
  public var totalByteCount = ContainerLimits().totalByteCount
  /// How many files a container may hold; 100 000 unless told otherwise.
  public var memberCount = ContainerLimits().memberCount
  /// How deep containers may lie in one another; 2 unless told otherwise.
  public var nestingDepth = ContainerLimits().depth
  /// How many bytes may come of one packed byte; 1000 unless told otherwise.
  public var expansion = ContainerLimits().expansion
  /// How many bytes a line may have; 1 MiB unless told otherwise, and sixteen times that for the header.
  public var lineByteCount = 1 << 20
  /// How many objects there may be; a thousand million unless told otherwise.
  public var objectCount: Int64 = 1_000_000_000
  /// How deep JSON values may lie in one another; 16 unless told otherwise.
  public var depth = 16

  /// The defaults.
  public init() {}

  /// The bounds of what packs it.
  package var container: ContainerLimits {
    ContainerLimits(totalByteCount: totalByteCount, memberCount: memberCount, depth: nestingDepth, expansion: expansion)
  }

  /// How many bytes the first line may have: it holds the model.
  var headerByteCount: Int { lineByteCount * 16 }

  /// How many values a header or a receipt may be made of: 262 144 unless longer lines are allowed.
  ///
  /// A property of an entity is four to eight of them; in memory each takes some 100 bytes.
  var treeCount: Int { headerByteCount / 64 }
}
