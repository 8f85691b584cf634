internal import DecantBase
internal import DecantSystem

/// Standard output for results of any length, written in large pieces.
final class ResultStream {
  private var waiting: [UInt8] = []
  private let isTerminal = isatty(STDOUT_FILENO) != 0
  private var isClosed = false

  /// How much is kept before it is written; on a terminal every line is.
  private static let pieceByteCount = 1 << 16

  /// Takes `texts`, which end a line together; false if nobody reads any more, which is no error.
  ///
  /// Large ones among them are written from where they are, so that no second copy of them is made.
  func write(_ texts: [String]) throws(DecantError) -> Bool {
    for text in texts {
      // A terminal would obey what somebody has put into a store; a file gets it as it is.
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

  /// Writes what was taken so far.
  func flush() throws(DecantError) {
    defer { waiting.removeAll(keepingCapacity: true) }
    guard !waiting.isEmpty else { return }
    try check { writeAll(waiting, to: STDOUT_FILENO) }
  }

  /// Runs `write`, unless nobody reads any more, and finds out whether somebody did.
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
  /// The text with its lines and tabs, but without other characters that a terminal would obey.
  var harmless: String {
    func isShown(_ scalar: Unicode.Scalar) -> Bool { !scalar.isObeyed || scalar == "\n" || scalar == "\t" }
    guard !unicodeScalars.allSatisfy(isShown) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars { text.append(isShown(scalar) ? scalar : "\u{FFFD}") }
    return String(text)
  }
}
