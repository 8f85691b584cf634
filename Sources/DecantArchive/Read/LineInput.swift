internal import DecantContainers
internal import DecantBase
internal import DecantSystem

/// The lines of a stream of bytes, one at a time, with a maximum length.
///
/// It takes as much memory as the longest line.
package final class LineInput {
  private let read: (UnsafeMutableRawBufferPointer) throws(DecantError) -> Int
  @exclusivity(unchecked) private var buffer: UnsafeMutableRawBufferPointer
  @exclusivity(unchecked) private var start = 0
  @exclusivity(unchecked) private var end = 0
  private var isAtEnd = false
  /// The number of the last line lent, counted from 1.
  @exclusivity(unchecked) private(set) var number: Int64 = 0
  /// The number of bytes before that line.
  @exclusivity(unchecked) private(set) var offset: Int64 = 0
  @exclusivity(unchecked) private var next: Int64 = 0

  /// Reads lines from the bytes that `read` writes to its buffer; 0 bytes are the end.
  init(_ read: @escaping (UnsafeMutableRawBufferPointer) throws(DecantError) -> Int) {
    self.read = read
    buffer = .allocate(byteCount: 1 << 18, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// A line, without its line feed.
  struct Line {
    let bytes: UnsafeRawBufferPointer
    /// Whether a line feed ended it; the last one may have none.
    let isEnded: Bool
  }

  /// Lends the next line until the next call; returns `nil` after the last one.
  ///
  /// - Parameter limit: The maximum size in bytes, including the line feed.
  /// - Returns: The line.
  /// - Throws: `ArchiveFault` for a longer line, `DecantError` if reading fails.
  func nextLine(limit: Int) throws -> Line? {
    var searched = 0
    while true {
      if end - start > searched, let base = buffer.baseAddress,
        let found = memchr(base + start + searched, 0x0a, end - start - searched)
      {
        let stop = UnsafeRawPointer(found) - UnsafeRawPointer(base)
        guard stop - start < limit else { throw tooLong(limit) }
        return take(stop, isEnded: true)
      }
      searched = end - start
      guard searched < limit else { throw tooLong(limit) }
      if isAtEnd {
        guard searched > 0 else { return nil }
        return take(end, isEnded: false)
      }
      try fill()
    }
  }

  private func tooLong(_ limit: Int) -> ArchiveFault {
    number += 1
    return ArchiveFault(
      "the line is longer than \(Int64(limit).asByteCount)",
      remedy: "if you trust the file, allow more: \(say: .maxLine)"
    )
  }

  private func take(_ stop: Int, isEnded: Bool) -> Line {
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[start..<stop])
    number += 1
    offset = next
    start = stop + (isEnded ? 1 : 0)
    next += Int64(bytes.count + (isEnded ? 1 : 0))
    return Line(bytes: bytes, isEnded: isEnded)
  }

  private func fill() throws(DecantError) {
    if start > 0 {
      // The previously lent line is no longer needed.
      if let base = buffer.baseAddress { memmove(base, base + start, end - start) }
      end -= start
      start = 0
    }
    if end == buffer.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<end]))
      buffer.deallocate()
      buffer = larger
    }
    let count = try read(UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
    if count == 0 { isAtEnd = true }
    end += count
  }
}
