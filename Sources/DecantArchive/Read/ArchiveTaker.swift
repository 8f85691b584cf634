package import DecantJSON

/// Who takes what the lines of an archive say, in their order.
///
/// What is lent is gone when the call returns. A fault that is thrown is told with the line's number.
package protocol ArchiveTaker: AnyObject {
  /// Takes the header, before everything else.
  func take(_ header: ArchiveHeader) throws
  /// Takes a piece of a large value; it was checked to follow on the one before.
  func take(piece: UnsafeRawBufferPointer, of blob: ArchiveBlob) throws
  /// Takes the end of a large value, whose digest was checked.
  func take(finished blob: ArchiveBlob) throws
  /// Takes the line of an object, or one with more links of it.
  ///
  /// - Parameter line: The JSON; to be read to its end.
  /// - Returns: What the line was about.
  /// - Throws: `ArchiveFault` for what is wrong with it.
  func take(object line: inout JSONReader) throws -> ArchiveObject
}

/// What a line of an object was about.
package struct ArchiveObject {
  /// The name of its entity.
  var entity: String
  /// How many links the line holds.
  var links: Int64
  /// Whether it only has more links of an object.
  var isMore: Bool
}

/// A large value.
package struct ArchiveBlob {
  /// Its SHA-256, in 64 small hexadecimal digits.
  let hash: String
  /// How many bytes of it came so far.
  var byteCount: Int64 = 0
}
