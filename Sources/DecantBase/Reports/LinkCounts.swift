/// The links of one relationship in a copy.
public struct LinkCounts: Sendable, Hashable, Encodable {
  /// Links whose target is copied.
  public var copied: Int64 = 0
  /// Links whose target is filtered out or rejected; they become null.
  public var cut: Int64 = 0
  /// Links whose target does not exist in the source either; they become null.
  public var dangling: Int64 = 0

  /// Describes the counts; by default 0.
  package init(copied: Int64 = 0, cut: Int64 = 0, dangling: Int64 = 0) {
    self.copied = copied
    self.cut = cut
    self.dangling = dangling
  }

  /// Adds the counts of `other`.
  public static func += (counts: inout LinkCounts, other: LinkCounts) {
    counts.copied += other.copied
    counts.cut += other.cut
    counts.dangling += other.dangling
  }
}
