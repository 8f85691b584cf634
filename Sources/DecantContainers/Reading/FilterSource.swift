internal import CDecantArchive

/// What bzip2 or zstd data unpack to, by libarchive: all streams in a row; the input ends with the last of them.
///
/// No other packing is left to it: it checks no checksum of gzip, stops at an empty frame of lz4, and gives xz as much
/// memory as that asks for. libzstd by itself asks for no more than 128 MiB, which is what level 22 takes.
final class FilterSource: ByteSource {
  private let input: BufferedInput
  private let handle: ArchiveHandle
  private let what: String
  private var isDone = false

  /// Begins at the first byte of a stream.
  init(_ input: BufferedInput, _ format: Format) throws(ContainerError) {
    self.input = input
    what = "\(format) data"
    handle = try ArchiveHandle(input, what) { handle in
      archive_read_support_format_raw(handle)
      archive_read_support_format_empty(handle)
      archive_read_append_filter(handle, format == .bzip2 ? ARCHIVE_FILTER_BZIP2 : ARCHIVE_FILTER_ZSTD)
    }
    // It has one member, or none where it unpacks to nothing.
    if try handle.nextEntry() == nil { try end() }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    guard !isDone else { return 0 }
    let count = try handle.read(into: buffer)
    if count == 0 { try end() }
    return count
  }

  private func end() throws(ContainerError) {
    isDone = true
    try handle.settle(at: handle.position)
    try input.expectEnd(after: what)
  }
}
