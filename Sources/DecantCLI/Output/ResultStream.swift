internal import ArgumentParser
internal import Glibc

/// Standard output for results of any length, written in large pieces.
final class ResultStream {
  private var waiting: [UInt8] = []
  private let isTerminal = isatty(STDOUT_FILENO) != 0
  private var isClosed = false

  /// How much is kept before it is written; on a terminal every line is.
  private static let pieceByteCount = 1 << 16

  /// Takes `text`; false if nobody reads any more, which is no error.
  func write(_ text: String) throws -> Bool {
    // A terminal would obey what somebody has put into a store; a file gets it as it is.
    let text = isTerminal ? text.harmless : text
    waiting.append(contentsOf: text.utf8)
    if isTerminal || waiting.count >= ResultStream.pieceByteCount { try flush() }
    return !isClosed
  }

  /// Writes what was taken so far.
  func flush() throws {
    defer { waiting.removeAll(keepingCapacity: true) }
    guard !isClosed, !waiting.isEmpty else { return }
    let code = writeAll(waiting, to: STDOUT_FILENO)
    guard code != 0 else { return }
    isClosed = true
    guard code != EPIPE else { return }
    StandardError.write("decant: cannot write the result: \(String(cString: strerror(code)))\n")
    throw ExitCode.failure
  }
}

extension String {
  /// The text with its lines, but without other characters that a terminal would obey.
  fileprivate var harmless: String {
    guard
      unicodeScalars.contains(where: { $0.properties.generalCategory == .control && $0 != "\n" })
    else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      let isControl = scalar.properties.generalCategory == .control
      text.append(isControl && scalar != "\n" ? "\u{FFFD}" : scalar)
    }
    return String(text)
  }
}
