internal import CArchive
internal import Glibc

/// What zstd or lz4 data unpacks to, by libarchive: all of its frames in a row.
///
/// One filter and the format `raw` are told to libarchive, so that it guesses nothing, nests nothing and
/// runs no program. What it lets pass is checked here: an error before the first byte, which it takes for
/// an empty file, and bytes that follow the last frame.
final class FilterSource: ByteSource {
  private let input: BufferedInput
  private let archive: OpaquePointer
  private let name: String
  /// How many bytes of the window libarchive was lent, and gives back at its next call.
  private var lent = 0
  /// Where its input began.
  private let origin: Int
  /// Why the last call for more input failed.
  private var failure: ContainerError?
  private var isAtEndOfInput = false
  private var isDone = false

  /// Begins at the first byte of a frame; `name` is `zstd` or `lz4`.
  init(_ input: BufferedInput, filter name: String) throws(ContainerError) {
    guard let archive = archive_read_new() else { throw .outOfMemory }
    self.archive = archive
    self.input = input
    self.name = name
    origin = input.position
    let code = archive_read_append_filter(
      archive,
      name == "zstd" ? ARCHIVE_FILTER_ZSTD : ARCHIVE_FILTER_LZ4
    )
    // It would run a program where the library is missing, and says so by a warning.
    guard code == ARCHIVE_OK else { throw .unsupported("libarchive was built without \(name)") }
    archive_read_support_format_raw(archive)
    archive_read_support_format_empty(archive)
    // This object frees the archive, so that it outlives every call.
    let opened = archive_read_open(
      archive,
      Unmanaged.passUnretained(self).toOpaque(),
      nil,
      { _, context, bytes in
        guard let context, let bytes else { return -1 }
        return Unmanaged<FilterSource>.fromOpaque(context).takeUnretainedValue().lend(bytes)
      },
      nil
    )
    guard opened == ARCHIVE_OK, archive_error_string(archive) == nil, failure == nil else {
      throw reason
    }
    var entry: OpaquePointer?
    switch archive_read_next_header(archive, &entry) {
    case ARCHIVE_OK: break
    case ARCHIVE_EOF: try finish()
    default: throw reason
    }
  }

  deinit { archive_read_free(archive) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    guard !isDone else { return 0 }
    let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
    guard count >= 0, failure == nil else { throw reason }
    if count == 0 { try finish() }
    return count
  }

  /// Checks that the last frame ends where the input does.
  private func finish() throws(ContainerError) {
    isDone = true
    if archive_error_string(archive) != nil || failure != nil { throw reason }
    let used = Int(archive_filter_bytes(archive, -1))
    let place = origin + used
    if place < input.position + lent {
      throw .damaged("bytes follow the end of \(name) data", at: place)
    }
    input.skip(lent)
    lent = 0
    try input.expectEnd(after: "\(name) data")
  }

  /// Has libarchive see the next bytes of the window, and returns how many; 0 at the end.
  private func lend(_ bytes: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
    input.skip(lent)
    lent = 0
    do throws(ContainerError) {
      isAtEndOfInput = try !input.has(1)
    } catch {
      failure = error
      return -1
    }
    lent = input.window.count
    bytes.pointee = input.window.baseAddress
    return lent
  }

  /// Why the last call failed.
  private var reason: ContainerError {
    if let failure { return failure }
    if archive_errno(archive) == ENOMEM { return .outOfMemory }
    let text = archive_error_string(archive).map { String(cString: $0) } ?? "it is no \(name) data"
    let place = origin + Int(archive_filter_bytes(archive, -1))
    return isAtEndOfInput
      ? .truncated("\(name) data", at: place) : .damaged("\(name): \(text)", at: place)
  }
}
