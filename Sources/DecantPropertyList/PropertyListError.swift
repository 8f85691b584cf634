/// The reason why bytes could not be read as a property list, and the place.
package struct PropertyListError: Error, Sendable, Hashable {
  /// A place in the bytes.
  package enum Place: Sendable, Hashable {
    /// A byte of the file, counted from 0.
    case byte(Int)
    /// An object of a binary property list or of a keyed archive, counted from 0.
    case object(Int)
    /// A place in an XML property list, counted from 1.
    case line(Int, column: Int)
  }

  /// The error, in a sentence without a full stop.
  package var message: String
  /// The place; `nil` if the error concerns the list as a whole.
  package var place: Place?

  /// Creates an error, by default without a place.
  package init(_ message: String, at place: Place? = nil) {
    self.message = message
    self.place = place
  }
}

extension PropertyListError: CustomStringConvertible {
  /// The message with its place.
  package var description: String {
    switch place {
    case .byte(let offset): "\(message) (byte \(offset))"
    case .object(let position): "\(message) (object \(position))"
    case .line(let line, let column): "\(message) (line \(line), column \(column))"
    case nil: message
    }
  }
}
