internal import ArgumentParser
internal import DecantBase
internal import DecantSystem
internal import DecantJSON

/// Where messages and progress go; no password in an address is among them.
enum StandardError {
  static func write(_ text: String) {
    // Where errors cannot be told there is nobody to tell it to.
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

  /// The width of the terminal in columns; 80 where nobody can tell.
  static var columnCount: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}

/// Where reports go; no password in an address is among them.
enum StandardOutput {
  /// Writes `text` and a line end; a terminal gets nothing that it would obey, as values and names of files are in it.
  ///
  /// A reader that has gone away, as `head` does, is no error.
  static func write(_ text: String) throws {
    let shown = isatty(STDOUT_FILENO) == 0 ? text : text.harmless
    let code = writeAll(shown.withoutPasswords + "\n", to: STDOUT_FILENO)
    guard code != 0, code != EPIPE else { return }
    StandardError.write("decant: cannot write the result: \(String(cString: strerror(code)))\n")
    throw ExitCode.failure
  }

  /// Writes `report` as one JSON document.
  static func write(document report: some Encodable) throws { try write(report.documentText) }

  /// Writes `bytes` as they are.
  ///
  /// - Parameter bytes: A piece of a result of which the end counts.
  /// - Throws: `DecantError` where they cannot be written, also where nobody reads any more.
  static func write(_ bytes: UnsafeRawBufferPointer) throws(DecantError) {
    let code = writeAll(bytes, to: STDOUT_FILENO)
    guard code != 0 else { return }
    throw failure(code)
  }

  /// The error of a result that could not be written whole.
  static func failure(_ code: Int32) -> DecantError {
    DecantError(
      .outputFailed,
      "cannot write the result: \(String(cString: strerror(code)))",
      remedy: "the output is incomplete: discard it"
    )
  }

  /// The width of the terminal in columns; `nil` where results go elsewhere.
  static var terminalColumnCount: Int? {
    guard isatty(STDOUT_FILENO) != 0 else { return nil }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// How many columns text is wrapped to: the terminal's, up to what is still easy to read; `nil` where text goes elsewhere.
  static var readableColumnCount: Int? { terminalColumnCount.map { min(max($0, 40), 110) } }

  /// The same, and 80 where text goes elsewhere.
  static var columnCount: Int { readableColumnCount ?? 80 }
}

extension Encodable {
  /// The JSON document that says the same, over several lines.
  var documentText: String { get throws { try JSONValue(encoding: self).indentedText } }
}

/// Writes all of `text`; returns 0, or why it could not.
func writeAll(_ text: String, to descriptor: Int32) -> Int32 {
  var text = text
  // From where the text is, as it may be large.
  return text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
}

/// Writes all of `bytes`; returns 0, or why it could not.
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
