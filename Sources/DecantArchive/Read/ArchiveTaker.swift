package import DecantJSON

/// Receives the content of the lines of an archive, in order.
///
/// Lent bytes are invalid when the call returns. The reader adds the line number to a fault that is thrown.
package protocol ArchiveTaker: AnyObject {
  /// Receives the header, before everything else.
  func take(_ header: ArchiveHeader) throws
  /// Receives a piece of a large value; the pieces are in order.
  func take(piece: UnsafeRawBufferPointer, of blob: ArchiveBlob) throws
  /// Receives the end of a large value, after its digest was checked.
  func take(finished blob: ArchiveBlob) throws
  /// Receives the line of an object, or one with more of its links.
  ///
  /// - Parameter line: The JSON; it must be read to its end.
  /// - Returns: The object of the line.
  /// - Throws: `ArchiveFault` for an error in it.
  func take(object line: inout JSONReader) throws -> ArchiveObject
}

/// The object of a line.
package struct ArchiveObject {
  /// The name of its entity.
  var entity: String
  /// The number of links in the line.
  var links: Int64
  /// Whether the line only adds links to an object.
  var isMore: Bool
}

/// A large value.
package struct ArchiveBlob {
  /// Its SHA-256, as 64 lower-case hexadecimal digits.
  let hash: String
  /// The number of bytes received so far.
  var byteCount: Int64 = 0
}
