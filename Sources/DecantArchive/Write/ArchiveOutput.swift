internal import DecantContainers
package import DecantBase

/// Collects the lines of an archive, and computes the totals for the receipt.
package final class ArchiveOutput {
  /// The totals of the lines of one entity.
  package struct Sum {
    package var objects: Int64 = 0
    var links: Int64 = 0
    var checksum: UInt32 = 0
  }

  /// The maximum length of a line except the header, including its line feed.
  static let lineLimit = 1 << 20

  package private(set) var sums: [String: Sum] = [:]
  private(set) var byteCount: Int64 = 0
  private let buffer: UnsafeMutableRawBufferPointer
  private var filled = 0
  private let write: (UnsafeRawBufferPointer) throws(DecantError) -> Void
  private var sum = Sum()
  /// The number of objects so far.
  private(set) var objectCount: Int64 = 0
  /// Whether writing failed, so that nothing more can be written.
  private(set) var hasFailed = false
  private var entity: String?

  /// Passes whole lines to `write`, about `bufferSize` bytes at a time.
  package init(bufferSize: Int, _ write: @escaping (UnsafeRawBufferPointer) throws(DecantError) -> Void) {
    buffer = .allocate(byteCount: max(bufferSize, 1), alignment: 16)
    self.write = write
  }

  deinit { buffer.deallocate() }

  /// Begins lines of `entity`, which need not be contiguous.
  func begin(_ entity: String) {
    end()
    self.entity = entity
    sum = sums[entity] ?? Sum()
  }

  /// Ends the lines of an entity.
  func end() {
    if let entity { sums[entity] = sum }
    entity = nil
  }

  /// Appends a line of an object, and a line feed.
  func append(object line: inout LineBuffer, links: Int, isMore: Bool = false) throws(DecantError) {
    line.append(byte: 0x0a)
    sum.checksum = CRC32.update(sum.checksum, line.bytes)
    sum.objects += isMore ? 0 : 1
    sum.links += Int64(links)
    objectCount += isMore ? 0 : 1
    try append(raw: line.bytes)
  }

  /// Appends any other line.
  func append(_ line: inout LineBuffer) throws(DecantError) {
    line.append(byte: 0x0a)
    try append(raw: line.bytes)
  }

  private func append(raw bytes: UnsafeRawBufferPointer) throws(DecantError) {
    byteCount += Int64(bytes.count)
    if filled + bytes.count > buffer.count { try flush() }
    guard bytes.count <= buffer.count else { return try hand(bytes) }
    UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + bytes.count])
      .copyMemory(from: bytes)
    filled += bytes.count
  }

  /// Passes on the remaining lines.
  package func flush() throws(DecantError) {
    guard filled > 0 else { return }
    try hand(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
    filled = 0
  }

  private func hand(_ bytes: UnsafeRawBufferPointer) throws(DecantError) {
    do throws(DecantError) { try write(bytes) } catch {
      hasFailed = true
      throw error
    }
  }
}
