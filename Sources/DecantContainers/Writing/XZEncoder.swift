internal import CDecantCompression

/// One xz stream with a CRC-64 of its content; several if padding is needed.
final class XZEncoder: StreamEncoder {
  private let stream = UnsafeMutablePointer<lzma_stream>.allocate(capacity: 1)
  private let buffer: PackedBuffer
  private let level: Int

  /// A stream of nothing: its header, an empty index, and its footer.
  ///
  /// Zeros between streams are allowed as well, but not every reader goes on after them.
  private static let emptyStream: [UInt8] = [
    0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00, 0x00, 0x04, 0xE6, 0xD6, 0xB4, 0x46, 0x00, 0x00, 0x00, 0x00,
    0x1C, 0xDF, 0x44, 0x21, 0x1F, 0xB6, 0xF3, 0x7D, 0x01, 0x00, 0x00, 0x00, 0x00, 0x04, 0x59, 0x5A,
  ]

  init(_ output: OutputDescriptor, level: Int) throws(ContainerError) {
    stream.initialize(to: decant_lzma_stream())
    (buffer, self.level) = (PackedBuffer(output), level)
    try begin()
  }

  private func begin() throws(ContainerError) {
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

  /// Ends the stream, writes empty ones, and begins another.
  func pad(_ byteCount: Int) throws(ContainerError) {
    try finish()
    let empty = XZEncoder.emptyStream
    for _ in 0...byteCount / empty.count { try buffer.write(empty) }
    try begin()
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
