package import DecantContainers

/// Limits for untrusted archives; each is checked during reading.
public struct ArchiveLimits: Sendable, Hashable {
  /// The maximum unpacked size of all files in a container in bytes; 1 TiB by default.
  public var totalByteCount = ContainerLimits().totalByteCount
  /// The maximum number of files in a container; 100 000 by default.
  public var memberCount = ContainerLimits().memberCount
  /// The maximum number of compression layers around a file; 4 by default.
  public var nestingDepth = ContainerLimits().depth
  /// The maximum number of output bytes for one packed byte; 1000 by default.
  public var expansion = ContainerLimits().expansion
  /// The maximum size of a line in bytes; 1 MiB by default, and sixteen times that for the header.
  public var lineByteCount = 1 << 20
  /// The maximum number of objects; 1 000 000 000 by default.
  public var objectCount: Int64 = 1_000_000_000
  /// The maximum nesting depth of JSON values; 16 by default.
  public var depth = 16

  /// Creates the default limits.
  public init() {}

  /// The limits for the container.
  package var container: ContainerLimits {
    ContainerLimits(totalByteCount: totalByteCount, memberCount: memberCount, depth: nestingDepth, expansion: expansion)
  }

  /// The maximum size of the first line in bytes: it contains the model.
  var headerByteCount: Int { lineByteCount * 16 }

  /// The maximum number of values in a header or a receipt: 262 144 unless longer lines are allowed.
  ///
  /// A property of an entity takes four to eight of them; in memory each takes some 100 bytes.
  var treeCount: Int { headerByteCount / 64 }
}
