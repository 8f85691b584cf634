internal import CArchive
internal import Glibc

/// A stream packed by libarchive: zstd, xz or lz4 around its format `raw`, which adds nothing.
final class FilterEncoder: StreamEncoder {
  private let output: OutputDescriptor
  private let archive: OpaquePointer
  /// Why the last call of `receive` failed.
  private var failure: ContainerError?

  init(_ output: OutputDescriptor, filter: String, level: Int) throws(ContainerError) {
    guard let archive = archive_write_new() else { throw .outOfMemory }
    self.archive = archive
    self.output = output
    let added =
      switch filter {
      case "zstd": archive_write_add_filter_zstd(archive)
      case "xz": archive_write_add_filter_xz(archive)
      default: archive_write_add_filter_lz4(archive)
      }
    // It would run a program where the library is missing, and says so by a warning.
    guard added == ARCHIVE_OK else { throw .unsupported("libarchive was built without \(filter)") }
    try check(
      archive_write_set_filter_option(archive, filter, "compression-level", String(level))
    )
    try check(archive_write_set_format_raw(archive))
    try check(archive_write_set_bytes_per_block(archive, 1 << 16))
    // Otherwise zeros would fill up the last block.
    try check(archive_write_set_bytes_in_last_block(archive, 1))
    // The encoder frees the archive, so that it outlives every call.
    try check(
      archive_write_open(
        archive,
        Unmanaged.passUnretained(self).toOpaque(),
        nil,
        { _, context, bytes, count in
          guard let context else { return -1 }
          return Unmanaged<FilterEncoder>.fromOpaque(context).takeUnretainedValue()
            .receive(UnsafeRawBufferPointer(start: bytes, count: count))
        },
        nil
      )
    )
    guard let entry = archive_entry_new() else { throw .outOfMemory }
    defer { archive_entry_free(entry) }
    archive_entry_set_filetype(entry, 0o100000)
    try check(archive_write_header(archive, entry))
  }

  deinit {
    // Without this, freeing would end the stream, and write what is left of it.
    archive_write_fail(archive)
    archive_write_free(archive)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(ContainerError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = archive_write_data(archive, rest.baseAddress, rest.count)
      guard count > 0 else { return try check(ARCHIVE_FATAL) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  func finish() throws(ContainerError) {
    try check(archive_write_close(archive))
  }

  private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
    do throws(ContainerError) {
      // A call for nothing would read as a failure to libarchive.
      try output.write(bytes)
      return bytes.count
    } catch {
      failure = error
      return -1
    }
  }

  /// Throws why a call ended with `code`, unless that means that it went well.
  private func check(_ code: Int32) throws(ContainerError) {
    guard code != ARCHIVE_OK else { return }
    if let failure { throw failure }
    if archive_errno(archive) == ENOMEM { throw .outOfMemory }
    let reason = archive_error_string(archive).map { String(cString: $0) } ?? "code \(code)"
    throw .unsupported("libarchive says: \(reason)")
  }
}
