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
  package var trimmed: String {
    // Most texts need no trimming; a character that begins with a printable ASCII sign is not white space.
    let isTrimmed = utf8.withContiguousStorageIfAvailable { bytes in
      guard let first = bytes.first, let last = bytes.last else { return true }
      return 0x21...0x7e ~= first && 0x21...0x7e ~= last
    }
    return isTrimmed == true ? String(self) : String(trimming(while: \.isWhitespace))
  }
}
