internal import DecantSystem

/// A text file that is written sequentially; `close` throws an earlier failure.
package final class OutputFile {
  private let path: String
  private let stream: UnsafeMutablePointer<FILE>
  private var failure: Int32 = 0

  /// Creates the file, or empties an existing one; with `appends`, writes at its end.
  package init(_ path: String, appends: Bool = false) throws(DecantError) {
    self.path = path
    guard let stream = fopen(path, appends ? "ae" : "we") else {
      throw DecantError(SystemError("write", path))
    }
    self.stream = stream
  }

  /// Throws if something exists at `path`.
  ///
  /// - Throws: `DecantError` of the family `.usage`.
  package static func checkIsNew(_ path: String) throws(DecantError) {
    guard FileStatus(unfollowed: path) != nil else { return }
    throw DecantError(
      .alreadyExists,
      "“\(path)” already exists",
      remedy: "name another file, or remove it first: nothing is overwritten"
    )
  }

  /// Throws if something exists at `path` that decant did not write for the same purpose.
  ///
  /// - Parameters:
  ///   - path: The file to write.
  ///   - option: The option that named it.
  ///   - isOwn: Whether the first bytes of the existing file are those of such a file.
  /// - Throws: `DecantError` of the family `.usage`.
  package static func checkMayWrite(
    _ path: String,
    option: DecantError.Option,
    _ isOwn: ([UInt8]) -> Bool
  ) throws(DecantError) {
    guard let status = FileStatus(unfollowed: path), !status.isFile || status.byteCount > 0 else {
      return
    }
    var start = [UInt8](repeating: 0, count: 16)
    if status.isFile, let file = fopen(path, "re") {
      let count = fread(&start, 1, start.count, file)
      fclose(file)
      if isOwn(Array(start.prefix(count))) { return }
    }
    throw DecantError(
      .alreadyExists,
      "“\(path)” already exists and would be overwritten",
      place: "\(option: option)",
      remedy: "name a file that does not exist yet"
    )
  }

  /// Writes `text`.
  package func write(_ text: String) {
    if fputs(text, stream) < 0, failure == 0 { failure = errno }
  }

  /// Closes the file; throws if anything could not be written.
  package func close() throws(DecantError) {
    if fclose(stream) != 0, failure == 0 { failure = errno }
    guard failure == 0 else { throw DecantError(SystemError("write", path, code: failure)) }
  }
}
