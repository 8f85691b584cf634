internal import CZlib

/// The bytes of one member of a zip, unpacked, with their checksum and sizes held against those stored.
final class ZipMemberSource: ByteSource {
  let header: ZipHeader
  /// The CRC-32 of what came out so far, and how many bytes went in and out.
  private(set) var checksum = 0
  private(set) var packedCount = 0
  private(set) var plainCount = 0
  private(set) var isDone = false

  private let input: BufferedInput
  /// Where its packed bytes begin.
  private let start: Int
  private let stream: UnsafeMutablePointer<z_stream>?

  private static let descriptorSignature = 0x0807_4B50

  init(_ header: ZipHeader, _ input: BufferedInput) throws(ContainerError) {
    self.header = header
    self.input = input
    start = input.position
    guard header.method == 8, header.fault == nil else {
      stream = nil
      return
    }
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    self.stream = stream
    guard decant_inflate_init(stream, -15) == Z_OK else { throw .outOfMemory }
  }

  deinit {
    guard let stream else { return }
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Leaves behind what is left of its packed bytes, whatever they are.
  ///
  /// - Returns: False where its header does not say how many they are.
  /// - Throws: `ContainerError.truncated` where there are fewer.
  func skip() throws(ContainerError) -> Bool {
    guard !header.hasDescriptor, start + header.packedCount >= input.position else { return false }
    var rest = start + header.packedCount - input.position
    while rest > 0 {
      guard try input.has(1) else { throw .truncated("a member of a zip", at: input.position) }
      let count = min(rest, input.window.count)
      input.skip(count)
      rest -= count
    }
    isDone = true
    // What the directory is held against, as nothing else is known.
    (checksum, packedCount, plainCount) = (header.checksum, header.packedCount, header.plainCount)
    return true
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    if let fault = header.fault, !isDone { throw fault }
    while !isDone {
      let before = input.position
      var (count, isAtEnd) = (0, false)
      if let stream {
        let rest = header.hasDescriptor ? Int.max : header.packedCount - packedCount
        guard rest > 0 else { throw .damaged("a member does not end where it should", at: before) }
        (count, isAtEnd) =
          try stream.inflate(input, into: buffer, atMost: rest, of: "a member of a zip")
      } else {
        (count, isAtEnd) = try copy(into: buffer)
      }
      packedCount += input.position - before
      plainCount += count
      let address = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      if count > 0 { checksum = Int(crc32_z(UInt(checksum), address, count)) }
      if !header.hasDescriptor && plainCount > header.plainCount {
        throw .damaged("a member of a zip is larger than its header says", at: input.position)
      }
      if isAtEnd { try finish() }
      if count > 0 { return count }
    }
    return 0
  }

  /// Copies from a member that is only stored; returns how many bytes, and whether it ends here.
  private func copy(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(ContainerError) -> (Int, Bool) {
    var count = min(buffer.count, header.packedCount - packedCount)
    if header.hasDescriptor {
      // Where its size is known only behind it, it ends where checksum and sizes are what came out.
      guard try input.has(24) || !input.window.isEmpty else {
        throw .truncated("a member of a zip", at: input.position)
      }
      if try descriptorSize() != nil { return (0, true) }
      let window = input.window
      let next = window.dropFirst().firstIndex { $0 == 0x50 } ?? window.count
      count = min(buffer.count, next)
    } else if count == 0 {
      return (0, true)
    } else {
      guard try input.has(1) else { throw .truncated("a member of a zip", at: input.position) }
      count = min(count, input.window.count)
    }
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: input.window[..<count]))
    input.skip(count)
    return (count, false)
  }

  /// Holds what came out against what is stored.
  private func finish() throws(ContainerError) {
    isDone = true
    if header.hasDescriptor {
      guard let size = try descriptorSize() else {
        guard try input.has(12) else {
          throw .truncated("the checksum of a member of a zip", at: input.position)
        }
        throw .damaged("checksum or size of a member of a zip is wrong", at: input.position)
      }
      input.skip(size)
    } else {
      guard packedCount == header.packedCount, plainCount == header.plainCount else {
        throw .damaged("the size of a member of a zip is wrong", at: input.position)
      }
      guard checksum == header.checksum else {
        throw .damaged("the checksum of a member of a zip is wrong", at: input.position)
      }
    }
  }

  /// Returns the size of the descriptor ahead, if there is one and it is that of what came out.
  ///
  /// It may have a signature or none, and sizes of 64 bits or 32. The longer forms come first: of an
  /// empty member both fit, but zeros follow in one and a signature in the other.
  private func descriptorSize() throws(ContainerError) -> Int? {
    _ = try input.has(24)
    let bytes = Array(input.window.prefix(24))
    for start in [4, 0] {
      guard bytes.count >= start + 12, bytes.number32(at: start) == checksum,
        start == 0 || bytes.number32(at: 0) == ZipMemberSource.descriptorSignature
      else { continue }
      if bytes.count >= start + 20, bytes.number64(at: start + 4) == packedCount,
        bytes.number64(at: start + 12) == plainCount
      {
        return start + 20
      }
      if bytes.number32(at: start + 4) == packedCount & 0xFFFF_FFFF,
        bytes.number32(at: start + 8) == plainCount & 0xFFFF_FFFF
      {
        return start + 12
      }
    }
    return nil
  }
}
