/// Counts the bytes read and unpacked, and checks the limits.
final class Meter {
  let limits: ContainerLimits
  /// The depth of the input; not 0 if the input was itself unpacked from containers.
  private let depth: Int
  /// The number of bytes at each depth: those of the input, then the output of each layer.
  private var byteCounts: [Int] = []
  private var memberCount = 0

  init(_ limits: ContainerLimits, depth: Int = 0) {
    self.limits = limits
    self.depth = depth
  }

  /// Counts output bytes of a layer, or input bytes at the depth of the input.
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

  /// Adds a counter for `depth`, if the limit allows that depth.
  func enter(_ depth: Int) throws(ContainerError) {
    if depth > max(limits.depth, 0) { throw .exceeded(.depth, limit: limits.depth) }
    while byteCounts.count <= depth { byteCounts.append(0) }
  }
}
