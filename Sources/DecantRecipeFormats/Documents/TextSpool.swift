package import DecantBase
internal import DecantSystem

/// The long texts of a document, such as pictures in base64, held until the current recipe has been taken: the first
/// bytes, up to `memoryByteCount`, in memory, all others on disk.
package final class TextSpool {
  private let path: String
  private let memoryByteCount: Int
  /// The first bytes; allocated when needed.
  private var memory: UnsafeMutableRawBufferPointer?
  /// The file of the remaining bytes, each at its offset in the whole spool; -1 before it is needed.
  private var descriptor: Int32 = -1
  private var end: Int64 = 0
  private var start: Int64 = 0

  /// Texts of at most this many bytes stay in memory.
  static let shortByteCount = 1 << 15

  /// Makes an empty spool in `folder`.
  package convenience init(in folder: String) throws(DecantError) {
    try self.init(at: "\(folder)/texts")
  }

  /// Makes an empty spool.
  ///
  /// - Parameters:
  ///   - path: The file for bytes beyond `memoryByteCount`; if that is 0, the file is created at once.
  ///   - memoryByteCount: The number of bytes kept in memory.
  /// - Throws: `DecantError` if the file cannot be created.
  package init(at path: String, memoryByteCount: Int = 1 << 20) throws(DecantError) {
    self.path = path
    self.memoryByteCount = memoryByteCount
    if memoryByteCount == 0 { try open() }
  }

  deinit {
    memory?.deallocate()
    if descriptor >= 0 { close(descriptor) }
  }

  private func open() throws(DecantError) {
    guard descriptor < 0 else { return }
    descriptor = DecantSystem.open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DecantError(SystemError("write", path)) }
  }

  /// Begins a text; the bytes that `append` is given belong to it until `finish`.
  package func begin() { start = end }

  /// Appends bytes to the current text.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(DecantError) {
    var done = keep(bytes)
    if done < bytes.count { try open() }
    while done < bytes.count {
      let from = bytes.baseAddress.map { $0 + done }
      let count = pwrite(descriptor, from, bytes.count - done, off_t(end))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw DecantError(SystemError("write", path)) }
      done += count
      end += Int64(count)
    }
  }

  /// Keeps as many of `bytes` in memory as fit, and returns their number.
  private func keep(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard end < memoryByteCount, !bytes.isEmpty else { return 0 }
    let memory =
      memory ?? UnsafeMutableRawBufferPointer.allocate(byteCount: memoryByteCount, alignment: 16)
    self.memory = memory
    let count = min(bytes.count, memoryByteCount - Int(end))
    UnsafeMutableRawBufferPointer(rebasing: memory[Int(end)...])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    end += Int64(count)
    return count
  }

  /// Ends the current text and returns it.
  package func finish() -> SpooledText { SpooledText(spool: self, start: start, byteCount: end - start) }

  /// Stores a whole text, or bytes.
  package func take(_ text: String) throws(DecantError) -> SpooledText { try take(Array(text.utf8)) }

  package func take(_ bytes: [UInt8]) throws(DecantError) -> SpooledText {
    begin()
    let result = bytes.withUnsafeBytes { bytes in Result { () throws(DecantError) in try append(bytes) } }
    try result.get()
    return finish()
  }

  /// Discards all texts: those that were returned must no longer be read.
  package func clear() { clear(from: 0) }

  /// The place where the next text will begin, for `clear(from:)`.
  package var mark: Int64 { end }

  /// Discards the texts begun since `mark`, which must no longer be read.
  package func clear(from mark: Int64) {
    guard mark < end else { return }
    let isOnDisk = end > memoryByteCount
    end = mark
    if isOnDisk { _ = ftruncate(descriptor, off_t(mark)) }
  }

  /// Reads bytes of a text, from `offset` on, into `buffer`; returns their number, 0 at the end.
  fileprivate func read(
    _ text: SpooledText,
    at offset: Int64,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(DecantError) -> Int {
    let wanted = Int(min(Int64(buffer.count), text.byteCount - offset))
    guard wanted > 0 else { return 0 }
    if let kept = inMemory(text, at: offset) {
      let count = min(wanted, kept.count)
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: kept[..<count]))
      return count
    }
    while true {
      let count = pread(descriptor, buffer.baseAddress, wanted, off_t(text.start + offset))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw DecantError(SystemError("read", path)) }
      return count
    }
  }

  /// Returns the bytes of a text that are in memory, from `offset` on; `nil` if the byte at `offset` is not.
  private func inMemory(_ text: SpooledText, at offset: Int64) -> UnsafeRawBufferPointer? {
    let from = text.start + offset
    guard let memory, from < memoryByteCount else { return nil }
    let end = min(text.start + text.byteCount, Int64(memoryByteCount))
    return UnsafeRawBufferPointer(rebasing: memory[Int(from)..<Int(end)])
  }

  /// Passes the bytes of a text to `body`, a piece at a time.
  fileprivate func forEachPiece(_ text: SpooledText, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    if text.byteCount == 0 { return }
    if let kept = inMemory(text, at: 0), kept.count == text.byteCount { return try body(kept) }
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      var done: Int64 = 0
      while done < text.byteCount {
        let count = try read(text, at: done, into: buffer)
        try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        done += Int64(count)
      }
    }
  }
}

/// A long text in a spool, in UTF-8.
package struct SpooledText {
  fileprivate let spool: TextSpool
  fileprivate let start: Int64
  package let byteCount: Int64

  /// Reads bytes from `offset` on into `buffer`; returns their number, 0 at the end.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(DecantError) -> Int {
    try spool.read(self, at: offset, into: buffer)
  }

  /// Passes the bytes to `body`, a piece at a time.
  package func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    try spool.forEachPiece(self, body)
  }
}

/// A text of a document: in memory, or long and in the spool.
package enum DocumentText {
  case short(String)
  case long(SpooledText)

  /// The whole text; a long one is read into memory.
  var string: String {
    get throws {
      switch self {
      case .short(let text): return text
      case .long(let text):
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(text.byteCount))
        try text.forEachPiece { bytes.append(contentsOf: $0) }
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  /// Passes the bytes in UTF-8 to `body`, a piece at a time.
  func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    switch self {
    case .short(var text): try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    case .long(let text): try text.forEachPiece(body)
    }
  }

  /// A closure that fills buffers with the bytes in UTF-8.
  package var bytes: (UnsafeMutableRawBufferPointer) throws -> Int {
    switch self {
    case .long(let text):
      var done: Int64 = 0
      return { buffer in
        let count = try text.read(at: done, into: buffer)
        done += Int64(count)
        return count
      }
    case .short(let text):
      var rest = Array(text.utf8)[...]
      return { buffer in
        let count = min(rest.count, buffer.count)
        buffer.copyBytes(from: rest.prefix(count))
        rest = rest.dropFirst(count)
        return count
      }
    }
  }

  var isEmpty: Bool {
    switch self {
    case .short(let text): text.isEmpty
    case .long(let text): text.byteCount == 0
    }
  }
}
