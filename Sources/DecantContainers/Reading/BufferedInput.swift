internal import DecantSystem

/// A source with a lookahead window, from which every format is read.
///
/// It counts the bytes that it takes from its source, so that nothing is unpacked beyond a limit.
final class BufferedInput: ByteSource {
  /// The size of the lookahead window in bytes.
  static let windowSize = 1 << 17

  let depth: Int
  /// The number of bytes consumed, which are no longer available.
  private(set) var position = 0
  /// The bytes ahead that are in memory.
  var window: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[start..<end]) }

  private let source: any ByteSource
  private let meter: Meter
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: windowSize, alignment: 16)
  private var start = 0
  private var end = 0
  private var isAtEnd = false

  init(_ source: any ByteSource, depth: Int, meter: Meter) throws(ContainerError) {
    self.source = source
    self.depth = depth
    self.meter = meter
    try meter.enter(depth)
  }

  deinit { memory.deallocate() }

  /// Returns whether there are `count` more bytes; reads until they are in the window.
  func has(_ count: Int) throws(ContainerError) -> Bool {
    while end - start < count {
      guard !isAtEnd else { return false }
      if start > 0 {
        memory.copyMemory(from: window)
        end -= start
        start = 0
      }
      end += try pull(UnsafeMutableRawBufferPointer(rebasing: memory[end...]))
    }
    return true
  }

  /// Consumes `count` bytes of the window.
  func skip(_ count: Int) {
    start += count
    position += count
  }

  /// Returns and consumes the next `count` bytes; `what` names their format in errors.
  func take(_ count: Int, of what: String) throws(ContainerError) -> [UInt8] {
    let bytes = try peek(count, of: what)
    skip(count)
    return bytes
  }

  /// Returns the next `count` bytes without consuming them; `what` names their format in errors.
  func peek(_ count: Int, of what: String) throws(ContainerError) -> [UInt8] {
    guard try has(count) else { throw .truncated(what, at: position + end - start) }
    return Array(window[..<count])
  }

  /// Throws unless the source ends here.
  func expectEnd(after what: String) throws(ContainerError) {
    if try has(1) { throw .damaged("bytes follow the end of \(what)", at: position) }
  }

  /// Throws unless only zeros follow.
  func expectZeros(after what: String) throws(ContainerError) {
    while try has(1) {
      guard window.allSatisfy({ $0 == 0 }) else {
        throw .damaged("bytes follow the end of \(what)", at: position)
      }
      skip(window.count)
    }
  }

  /// Returns the descriptor if the source is a file of which nothing was consumed.
  ///
  /// All bytes of the file are counted, because the caller reads them directly.
  func wholeFile() throws(ContainerError) -> Int32? {
    guard position == 0, let file = source.file else { return nil }
    let byteCount = lseek(file, 0, SEEK_END)
    guard byteCount >= 0 else { throw .system("lseek", errno: errno) }
    try meter.count(max(byteCount - (end - start), 0), at: depth)
    return file
  }

  /// Returns to an earlier position if the source is a file; returns whether it is.
  func goBack(to position: Int) throws(ContainerError) -> Bool {
    guard let file = source.file else { return false }
    guard lseek(file, position, SEEK_SET) == position else { throw .system("lseek", errno: errno) }
    (start, end, isAtEnd) = (0, 0, false)
    self.position = position
    return true
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    if start == end {
      guard !isAtEnd else { return 0 }
      // Read directly into the caller's buffer.
      let count = try pull(buffer)
      position += count
      return count
    }
    let count = min(buffer.count, end - start)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: window[..<count]))
    skip(count)
    return count
  }

  private func pull(_ buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    let count = try source.read(into: buffer)
    if count == 0 { isAtEnd = true }
    try meter.count(count, at: depth)
    return count
  }
}
