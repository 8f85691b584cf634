internal import DecantBase
internal import DecantSystem

/// Standard input, from which answers and texts are read.
enum StandardInput {
  /// Reads a line; `nil` at the end, or after Ctrl-C on a terminal.
  static func line() -> String? {
    if isatty(STDIN_FILENO) != 0 {
      var keyboard = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      while poll(&keyboard, 1, 50) <= 0 {
        if Interrupt.isRequested { return nil }
      }
    }
    return readLine()
  }

  /// Reads text to its end, of at most `limit` bytes.
  static func text(limit: Int) throws(DecantError) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw DecantError(.systemFailed, "cannot read standard input: \(String(cString: strerror(errno)))")
      }
      guard count > 0 else { break }
      bytes += buffer[..<count]
      guard bytes.count <= limit else {
        throw DecantError(
          .invalidInput,
          "standard input has more than \(Int64(limit).asByteCount)",
          remedy: "pass one statement"
        )
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw DecantError(
        .invalidInput,
        "standard input is not UTF-8 text",
        remedy: "pass one statement"
      )
    }
    return text
  }
}
