internal import CDecantArchive

/// Unpacks bzip2 or zstd with libarchive: all consecutive streams, up to the end of the input.
///
/// libarchive is not used for other formats: it does not verify gzip checksums, stops at an empty lz4 frame, and gives
/// xz as much memory as its header requires. libzstd itself takes at most 128 MiB, which is what level 22 needs.
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
    // The stream has one member, or none if it is empty.
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
