/// Packs one stream and writes it to an `OutputDescriptor`.
protocol StreamEncoder: AnyObject {
  /// Packs more bytes; their output may be written later.
  func write(_ bytes: UnsafeRawBufferPointer) throws(ContainerError)

  /// Packs and writes the remaining bytes, and ends the stream.
  func finish() throws(ContainerError)
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
