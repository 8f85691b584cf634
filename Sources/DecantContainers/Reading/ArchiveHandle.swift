internal import CDecantArchive
internal import DecantSystem

/// A reader of libarchive that is told what to expect, over the bytes of an input.
///
/// It is given one format or one filter, and never asked to guess. Its calls run in a locale of UTF-8, set for
/// the thread and only meanwhile: libarchive turns names into the letters of the locale.
final class ArchiveHandle {
  /// Where in the input the bytes begin that it reads.
  let origin: Int

  private let handle: OpaquePointer
  private let input: BufferedInput
  /// What is read, for errors.
  private let what: String
  /// How many bytes of the input's window it was lent.
  private var lentCount = 0
  /// How many more bytes it may have before its header is at an end.
  private var headerRoom = Int.max
  private var headerByteCount = 0
  /// Whether it can go on to the next member: it gave up at nothing as yet.
  private(set) var isAlive = true
  /// Why the input gave no more.
  private var failure: ContainerError?

  /// The bytes of the block before that stay in the input's window: libarchive may have looked ahead.
  private static let keptByteCount = 1 << 12
  /// The most that it may read for one header, of which it makes up to 14 times as much in memory.
  private static let headerLimit = 1 << 20
  /// The most that all headers may have, as libarchive remembers some of each.
  private static let headerTotal = 1 << 27
  /// `nil` where the system has no such locale: names then lose what is not ASCII.
  ///
  /// Safe from any thread: it is made once, by Swift's lock for static values, never changed, and never freed.
  nonisolated(unsafe) private static let locale = decant_utf8_locale()

  /// Begins at the next byte of `input`.
  ///
  /// - Parameters:
  ///   - input: Where the bytes come from.
  ///   - what: What they are, for errors.
  ///   - support: Tells libarchive what to expect.
  /// - Throws: `ContainerError` where the first bytes cannot be read.
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
    // What a filter complains of is no error as yet, and would be forgotten.
    if archive_errno(handle) != 0 { throw error() }
  }

  /// Reads what a file has, whose places libarchive chooses.
  init(file: Int32, _ input: BufferedInput, _ what: String, support: (OpaquePointer) -> Void) throws(ContainerError) {
    guard let handle = archive_read_new() else { throw .outOfMemory }
    (self.handle, self.input, self.what, origin) = (handle, input, what, 0)
    support(handle)
    try call { archive_read_open_fd(handle, file, 1 << 16) }
  }

  deinit { archive_read_free(handle) }

  /// How many bytes of the input are behind it.
  var position: Int { origin + Int(archive_filter_bytes(handle, -1)) }

  /// Where the header begins that was read last, or what follows the last member.
  var headerPosition: Int { origin + Int(archive_read_header_position(handle)) }

  /// What libarchive calls the format, which for a zip names the compression of the member.
  var formatName: String { archive_format_name(handle).map { String(cString: $0) } ?? "" }

  /// Goes on to the next member; `nil` behind the last.
  ///
  /// What is left of the one before is passed over, unread.
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

  /// Reads on in the member, as a `ByteSource` does.
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

  /// Leaves behind of the input what stands before `position`, so that the input goes on there.
  func settle(at position: Int) throws(ContainerError) {
    guard position >= input.position, position <= input.position + lentCount else {
      throw .damaged("unexpected bytes follow the members of \(what)", at: position)
    }
    input.skip(position - input.position)
    lentCount = 0
  }

  /// The name of a member as it is stored, or as UTF-8 where it is stored with its encoding.
  static func name(of entry: OpaquePointer) -> [UInt8] {
    guard let name = archive_entry_pathname(entry) ?? archive_entry_pathname_utf8(entry) else {
      return []
    }
    return Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
  }

  /// Lends libarchive the next bytes; 0 at the end, -1 where there is a failure.
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

  /// Makes a call, which has to succeed.
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

  /// Why the last call failed.
  private func error() -> ContainerError {
    if let failure { return failure }
    let place = position
    if archive_errno(handle) == ENOMEM { return .outOfMemory }
    guard let text = archive_error_string(handle) else { return .truncated(what, at: place) }
    let reason = String(cString: text)
    // There are no codes for these: all its readers say so in these words. At -5 zlib wants more input.
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
