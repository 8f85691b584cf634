internal import CCompression

/// Frames of lz4, those to skip included.
final class LZ4Decoder: FrameDecoder {
  static let what = "lz4 data"

  private let context: OpaquePointer

  init() throws(ContainerError) {
    var made: OpaquePointer?
    guard LZ4F_isError(LZ4F_createDecompressionContext(&made, UInt32(LZ4F_VERSION))) == 0,
      let made
    else { throw .outOfMemory }
    context = made
  }

  deinit { LZ4F_freeDecompressionContext(context) }

  func step(
    _ window: UnsafeRawBufferPointer,
    into buffer: UnsafeMutableRawBufferPointer,
    at position: Int
  ) throws(ContainerError) -> (readCount: Int, count: Int, isAtEndOfFrame: Bool) {
    var (readCount, count) = (window.count, buffer.count)
    let code = LZ4F_decompress(
      context,
      buffer.baseAddress,
      &count,
      window.baseAddress,
      &readCount,
      nil
    )
    if LZ4F_isError(code) == 0 { return (readCount, count, code == 0) }
    let name = String(cString: LZ4F_getErrorName(code))
    if name == "ERROR_allocation_failed" { throw .outOfMemory }
    throw .damaged("liblz4 says: \(name)", at: position)
  }
}
