/// The output buffer of a compression library.
final class PackedBuffer {
  let memory: UnsafeMutableRawBufferPointer
  private let output: OutputDescriptor

  init(_ output: OutputDescriptor, byteCount: Int = 1 << 18) {
    self.output = output
    memory = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
  }

  deinit { memory.deallocate() }

  /// Writes the first `byteCount` bytes.
  func flush(_ byteCount: Int) throws(ContainerError) {
    try output.write(UnsafeRawBufferPointer(rebasing: memory[..<byteCount]))
  }
}
