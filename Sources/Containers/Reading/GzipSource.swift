internal import CZlib

/// What a gzip file unpacks to: all of its members in a row (RFC 1952).
///
/// Zeros may follow, as `gzip` has it for tapes.
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
      let (count, isAtEnd) = try stream.inflate(
        input,
        into: buffer,
        atMost: .max,
        of: "a gzip member"
      )
      if isAtEnd { try startMember() }
      if count > 0 { return count }
    }
    return 0
  }

  /// Begins the next member, if there is one.
  private func startMember() throws(ContainerError) {
    if try input.has(2), input.window[0] == 0x1F, input.window[1] == 0x8B {
      guard inflateReset(stream) == Z_OK else { throw .outOfMemory }
      return
    }
    while try input.has(1) {
      guard input.window.allSatisfy({ $0 == 0 }) else {
        try input.expectEnd(after: "gzip data"); return
      }
      input.skip(input.window.count)
    }
    isDone = true
  }
}

extension UnsafeMutablePointer<z_stream> {
  /// Unpacks once from the window of `input`, of which it leaves behind what it used.
  ///
  /// - Parameters:
  ///   - input: Where packed bytes come from.
  ///   - buffer: Where plain ones go.
  ///   - limit: How many packed bytes there are at most; more than none.
  ///   - what: What they are, for errors.
  /// - Returns: How many bytes came out, which may be none, and whether the end was reached.
  /// - Throws: `ContainerError.truncated` where there is no more input, `.damaged` where it is corrupt.
  func inflate(
    _ input: BufferedInput,
    into buffer: UnsafeMutableRawBufferPointer,
    atMost limit: Int,
    of what: String
  ) throws(ContainerError) -> (count: Int, isAtEnd: Bool) {
    let isThere = try input.has(1)
    let window = input.window.bindMemory(to: UInt8.self)
    let available = Swift.min(window.count, limit)
    let room = Swift.min(buffer.count, 1 << 30)
    // zlib reads through this pointer and never writes; its declaration lacks the `const`.
    pointee.next_in = UnsafeMutablePointer<UInt8>(mutating: window.baseAddress)
    pointee.avail_in = UInt32(available)
    pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    pointee.avail_out = UInt32(room)
    let code = CZlib.inflate(self, Z_NO_FLUSH)
    input.skip(available - Int(pointee.avail_in))
    let count = room - Int(pointee.avail_out)
    switch code {
    case Z_STREAM_END: return (count, true)
    case Z_OK where isThere || count > 0: return (count, false)
    case Z_OK, Z_BUF_ERROR: throw .truncated(what, at: input.position)
    case Z_MEM_ERROR: throw .outOfMemory
    default:
      let reason = pointee.msg.map { String(cString: $0) } ?? "zlib error \(code)"
      throw .damaged("\(reason) in \(what)", at: input.position)
    }
  }
}
