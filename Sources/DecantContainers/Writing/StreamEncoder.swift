/// Packs one stream and writes it to an `OutputDescriptor`.
protocol StreamEncoder: AnyObject {
  /// Packs more bytes; their output may be written later.
  func write(_ bytes: UnsafeRawBufferPointer) throws(ContainerError)

  /// Writes everything that was packed so far, and at least `byteCount` bytes that unpack to nothing.
  func pad(_ byteCount: Int) throws(ContainerError)

  /// Packs and writes the remaining bytes, and ends the stream.
  func finish() throws(ContainerError)
}

extension StreamEncoder {
  /// By default nothing: what it packs never shrinks that much.
  func pad(_ byteCount: Int) throws(ContainerError) {}
}

/// The padding that a stream needs if it packs extremely well, such as blanks.
///
/// Without it a reader would take the stream for a decompression bomb: see `ContainerLimits.expansion`. Padding costs two
/// thousandths of the unpacked size, and no other stream has any.
struct Padding {
  /// The number of unpacked bytes so far.
  private var byteCount = 0

  /// The maximum number of unpacked bytes for each packed one, half of what readers allow by default.
  private static let expansion = ContainerLimits().expansion / 2

  /// Counts `count` more unpacked bytes.
  ///
  /// - Parameters:
  ///   - count: The number of bytes.
  ///   - packedCount: The number of packed bytes so far.
  /// - Returns: The number of packed bytes that are missing; usually 0.
  mutating func add(_ count: Int, packedCount: Int) -> Int {
    byteCount += count
    guard byteCount > ContainerLimits.expansionGrace / 2 else { return 0 }
    return max(byteCount / Padding.expansion - packedCount, 0)
  }
}

/// Writes bytes unchanged.
final class PlainEncoder: StreamEncoder {
  private let output: OutputDescriptor

  init(_ output: OutputDescriptor) {
    self.output = output
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(ContainerError) {
    try output.write(bytes)
  }

  func finish() throws(ContainerError) {}
}
