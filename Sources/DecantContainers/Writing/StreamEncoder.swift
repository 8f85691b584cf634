/// What packs one stream and hands it to an `OutputDescriptor`.
protocol StreamEncoder: AnyObject {
  /// Packs more bytes; what they become may be written later.
  func write(_ bytes: UnsafeRawBufferPointer) throws(ContainerError)

  /// Packs and writes what is left, and ends the stream.
  func finish() throws(ContainerError)
}

/// Hands bytes on as they are.
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
