/// The reason why a document could not be read, and the place.
package struct XMLError: Error, Sendable, Hashable {
  /// The error, in a sentence without a full stop.
  package var message: String
  /// The line, counted from 1; 0 if unknown.
  package var line: Int
  /// The column in that line, counted from 1; 0 if unknown.
  package var column: Int

  /// Creates an error, by default without a place.
  package init(_ message: String, line: Int = 0, column: Int = 0) {
    self.message = message
    self.line = line
    self.column = column
  }
}

extension XMLError: CustomStringConvertible {
  /// The message with its place.
  package var description: String {
    line > 0 ? "\(message) (line \(line), column \(column))" : message
  }
}
