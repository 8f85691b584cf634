extension Files {
  /// Fails early where the disk would be full half-way.
  ///
  /// - Parameters:
  ///   - byteCount: How much may be written at most.
  ///   - path: The file beside which it is written.
  ///   - name: What the message calls that file, where it is in a folder that is still to be made.
  ///   - need: Who writes it, as the beginning of a sentence that ends with the size.
  ///   - remedy: What can be done about it.
  /// - Throws: `DecantError` where that much is not free; where nobody can tell, it may be.
  package static func checkRoom(
    for byteCount: Int64,
    beside path: String,
    as name: String? = nil,
    _ need: String,
    remedy: DecantError.Text
  ) throws(DecantError) {
    guard let free = freeByteCount(beside: path), free < byteCount else { return }
    throw DecantError(
      .diskFull,
      """
      not enough disk space next to “\(name ?? path)”: \(need) \(byteCount.asByteCount), \(free.asByteCount) are free
      """,
      remedy: remedy,
      remedies: [.freeSpace(byteCount: byteCount - free), .runAgain]
    )
  }
}
