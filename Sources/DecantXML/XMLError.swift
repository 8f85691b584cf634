/// Why a document could not be read, and where reading stopped.
package struct XMLError: Error, Sendable, Hashable {
  /// What went wrong, in a sentence without a full stop.
  package var message: String
  /// The line, counted from 1; 0 where it is not known.
  package var line: Int
  /// The column in that line, counted from 1; 0 where it is not known.
  package var column: Int

  /// Describes a failure, at an unknown place unless told otherwise.
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
