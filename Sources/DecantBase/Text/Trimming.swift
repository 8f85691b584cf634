extension BidirectionalCollection {
  /// Returns the part without the elements at both ends that `isTrimmed` accepts, in time proportional to those.
  @inlinable
  package func trimming(while isTrimmed: (Element) -> Bool) -> SubSequence {
    let start = firstIndex { !isTrimmed($0) } ?? endIndex
    let end = self[start...].lastIndex { !isTrimmed($0) }
    return end.map { self[start...$0] } ?? self[start..<start]
  }
}

extension StringProtocol {
  /// The text without white space at both ends.
  package var trimmed: String { String(trimming(while: \.isWhitespace)) }
}
