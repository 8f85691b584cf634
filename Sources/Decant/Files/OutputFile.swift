internal import Glibc

/// A text file that is written from its beginning; a failure is told when it is closed.
package final class OutputFile {
  private let path: String
  private let stream: UnsafeMutablePointer<FILE>
  private var failure: Int32 = 0

  /// Makes the file, or empties the one that is there.
  package init(_ path: String) throws(DecantError) {
    self.path = path
    guard let stream = fopen(path, "we") else { throw DecantError(SystemError("write", path)) }
    self.stream = stream
  }

  /// Writes `text`.
  package func write(_ text: String) {
    if fputs(text, stream) < 0, failure == 0 { failure = errno }
  }

  /// Ends the file; throws if anything could not be written.
  package func close() throws(DecantError) {
    if fclose(stream) != 0, failure == 0 { failure = errno }
    guard failure == 0 else { throw DecantError(SystemError("write", path, code: failure)) }
  }
}
