/// What was read and unpacked so far, held against the limits.
final class Meter {
  let limits: ContainerLimits
  /// The depth of the input, which lies in containers itself where it is not 0.
  private let depth: Int
  /// The bytes at each depth: those of the input, then what came out of the layers.
  private var byteCounts: [Int] = []
  private var memberCount = 0

  init(_ limits: ContainerLimits, depth: Int = 0) {
    self.limits = limits
    self.depth = depth
  }

  /// Counts bytes that a layer gave, or the input at its own depth.
  func count(_ count: Int, at depth: Int) throws(ContainerError) {
    byteCounts[depth] += count
    let total = byteCounts[depth]
    if total > limits.totalByteCount {
      throw .exceeded(.totalByteCount, limit: limits.totalByteCount)
    }
    let (most, isHuge) = byteCounts[self.depth].multipliedReportingOverflow(by: max(limits.expansion, 1))
    if depth > self.depth && total > ContainerLimits.expansionGrace && !isHuge && total > most {
      throw .exceeded(.expansion, limit: limits.expansion)
    }
  }

  /// Counts a member.
  func countMember() throws(ContainerError) {
    memberCount += 1
    if memberCount > limits.memberCount {
      throw .exceeded(.memberCount, limit: limits.memberCount)
    }
  }

  /// Allows for bytes at `depth`, if the limit does.
  func enter(_ depth: Int) throws(ContainerError) {
    if depth > max(limits.depth, 0) { throw .exceeded(.depth, limit: limits.depth) }
    while byteCounts.count <= depth { byteCounts.append(0) }
  }
}
