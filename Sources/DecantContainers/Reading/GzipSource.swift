internal import CDecantZlib

/// Unpacks a gzip file: all of its members (RFC 1952).
///
/// Zeros may follow, as `gzip` allows for tapes.
final class GzipSource: ByteSource {
  private let input: BufferedInput
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var isDone = false

  init(_ input: BufferedInput) throws(ContainerError) {
    self.input = input
    stream.initialize(to: z_stream())
    guard decant_inflate_init(stream, 31) == Z_OK else { throw .outOfMemory }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    while !isDone {
      let count = try inflate(into: buffer)
      if count > 0 { return count }
    }
    return 0
  }

  /// Unpacks once; returns the number of bytes produced, which may be 0.
  private func inflate(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    let isThere = try input.has(1)
    let window = input.window.bindMemory(to: UInt8.self)
    let room = min(buffer.count, 1 << 30)
    // zlib reads through this pointer and never writes; its declaration lacks the `const`.
    stream.pointee.next_in = UnsafeMutablePointer<UInt8>(mutating: window.baseAddress)
    stream.pointee.avail_in = UInt32(window.count)
    stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(room)
    let code = CDecantZlib.inflate(stream, Z_NO_FLUSH)
    input.skip(window.count - Int(stream.pointee.avail_in))
    let count = room - Int(stream.pointee.avail_out)
    switch code {
    case Z_STREAM_END: try startMember()
    case Z_OK where isThere || count > 0: break
    case Z_OK, Z_BUF_ERROR: throw .truncated("a gzip member", at: input.position)
    case Z_MEM_ERROR: throw .outOfMemory
    default:
      let reason = stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(code)"
      throw .damaged("\(reason) in a gzip member", at: input.position)
    }
    return count
  }

  /// Begins the next member, if there is one.
  private func startMember() throws(ContainerError) {
    if try input.has(2), input.window[0] == 0x1F, input.window[1] == 0x8B {
      guard inflateReset(stream) == Z_OK else { throw .outOfMemory }
      return
    }
    try input.expectZeros(after: "gzip data")
    isDone = true
  }
}
