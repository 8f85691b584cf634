/// Why a document could not be read, and where reading stopped.
public struct XMLError: Error, Sendable, Hashable {
  /// What went wrong, in a sentence without a full stop.
  public var message: String
  /// The line, counted from 1; 0 where it is not known.
  public var line: Int
  /// The column in that line, counted from 1; 0 where it is not known.
  public var column: Int

  /// Describes a failure, at an unknown place unless told otherwise.
  public init(_ message: String, line: Int = 0, column: Int = 0) {
    self.message = message
    self.line = line
    self.column = column
  }
}

extension XMLError: CustomStringConvertible {
  /// The message with its place.
  public var description: String {
    line > 0 ? "\(message) (line \(line), column \(column))" : message
  }
}
