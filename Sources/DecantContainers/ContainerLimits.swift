/// How much a container from others may ask for; each limit is checked while bytes are unpacked.
///
/// Nothing that a header says of sizes is believed.
package struct ContainerLimits: Sendable, Hashable {
  /// Which of the limits one is.
  package enum Kind: Sendable, Hashable, CaseIterable {
    /// That of `ContainerLimits.totalByteCount`.
    case totalByteCount
    /// That of `ContainerLimits.memberCount`.
    case memberCount
    /// That of `ContainerLimits.depth`.
    case depth
    /// That of `ContainerLimits.expansion`.
    case expansion
  }

  /// How many bytes all members may have together; 1 TiB unless told otherwise.
  ///
  /// Bytes of containers in containers are counted at each depth for itself, and none may have more. The
  /// default is beyond what a store of one person holds, photo libraries included, and ends a stream
  /// without end within an hour or so; what is read is never held, so that it protects time and the
  /// disk behind the caller rather than memory.
  package var totalByteCount: Int

  /// How many members there may be, at all depths together; 100 000 unless told otherwise.
  ///
  /// Folders count. An archive has one, or one for each of its parts; the place in a zip of each member
  /// takes some 100 bytes of memory until the zip's end.
  package var memberCount: Int

  /// How many layers of packing may lie around the bytes of a member; 4 unless told otherwise.
  ///
  /// A gzip file has one, and so has a member of a zip or tar, even one that is only stored; a gzip file in a
  /// zip has two, and so has a member of a `.tar.gz`. A zip of a library of Paprika has three. Each layer takes memory: 0.3 MiB, but up to 128 MiB for zstd, xz and 7z that
  /// ask for it.
  package var depth: Int

  /// How many bytes may come of one byte of input; 1000 unless told otherwise.
  ///
  /// It is looked at from the first `expansionGrace` bytes on. Lines of JSON without values but keys and
  /// running numbers, the most repetitive that an export writes, were measured at 20 : 1 for gzip, 60 : 1
  /// for zstd and 200 : 1 for xz at their best levels. Deflate cannot exceed 1032 : 1; zstd and xz of
  /// nothing but zeros reach 7 000 to 30 000 : 1.
  package var expansion: Int

  /// The bytes at each depth that may come of however few: 16 MiB.
  package static let expansionGrace = 1 << 24

  /// Sets the limits that are told, and the others to their defaults.
  ///
  /// - Parameters:
  ///   - totalByteCount: How many bytes all members may have together.
  ///   - memberCount: How many members there may be.
  ///   - depth: How many layers of packing there may be; 0 for plain bytes only.
  ///   - expansion: How many bytes may come of one.
  package init(totalByteCount: Int = 1 << 40, memberCount: Int = 100_000, depth: Int = 4, expansion: Int = 1000) {
    self.totalByteCount = totalByteCount
    self.memberCount = memberCount
    self.depth = depth
    self.expansion = expansion
  }
}
