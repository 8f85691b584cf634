internal import CDecantArchive
internal import DecantSystem

/// A libarchive reader for a known format, reading from a buffered input.
///
/// It supports one format or one filter, and never guesses. Its calls run in a UTF-8 locale that is set only for the
/// thread and the call: libarchive converts names to the locale's encoding.
final class ArchiveHandle {
  /// The position in the input at which its bytes begin.
  let origin: Int

  private let handle: OpaquePointer
  private let input: BufferedInput
  /// The name of the format, for errors.
  private let what: String
  /// The number of bytes of the input's window lent to libarchive.
  private var lentCount = 0
  /// The number of bytes that the current header may still take.
  private var headerRoom = Int.max
  private var headerByteCount = 0
  /// Whether it can move to the next member, because libarchive has not failed yet.
  private(set) var isAlive = true
  /// The error of the input.
  private var failure: ContainerError?

  /// The bytes of the previous block kept in the input's window: libarchive may have looked ahead.
  private static let keptByteCount = 1 << 12
  /// The maximum size of one header, which libarchive expands up to 14 times in memory.
  private static let headerLimit = 1 << 20
  /// The maximum size of all headers, because libarchive keeps a part of each.
  private static let headerTotal = 1 << 27
  /// The UTF-8 locale, or `nil` if the system has none: names then lose characters that are not ASCII.
  ///
  /// Safe from any thread: it is created once, under Swift's lock for static values, and never changed or freed.
  nonisolated(unsafe) private static let locale = decant_utf8_locale()

  /// Begins at the next byte of `input`.
  ///
  /// - Parameters:
  ///   - input: The source of the bytes.
  ///   - what: The name of the format, for errors.
  ///   - support: Enables the format or filter in libarchive.
  /// - Throws: `ContainerError` if the first bytes cannot be read.
  init(_ input: BufferedInput, _ what: String, support: (OpaquePointer) -> Void) throws(ContainerError) {
    guard let handle = archive_read_new() else { throw .outOfMemory }
    (self.handle, self.input, self.what, origin) = (handle, input, what, input.position)
    support(handle)
    try call {
      archive_read_open2(
        handle,
        Unmanaged.passUnretained(self).toOpaque(),
        nil,
        { _, context, block in
          guard let context, let block else { return -1 }
          let handle = Unmanaged<ArchiveHandle>.fromOpaque(context).takeUnretainedValue()
          return handle.lend(block)
        },
        nil,
        nil
      )
    }
    // libarchive does not return a filter's complaint as an error, and would later forget it.
    if archive_errno(handle) != 0 { throw error() }
  }

  /// Reads a file, in which libarchive seeks by itself.
  init(file: Int32, _ input: BufferedInput, _ what: String, support: (OpaquePointer) -> Void) throws(ContainerError) {
    guard let handle = archive_read_new() else { throw .outOfMemory }
    (self.handle, self.input, self.what, origin) = (handle, input, what, 0)
    support(handle)
    try call { archive_read_open_fd(handle, file, 1 << 16) }
  }

  deinit { archive_read_free(handle) }

  /// The position in the input.
  var position: Int { origin + Int(archive_filter_bytes(handle, -1)) }

  /// The position of the last header read, or of the data after the last member.
  var headerPosition: Int { origin + Int(archive_read_header_position(handle)) }

  /// The format name in libarchive; for a zip it includes the member's compression.
  var formatName: String { archive_format_name(handle).map { String(cString: $0) } ?? "" }

  /// Moves to the next member; returns `nil` after the last one.
  ///
  /// The rest of the previous member is skipped without reading it.
  func nextEntry() throws(ContainerError) -> OpaquePointer? {
    var entry: OpaquePointer?
    if headerByteCount > 0 { try call { archive_read_data_skip(handle) } }
    let start = position
    headerRoom = ArchiveHandle.headerLimit
    defer { headerRoom = .max }
    let code = inLocale { archive_read_next_header(handle, &entry) }
    headerByteCount += 1 + position - start
    guard headerByteCount <= ArchiveHandle.headerTotal else {
      throw .unsupported("the headers of \(what) take more than 128 MiB", at: position)
    }
    if code == ARCHIVE_EOF, failure == nil, archive_error_string(handle) == nil { return nil }
    guard code == ARCHIVE_OK || code == ARCHIVE_WARN else {
      isAlive = false
      throw error()
    }
    return entry
  }

  /// Reads from the member, like a `ByteSource`.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    while true {
      let count = inLocale { archive_read_data(handle, buffer.baseAddress, buffer.count) }
      if count >= 0 { return count }
      guard count == ARCHIVE_RETRY, failure == nil else {
        isAlive = count > ARCHIVE_FATAL
        throw error()
      }
    }
  }

  /// Discards the input before `position`, so that reading continues there.
  func settle(at position: Int) throws(ContainerError) {
    guard position >= input.position, position <= input.position + lentCount else {
      throw .damaged("unexpected bytes follow the members of \(what)", at: position)
    }
    input.skip(position - input.position)
    lentCount = 0
  }

  /// Returns the name of a member as stored, or as UTF-8 if it is stored with its encoding.
  static func name(of entry: OpaquePointer) -> [UInt8] {
    guard let name = archive_entry_pathname(entry) ?? archive_entry_pathname_utf8(entry) else {
      return []
    }
    return Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
  }

  /// Lends libarchive the next bytes; returns 0 at the end, -1 on failure.
  private func lend(_ block: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
    do throws(ContainerError) {
      let kept = min(lentCount, ArchiveHandle.keptByteCount)
      input.skip(lentCount - kept)
      lentCount = kept
      guard headerRoom > 0 else {
        throw .unsupported("a header of \(what) takes more than 1 MiB", at: input.position)
      }
      _ = try input.has(kept + 1)
      let window = input.window
      lentCount = window.count
      headerRoom -= lentCount - kept
      block.pointee = window.baseAddress.map { $0 + kept }
      return lentCount - kept
    } catch {
      failure = error
      return -1
    }
  }

  /// Makes a call that must succeed.
  private func call(_ body: () -> Int32) throws(ContainerError) {
    let code = inLocale(body)
    guard code == ARCHIVE_OK || code == ARCHIVE_WARN else { throw error() }
  }

  private func inLocale<Result>(_ body: () -> Result) -> Result {
    guard let locale = ArchiveHandle.locale else { return body() }
    let before = uselocale(locale)
    defer { uselocale(before) }
    return body()
  }

  /// Returns the error of the last call.
  private func error() -> ContainerError {
    if let failure { return failure }
    let place = position
    if archive_errno(handle) == ENOMEM { return .outOfMemory }
    guard let text = archive_error_string(handle) else { return .truncated(what, at: place) }
    let reason = String(cString: text)
    // There are no codes for these errors; all readers of libarchive use these words. At -5 zlib expects more input.
    let cuts = ["runcated", "remature", "nexpected EOF", "failed (-5)"]
    if cuts.contains(where: { reason.contains($0) }) {
      return .truncated(what, at: place)
    }
    if ["too much memory", "nsupported", "ictionary"].contains(where: { reason.contains($0) }) {
      return .unsupported("libarchive says: \(reason)", at: place)
    }
    return .damaged("libarchive says: \(reason)", at: place)
  }
}
