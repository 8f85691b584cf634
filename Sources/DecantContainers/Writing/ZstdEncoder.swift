internal import CDecantCompression

/// One zstd frame (RFC 8878) with a checksum of its content; several if padding is needed.
final class ZstdEncoder: StreamEncoder {
  private let context: OpaquePointer
  private let buffer: PackedBuffer

  init(_ output: OutputDescriptor, level: Int) throws(ContainerError) {
    guard let context = ZSTD_createCCtx() else { throw .outOfMemory }
    self.context = context
    buffer = PackedBuffer(output)
    try check(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Int32(level)))
    try check(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1))
  }

  deinit { ZSTD_freeCCtx(context) }

  func write(_ bytes: UnsafeRawBufferPointer) throws(ContainerError) {
    var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
    while input.pos < input.size { _ = try pack(&input, ZSTD_e_continue) }
  }

  /// Ends the frame, and writes a frame that unpackers skip.
  func pad(_ byteCount: Int) throws(ContainerError) {
    try finish()
    var rest = byteCount
    while rest > 0 {
      let count = min(rest, 1 << 16)
      var frame: [UInt8] = []
      frame.append(littleEndian: [(4, 0x184D_2A50), (4, count)])
      try buffer.write(frame + [UInt8](repeating: 0, count: count))
      rest -= count
    }
  }

  func finish() throws(ContainerError) {
    var nothing = ZSTD_inBuffer(src: nil, size: 0, pos: 0)
    while try pack(&nothing, ZSTD_e_end) > 0 {}
  }

  /// Packs once; at the end, returns a number other than 0 while there is more to write.
  private func pack(_ input: inout ZSTD_inBuffer, _ directive: ZSTD_EndDirective) throws(ContainerError) -> Int {
    var output = ZSTD_outBuffer(dst: buffer.memory.baseAddress, size: buffer.memory.count, pos: 0)
    let rest = ZSTD_compressStream2(context, &output, &input, directive)
    try check(rest)
    try buffer.flush(output.pos)
    return rest
  }

  private func check(_ code: Int) throws(ContainerError) {
    guard ZSTD_isError(code) != 0 else { return }
    if ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation { throw .outOfMemory }
    throw .unsupported("libzstd says: \(String(cString: ZSTD_getErrorName(code)))")
  }
}
