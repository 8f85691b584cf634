internal import DecantBase
internal import DecantSystem

/// Standard output for results of any length, written in large pieces.
final class ResultStream {
  private var waiting: [UInt8] = []
  private let isTerminal = isatty(STDOUT_FILENO) != 0
  private var isClosed = false

  /// The size of the buffer; on a terminal, every line is written at once.
  private static let pieceByteCount = 1 << 16

  /// Takes `texts`, which together end a line; returns false if the reader is gone, which is not an error.
  ///
  /// Large texts are written without being copied.
  func write(_ texts: [String]) throws(DecantError) -> Bool {
    for text in texts {
      // A store may contain terminal control characters; a file gets them unchanged.
      let text = isTerminal ? text.harmless : text
      guard text.utf8.count >= ResultStream.pieceByteCount else {
        waiting.append(contentsOf: text.utf8)
        continue
      }
      try flush()
      try check { writeAll(text, to: STDOUT_FILENO) }
    }
    if isTerminal || waiting.count >= ResultStream.pieceByteCount { try flush() }
    return !isClosed
  }

  /// Writes the buffered texts.
  func flush() throws(DecantError) {
    defer { waiting.removeAll(keepingCapacity: true) }
    guard !waiting.isEmpty else { return }
    try check { writeAll(waiting, to: STDOUT_FILENO) }
  }

  /// Runs `write` unless the reader is gone, and records whether it is gone afterwards.
  private func check(_ write: () -> Int32) throws(DecantError) {
    guard !isClosed else { return }
    let code = write()
    guard code != 0 else { return }
    isClosed = true
    guard code != EPIPE else { return }
    throw StandardOutput.failure(code)
  }
}

extension String {
  /// The text with its line ends and tabs, but without other terminal control characters.
  var harmless: String {
    func isShown(_ scalar: Unicode.Scalar) -> Bool { !scalar.isObeyed || scalar == "\n" || scalar == "\t" }
    guard !unicodeScalars.allSatisfy(isShown) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars { text.append(isShown(scalar) ? scalar : "\u{FFFD}") }
    return String(text)
  }
}
