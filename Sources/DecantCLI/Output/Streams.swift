internal import ArgumentParser
internal import DecantBase
internal import DecantSystem
internal import DecantJSON

/// Standard error, for messages and progress; passwords in addresses are replaced.
enum StandardError {
  static func write(_ text: String) {
    // An error of standard error itself cannot be reported.
    _ = writeAll(text.withoutPasswords, to: STDERR_FILENO)
  }

  /// Writes `event` as one line of JSON.
  static func write(line event: some Encodable) {
    do {
      write(try JSONValue(encoding: event).text + "\n")
    } catch {
      write("decant: cannot report progress: \(error)\n")
    }
  }

  static var isTerminal: Bool { isatty(STDERR_FILENO) != 0 }

  /// The width of the terminal in columns; 80 if unknown.
  static var columnCount: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}

/// Standard output, for reports; passwords in addresses are replaced.
enum StandardOutput {
  /// Writes `text` and a line end; on a terminal without control characters, which values and file names may contain.
  ///
  /// It is written when the work is done. A reader that has closed the pipe, as `head` does, is not an error.
  static func write(_ text: String) throws {
    let shown = isatty(STDOUT_FILENO) == 0 ? text : text.harmless
    let code = writeAll(shown.withoutPasswords + "\n", to: STDOUT_FILENO)
    guard code != 0, code != EPIPE else { return }
    StandardError.write(
      """
      decant: cannot write the report: \(String(cString: strerror(code)))
        only the report is lost: changes to a store are complete, and need not be repeated

      """)
    throw ExitCode.failure
  }

  /// Writes `report` as one JSON document.
  static func write(document report: some Encodable) throws { try write(report.documentText) }

  /// Writes `bytes` unchanged.
  ///
  /// - Parameter bytes: A piece of a result that must be complete.
  /// - Throws: `DecantError` if they cannot be written, including when the reader is gone.
  static func write(_ bytes: UnsafeRawBufferPointer) throws(DecantError) {
    let code = writeAll(bytes, to: STDOUT_FILENO)
    guard code != 0 else { return }
    throw failure(code)
  }

  /// Returns the error of a result that could not be written completely.
  static func failure(_ code: Int32) -> DecantError {
    DecantError(
      .outputFailed,
      "cannot write the result: \(String(cString: strerror(code)))",
      remedy: "the output is incomplete: discard it"
    )
  }

  /// The width of the terminal in columns; `nil` if the output is not a terminal.
  static var terminalColumnCount: Int? {
    guard isatty(STDOUT_FILENO) != 0 else { return nil }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// The width for wrapping text: the terminal's, limited to what is easy to read; `nil` without a terminal.
  static var readableColumnCount: Int? { terminalColumnCount.map { min(max($0, 40), 110) } }

  /// The same width; 80 if the output is not a terminal.
  static var columnCount: Int { readableColumnCount ?? 80 }
}

extension Encodable {
  /// The value as a JSON document of several lines.
  var documentText: String { get throws { try JSONValue(encoding: self).indentedText } }
}

/// Writes all of `text`; returns 0, or the error code.
func writeAll(_ text: String, to descriptor: Int32) -> Int32 {
  var text = text
  // Without a copy, as the text may be large.
  return text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
}

/// Writes all of `bytes`; returns 0, or the error code.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
  bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
}

private func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
  var done = 0
  while done < bytes.count {
    let count = write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return errno }
    done += count
  }
  return 0
}
