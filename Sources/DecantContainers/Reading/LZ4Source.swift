internal import CDecantCompression

/// Unpacks consecutive lz4 frames, including skippable ones, up to the end of the input.
final class LZ4Source: ByteSource {
  private let input: BufferedInput
  private let context: OpaquePointer
  private var isBetweenFrames = false

  /// Begins at the first byte of a frame.
  init(_ input: BufferedInput) throws(ContainerError) {
    self.input = input
    var made: OpaquePointer?
    guard LZ4F_isError(LZ4F_createDecompressionContext(&made, UInt32(LZ4F_VERSION))) == 0,
      let made
    else { throw .outOfMemory }
    context = made
  }

  deinit { LZ4F_freeDecompressionContext(context) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    while true {
      let isThere = try input.has(1)
      if !isThere && isBetweenFrames { return 0 }
      let window = input.window
      var (readCount, count) = (window.count, buffer.count)
      let code = LZ4F_decompress(context, buffer.baseAddress, &count, window.baseAddress, &readCount, nil)
      if LZ4F_isError(code) != 0 {
        let name = String(cString: LZ4F_getErrorName(code))
        if name == "ERROR_allocation_failed" { throw .outOfMemory }
        throw .damaged("liblz4 says: \(name)", at: input.position)
      }
      input.skip(readCount)
      isBetweenFrames = code == 0
      if count > 0 { return count }
      // All unpacked bytes are returned before more input is needed.
      guard isThere || isBetweenFrames else { throw .truncated("lz4 data", at: input.position) }
      guard !isThere || readCount > 0 || isBetweenFrames else {
        throw .damaged("lz4 data makes no progress", at: input.position)
      }
    }
  }
}
