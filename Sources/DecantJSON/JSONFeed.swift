/// The buffer of a document that arrives in pieces.
final class JSONFeed {
  private let fill: (UnsafeMutableRawBufferPointer) throws -> Int
  let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
  /// The number of bytes already discarded from the buffer.
  private(set) var gone: Int64 = 0
  private(set) var isAtEnd = false

  private static let size = 1 << 16

  init(_ fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) { self.fill = fill }

  deinit { memory.deallocate() }

  /// Discards the first `count` of the `end` bytes in the buffer.
  func drop(_ count: Int, of end: Int) {
    memory.copyMemory(from: memory + count, byteCount: end - count)
    gone += Int64(count)
  }

  /// Reads bytes after the `end` bytes in the buffer; returns their number.
  func read(behind end: Int) throws -> Int {
    let rest = UnsafeMutableRawBufferPointer(start: memory + end, count: Self.size - end)
    let count = try fill(rest)
    isAtEnd = count == 0
    return count
  }
}
