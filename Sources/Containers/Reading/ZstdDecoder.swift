internal import CCompression

/// Frames of zstd (RFC 8878), those to skip included.
///
/// The library asks for no more than 128 MiB, which is what level 22 takes.
final class ZstdDecoder: FrameDecoder {
  static let what = "zstd data"

  private let context: OpaquePointer

  init() throws(ContainerError) {
    guard let context = ZSTD_createDCtx() else { throw .outOfMemory }
    self.context = context
  }

  deinit { ZSTD_freeDCtx(context) }

  func step(
    _ window: UnsafeRawBufferPointer,
    into buffer: UnsafeMutableRawBufferPointer,
    at position: Int
  ) throws(ContainerError) -> (readCount: Int, count: Int, isAtEndOfFrame: Bool) {
    var input = ZSTD_inBuffer(src: window.baseAddress, size: window.count, pos: 0)
    var output = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
    let code = ZSTD_decompressStream(context, &output, &input)
    if ZSTD_isError(code) == 0 { return (input.pos, output.pos, code == 0) }
    let place = position + input.pos
    switch ZSTD_getErrorCode(code) {
    case ZSTD_error_memory_allocation: throw .outOfMemory
    case ZSTD_error_frameParameter_windowTooLarge:
      throw .unsupported("the zstd data needs more memory than 128 MiB", at: place)
    case ZSTD_error_dictionary_wrong:
      throw .unsupported("the zstd data needs a dictionary", at: place)
    case ZSTD_error_version_unsupported, ZSTD_error_frameParameter_unsupported:
      throw .unsupported("the zstd data needs another libzstd", at: place)
    case ZSTD_error_prefix_unknown:
      throw .damaged("bytes follow that are not of zstd", at: place)
    case ZSTD_error_checksum_wrong:
      throw .damaged("the checksum of a zstd frame is wrong", at: place)
    default:
      throw .damaged("libzstd says: \(String(cString: ZSTD_getErrorName(code)))", at: place)
    }
  }
}
