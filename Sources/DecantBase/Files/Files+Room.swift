extension Files {
  /// Throws early if the disk would become full during the work.
  ///
  /// - Parameters:
  ///   - byteCount: The most bytes that may be written.
  ///   - path: A file in the folder that is written to.
  ///   - name: The name of that file in the message, if its folder does not exist yet.
  ///   - need: What needs the space, as the beginning of a sentence that ends with the size.
  ///   - remedy: What the user can do about it.
  /// - Throws: `DecantError` if less space is free; an unknown amount counts as enough.
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
