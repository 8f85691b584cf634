internal import CDecantCompression

/// One lz4 frame with a checksum of its content.
final class LZ4Encoder: StreamEncoder {
  /// The number of bytes packed at once, and the block size of the frame.
  private static let pieceSize = 1 << 18

  private let context: OpaquePointer
  private let buffer: PackedBuffer
  private var preferences: LZ4F_preferences_t
  private var hasHeader = false

  init(_ output: OutputDescriptor, level: Int) throws(ContainerError) {
    preferences = LZ4F_preferences_t()
    preferences.frameInfo.blockSizeID = LZ4F_max256KB
    preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled
    preferences.compressionLevel = Int32(level)
    var made: OpaquePointer?
    guard LZ4F_isError(LZ4F_createCompressionContext(&made, UInt32(LZ4F_VERSION))) == 0,
      let made
    else { throw .outOfMemory }
    context = made
    let bound = LZ4F_compressBound(LZ4Encoder.pieceSize, &preferences)
    buffer = PackedBuffer(output, byteCount: max(bound, Int(LZ4F_HEADER_SIZE_MAX)))
  }

  deinit { LZ4F_freeCompressionContext(context) }

  func write(_ bytes: UnsafeRawBufferPointer) throws(ContainerError) {
    try writeHeader()
    var rest = bytes
    while !rest.isEmpty {
      let count = min(rest.count, LZ4Encoder.pieceSize)
      try flush(
        LZ4F_compressUpdate(context, buffer.memory.baseAddress, buffer.memory.count, rest.baseAddress, count, nil)
      )
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  func finish() throws(ContainerError) {
    try writeHeader()
    try flush(LZ4F_compressEnd(context, buffer.memory.baseAddress, buffer.memory.count, nil))
  }

  private func writeHeader() throws(ContainerError) {
    guard !hasHeader else { return }
    hasHeader = true
    try flush(LZ4F_compressBegin(context, buffer.memory.baseAddress, buffer.memory.count, &preferences))
  }

  /// Writes the output of a call, or throws its error.
  private func flush(_ code: Int) throws(ContainerError) {
    guard LZ4F_isError(code) == 0 else {
      let name = String(cString: LZ4F_getErrorName(code))
      if name == "ERROR_allocation_failed" { throw .outOfMemory }
      throw .unsupported("liblz4 says: \(name)")
    }
    try buffer.flush(code)
  }
}
