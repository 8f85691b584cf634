extension TextLines {
  /// The maximum number of bytes of a text that is one recipe.
  private static let wholeByteLimit = 1 << 20

  /// Returns all lines as one text, for formats with one recipe to a file.
  ///
  /// - Returns: The text, or a fault for a file larger than 1 MiB.
  package func wholeText() throws -> Result<String, RecipeFault> {
    var bytes: [UInt8] = []
    var byteCount = 0
    while let line = try next() {
      byteCount += line.count + 1
      guard byteCount <= Self.wholeByteLimit else { continue }
      bytes += line
      bytes.append(0x0a)
    }
    guard byteCount <= Self.wholeByteLimit else {
      return .failure(RecipeFault("the file has \(byteCount) bytes, more than the limit"))
    }
    return .success(TextEncoding.text(bytes))
  }
}
