/// The bytes of a document that comes in pieces: those at hand.
final class JSONFeed {
  private let fill: (UnsafeMutableRawBufferPointer) throws -> Int
  let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
  /// How many bytes went through the memory and out of it.
  private(set) var gone: Int64 = 0
  private(set) var isAtEnd = false

  private static let size = 1 << 16

  init(_ fill: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) { self.fill = fill }

  deinit { memory.deallocate() }

  /// Drops the first `count` of the `end` bytes that are at hand.
  func drop(_ count: Int, of end: Int) {
    memory.copyMemory(from: memory + count, byteCount: end - count)
    gone += Int64(count)
  }

  /// Reads bytes behind the `end` that are at hand, and returns how many.
  func read(behind end: Int) throws -> Int {
    let rest = UnsafeMutableRawBufferPointer(start: memory + end, count: Self.size - end)
    let count = try fill(rest)
    isAtEnd = count == 0
    return count
  }
}
