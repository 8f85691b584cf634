extension StringProtocol {
  /// Without blanks, line ends and the like at both ends.
  package var trimmingBlanks: String {
    // Most texts have none; a character that begins with a sign of ASCII is no blank.
    let isTrimmed = utf8.withContiguousStorageIfAvailable { bytes in
      guard let first = bytes.first, let last = bytes.last else { return true }
      return 0x21...0x7e ~= first && 0x21...0x7e ~= last
    }
    if isTrimmed == true { return String(self) }
    var text = self[...]
    while text.first?.isWhitespace == true { text = text.dropFirst() }
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return String(text)
  }
}
