internal import CDecantCompression
internal import CDecantZlib

/// A raw deflate stream, with the checksum and the lengths that gzip and zip append.
///
/// Level 1 is that of ISA-L: over lines of JSON it took 0.16 s for 100 MB where zlib took 0.54 s, and made 23.5 MB of
/// them where zlib made 24.4 MB. The other levels are zlib's.
final class DeflateEncoder {
  private enum Packer {
    case isal(UnsafeMutablePointer<decant_isal>)
    case zlib(UnsafeMutablePointer<z_stream>)
  }

  /// The CRC-32 of all bytes so far.
  private(set) var checksum: UInt32 = 0
  /// The number of bytes so far.
  private(set) var byteCount = 0
  /// The number of packed bytes so far.
  private(set) var packedCount = 0

  private let packer: Packer
  private let buffer: PackedBuffer

  init(_ output: OutputDescriptor, level: Int) throws(ContainerError) {
    buffer = PackedBuffer(output)
    if level == 1 {
      guard let isal = decant_isal_new() else { throw .outOfMemory }
      packer = .isal(isal)
    } else {
      let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
      stream.initialize(to: z_stream())
      packer = .zlib(stream)
      guard decant_deflate_init(stream, Int32(level), -15) == Z_OK else { throw .outOfMemory }
    }
  }

  deinit {
    switch packer {
    case .isal(let isal): free(isal)
    case .zlib(let stream):
      deflateEnd(stream)
      stream.deallocate()
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(ContainerError) {
    // Both libraries count the bytes of one call in 32 bits.
    var rest = bytes
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(1 << 30))
      let address = piece.bindMemory(to: UInt8.self).baseAddress
      checksum = UInt32(truncatingIfNeeded: crc32_z(UInt(checksum), address, piece.count))
      byteCount += piece.count
      try pack(piece, isLast: false)
    }
  }

  func finish() throws(ContainerError) {
    try pack(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
  }

  /// Writes everything so far up to a whole byte, and empty blocks of stored bytes (RFC 1951, 3.2.4).
  func pad(_ byteCount: Int) throws(ContainerError) {
    try pack(UnsafeRawBufferPointer(start: nil, count: 0), isLast: false, isFlushed: true)
    let empty: [UInt8] = [0, 0, 0, 0xFF, 0xFF]
    var rest = byteCount / empty.count + 1
    while rest > 0 {
      let count = min(rest, 1 << 14)
      try buffer.write([[UInt8]](repeating: empty, count: count).flatMap { $0 })
      packedCount += count * empty.count
      rest -= count
    }
  }

  private func pack(_ bytes: UnsafeRawBufferPointer, isLast: Bool, isFlushed: Bool = false) throws(ContainerError) {
    var input = bytes.bindMemory(to: UInt8.self).baseAddress
    let end = input.map { $0 + bytes.count }
    let memory = buffer.memory
    var room = 0
    var isDone = false
    repeat {
      let rest = UInt32(input.flatMap { start in end.map { $0 - start } } ?? 0)
      room = memory.count
      switch packer {
      case .isal(let isal):
        var next = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let code = decant_isal_step(isal, &input, rest, &next, UInt32(room), isLast ? 1 : 0, isFlushed ? 1 : 0)
        guard code == COMP_OK else { throw .damaged("ISA-L failed with code \(code)") }
        room =
          next.flatMap { next in
            memory.baseAddress.map {
              memory.count - ($0.distance(to: UnsafeMutableRawPointer(next)))
            }
          } ?? 0
        isDone = decant_isal_is_done(isal) != 0
      case .zlib(let stream):
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input)
        stream.pointee.avail_in = rest
        stream.pointee.next_out = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(room)
        let code = deflate(stream, isLast ? Z_FINISH : isFlushed ? Z_SYNC_FLUSH : Z_NO_FLUSH)
        input = UnsafePointer(stream.pointee.next_in)
        room = Int(stream.pointee.avail_out)
        isDone = code == Z_STREAM_END
      }
      let made = memory.count - room
      packedCount += made
      try buffer.flush(made)
      // There may be more output if the buffer is full.
    } while isLast ? !isDone : room == 0
  }
}
