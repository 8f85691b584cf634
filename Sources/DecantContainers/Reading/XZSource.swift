internal import CDecantCompression

/// Unpacks an xz file: all of its streams.
///
/// Dictionary memory is limited: a header of a few bytes may require 4 GiB.
final class XZSource: ByteSource {
  /// Enough for level 9, which takes 65 MiB, and for dictionaries of up to 128 MiB.
  private static let memoryLimit: UInt64 = 130 << 20

  private let input: BufferedInput
  private let stream = UnsafeMutablePointer<lzma_stream>.allocate(capacity: 1)
  private var isDone = false

  init(_ input: BufferedInput) throws(ContainerError) {
    self.input = input
    stream.initialize(to: decant_lzma_stream())
    guard lzma_stream_decoder(stream, XZSource.memoryLimit, decant_lzma_flags) == LZMA_OK else {
      throw .outOfMemory
    }
  }

  deinit {
    lzma_end(stream)
    stream.deallocate()
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    while !isDone {
      let isThere = try input.has(1)
      let window = input.window.bindMemory(to: UInt8.self)
      stream.pointee.next_in = window.baseAddress
      stream.pointee.avail_in = window.count
      stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = buffer.count
      let code = lzma_code(stream, isThere ? LZMA_RUN : LZMA_FINISH)
      input.skip(window.count - stream.pointee.avail_in)
      let count = buffer.count - stream.pointee.avail_out
      switch code {
      case LZMA_OK where isThere || count > 0: break
      case LZMA_STREAM_END:
        isDone = true
        try input.expectEnd(after: "xz data")
      case LZMA_OK, LZMA_BUF_ERROR: throw .truncated("xz data", at: input.position)
      case LZMA_MEM_ERROR: throw .outOfMemory
      case LZMA_MEMLIMIT_ERROR:
        throw .unsupported("the xz data needs more than 128 MiB of memory", at: input.position)
      case LZMA_UNSUPPORTED_CHECK, LZMA_OPTIONS_ERROR:
        throw .unsupported("the xz data needs a newer liblzma", at: input.position)
      case LZMA_FORMAT_ERROR:
        throw .damaged("trailing bytes are not xz data", at: input.position)
      default: throw .damaged("the xz data is corrupt", at: input.position)
      }
      if count > 0 { return count }
    }
    return 0
  }
}
