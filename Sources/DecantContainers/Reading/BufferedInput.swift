internal import Glibc

/// A source with a window to look ahead in: what every format is read from.
///
/// It counts what it takes from its source, so that nothing is unpacked past a limit, whoever asks.
final class BufferedInput: ByteSource {
  /// How many bytes can be looked at ahead.
  static let windowSize = 1 << 17

  let depth: Int
  /// How many bytes of the source are behind, which are no longer to be seen.
  private(set) var position = 0
  /// The bytes ahead that are there already.
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

  /// Returns whether `count` bytes are ahead, reading on until they are.
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

  /// Leaves `count` of the bytes in the window behind.
  func skip(_ count: Int) {
    start += count
    position += count
  }

  /// Returns the next `count` bytes, which it leaves behind; `what` they belong to is for the error.
  func take(_ count: Int, of what: String) throws(ContainerError) -> [UInt8] {
    let bytes = try peek(count, of: what)
    skip(count)
    return bytes
  }

  /// Returns the next `count` bytes; `what` they belong to is for the error.
  func peek(_ count: Int, of what: String) throws(ContainerError) -> [UInt8] {
    guard try has(count) else { throw .truncated(what, at: position + end - start) }
    return Array(window[..<count])
  }

  /// Throws unless the source ends here.
  func expectEnd(after what: String) throws(ContainerError) {
    if try has(1) { throw .damaged("bytes follow the end of \(what)", at: position) }
  }

  /// Throws unless there is nothing but zeros from here on.
  func expectZeros(after what: String) throws(ContainerError) {
    while try has(1) {
      guard window.allSatisfy({ $0 == 0 }) else {
        throw .damaged("bytes follow the end of \(what)", at: position)
      }
      skip(window.count)
    }
  }

  /// The file that all of these bytes are, if they are one, and nothing was left behind yet.
  ///
  /// All its bytes are counted: whoever asks reads them by himself.
  func wholeFile() throws(ContainerError) -> Int32? {
    guard position == 0, let file = source.file else { return nil }
    let byteCount = lseek(file, 0, SEEK_END)
    guard byteCount >= 0 else { throw .system("lseek", errno: errno) }
    try meter.count(max(byteCount - (end - start), 0), at: depth)
    return file
  }

  /// Goes back to an earlier place, where the source is a file; returns whether it is.
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
      // Without a copy in between.
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
