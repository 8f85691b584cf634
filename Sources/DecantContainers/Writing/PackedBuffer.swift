/// The output buffer of a compression library.
final class PackedBuffer {
  let memory: UnsafeMutableRawBufferPointer
  private let output: OutputDescriptor

  init(_ output: OutputDescriptor, byteCount: Int = 1 << 18) {
    self.output = output
    memory = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
  }

  deinit { memory.deallocate() }

  /// Writes `bytes` that are not in the buffer.
  func write(_ bytes: [UInt8]) throws(ContainerError) { try output.write(bytes) }

  /// Writes the first `byteCount` bytes.
  func flush(_ byteCount: Int) throws(ContainerError) {
    try output.write(UnsafeRawBufferPointer(rebasing: memory[..<byteCount]))
  }
}
