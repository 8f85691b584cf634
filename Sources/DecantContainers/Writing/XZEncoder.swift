internal import CDecantCompression

/// One xz stream with a CRC-64 of its content.
final class XZEncoder: StreamEncoder {
  private let stream = UnsafeMutablePointer<lzma_stream>.allocate(capacity: 1)
  private let buffer: PackedBuffer

  init(_ output: OutputDescriptor, level: Int) throws(ContainerError) {
    stream.initialize(to: decant_lzma_stream())
    buffer = PackedBuffer(output)
    guard lzma_easy_encoder(stream, UInt32(level), LZMA_CHECK_CRC64) == LZMA_OK else {
      throw .outOfMemory
    }
  }

  deinit {
    lzma_end(stream)
    stream.deallocate()
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(ContainerError) {
    stream.pointee.next_in = bytes.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_in = bytes.count
    while stream.pointee.avail_in > 0 { _ = try pack(LZMA_RUN) }
  }

  func finish() throws(ContainerError) {
    while try !pack(LZMA_FINISH) {}
  }

  /// Packs once; returns whether the stream has ended.
  private func pack(_ action: lzma_action) throws(ContainerError) -> Bool {
    stream.pointee.next_out = buffer.memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = buffer.memory.count
    let code = lzma_code(stream, action)
    switch code {
    case LZMA_OK, LZMA_STREAM_END: break
    case LZMA_MEM_ERROR: throw .outOfMemory
    default: throw .unsupported("liblzma failed with code \(code.rawValue)")
    }
    try buffer.flush(buffer.memory.count - stream.pointee.avail_out)
    return code == LZMA_STREAM_END
  }
}
