/// Limits for untrusted containers; each is checked while bytes are unpacked.
///
/// Sizes in headers are not trusted.
package struct ContainerLimits: Sendable, Hashable {
  /// The kind of a limit.
  package enum Kind: Sendable, Hashable, CaseIterable {
    /// `ContainerLimits.totalByteCount`.
    case totalByteCount
    /// `ContainerLimits.memberCount`.
    case memberCount
    /// `ContainerLimits.depth`.
    case depth
    /// `ContainerLimits.expansion`.
    case expansion
  }

  /// The maximum total size of all members in bytes; 1 TiB by default.
  ///
  /// For nested containers the limit applies to each depth separately. The default is more than the store of one person
  /// holds, photo libraries included, and ends an endless stream within an hour or so. Content is never held in memory,
  /// so the limit protects the caller's time and disk rather than memory.
  package var totalByteCount: Int

  /// The maximum number of members at all depths together; 100 000 by default.
  ///
  /// Folders count. An archive has one member, or one for each of its parts. The directory entry of each zip member
  /// takes some 100 bytes of memory until the end of the zip.
  package var memberCount: Int

  /// The maximum number of compression layers around a member; 4 by default.
  ///
  /// A gzip file has one, and so has a member of a zip or tar, even one that is only stored; a gzip file in a zip has
  /// two, and so has a member of a `.tar.gz`. A Paprika library inside a zip has three. Each layer takes 0.3 MiB of
  /// memory, but up to 128 MiB for zstd, xz and 7z if their headers require it.
  package var depth: Int

  /// The maximum number of output bytes for one byte of input; 1000 by default.
  ///
  /// It is checked after the first `expansionGrace` bytes. Lines of JSON with nothing but keys and running numbers, the
  /// most repetitive that an export writes, were measured at 20 : 1 for gzip, 60 : 1 for zstd and 200 : 1 for xz at
  /// their best levels. Deflate cannot exceed 1032 : 1; zstd and xz reach 7 000 to 30 000 : 1 for nothing but zeros.
  package var expansion: Int

  /// The number of bytes at each depth that are not checked for expansion: 16 MiB.
  package static let expansionGrace = 1 << 24

  /// Creates limits, with defaults for those not given.
  ///
  /// - Parameters:
  ///   - totalByteCount: The maximum total size of all members in bytes.
  ///   - memberCount: The maximum number of members.
  ///   - depth: The maximum number of compression layers; 0 for plain bytes only.
  ///   - expansion: The maximum number of output bytes for one byte of input.
  package init(totalByteCount: Int = 1 << 40, memberCount: Int = 100_000, depth: Int = 4, expansion: Int = 1000) {
    self.totalByteCount = totalByteCount
    self.memberCount = memberCount
    self.depth = depth
    self.expansion = expansion
  }
}
