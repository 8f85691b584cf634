/// Links of one relationship, as a copy met them.
public struct LinkCounts: Sendable, Hashable, Encodable {
  /// Those whose target is copied.
  public var copied: Int64 = 0
  /// Those whose target a filter or a reject leaves out; they become null.
  public var cut: Int64 = 0
  /// Those whose target is not there in the source either; they become null.
  public var dangling: Int64 = 0

  /// Counts links; none unless told otherwise.
  public init(copied: Int64 = 0, cut: Int64 = 0, dangling: Int64 = 0) {
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
