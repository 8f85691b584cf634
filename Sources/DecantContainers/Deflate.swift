internal import CDecantZlib

/// The compression of zip files, gzip files and Core Data's model cache.
package enum Deflate {
  /// The framing of the compressed bytes.
  package enum Format: Sendable, Hashable, CaseIterable {
    /// No framing: a raw deflate stream without a checksum.
    case raw
    /// A two-byte header and an Adler-32 checksum.
    case zlib
    /// A gzip header, and a CRC-32 checksum with the length.
    case gzip

    /// The format in zlib's notation: the window size, plus a flag for the framing.
    fileprivate var windowBits: Int32 {
      switch self {
      case .raw: -15
      case .zlib: 15
      case .gzip: 31
      }
    }
  }

  /// Returns `bytes` unpacked; throws if that is more than `limit` bytes.
  ///
  /// Several consecutive gzip members are one file (RFC 1952). Bytes after the end of the compressed data are ignored.
  package static func inflate(_ bytes: [UInt8], format: Format, limit: Int) throws(ContainerError) -> [UInt8] {
    var output: [UInt8] = []
    var start = 0
    repeat {
      start = try inflateMember(bytes, from: start, format: format, limit: limit, into: &output)
    } while format == .gzip && startsGzipMember(bytes, at: start)
    return output
  }

  /// Returns `bytes` packed; `level` ranges from 1, the fastest, to 9, the smallest.
  package static func deflate(_ bytes: [UInt8], format: Format, level: Int = 6) throws(ContainerError) -> [UInt8] {
    var stream = z_stream()
    let level = Int32(min(max(level, 0), 9))
    guard decant_deflate_init(&stream, level, format.windowBits) == Z_OK else {
      throw .outOfMemory
    }
    defer { deflateEnd(&stream) }
    var output: [UInt8] = []
    var consumed = 0
    var code = Z_OK
    repeat {
      let rest = bytes.count - consumed
      let isLast = rest <= pieceSize
      code = step(&stream, bytes, &consumed, &output, room: pieceSize) {
        CDecantZlib.deflate(&$0, isLast ? Z_FINISH : Z_NO_FLUSH)
      }
      guard code == Z_OK || code == Z_BUF_ERROR || code == Z_STREAM_END else {
        throw .outOfMemory
      }
    } while code != Z_STREAM_END
    return output
  }

  /// Returns the CRC-32 checksum of `bytes`, or `seed` updated with `bytes`.
  package static func crc32(_ bytes: [UInt8], seed: UInt32 = 0) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32_z(UInt(seed), bytes, bytes.count))
  }

  /// The maximum number of bytes that one call passes to zlib or receives from it.
  private static let pieceSize = 1 << 16

  /// Unpacks the stream that begins at `start`, and returns where it ends.
  private static func inflateMember(
    _ bytes: [UInt8],
    from start: Int,
    format: Format,
    limit: Int,
    into output: inout [UInt8]
  ) throws(ContainerError) -> Int {
    var stream = z_stream()
    guard decant_inflate_init(&stream, format.windowBits) == Z_OK else { throw .outOfMemory }
    defer { inflateEnd(&stream) }
    var consumed = start
    while true {
      // One byte more than allowed distinguishes output that just fits from output that does not.
      let room = min(pieceSize, max(limit, 0) - output.count) + 1
      let before = (consumed, output.count)
      let code = step(&stream, bytes, &consumed, &output, room: room) {
        CDecantZlib.inflate(&$0, Z_NO_FLUSH)
      }
      if output.count > limit { throw .tooLarge(limit: limit) }
      switch code {
      case Z_STREAM_END: return consumed
      case Z_OK where before != (consumed, output.count): continue
      case Z_OK, Z_BUF_ERROR: throw .truncated("compressed data", at: bytes.count)
      case Z_MEM_ERROR: throw .outOfMemory
      default:
        let reason = stream.msg.map { String(cString: $0) } ?? "zlib error \(code)"
        throw .damaged(reason, at: consumed)
      }
    }
  }

  /// Runs `work` once on the next piece of `bytes`, and appends its output to `output`.
  private static func step(
    _ stream: inout z_stream,
    _ bytes: [UInt8],
    _ consumed: inout Int,
    _ output: inout [UInt8],
    room: Int,
    _ work: (inout z_stream) -> Int32
  ) -> Int32 {
    let available = min(pieceSize, bytes.count - consumed)
    var code = Z_OK
    let piece = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      bytes.withUnsafeBufferPointer { input in
        // zlib reads through this pointer and never writes; its declaration lacks the `const`.
        stream.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0 + consumed) }
        stream.avail_in = UInt32(available)
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(room)
        code = work(&stream)
      }
      count = room - Int(stream.avail_out)
    }
    consumed += available - Int(stream.avail_in)
    stream.next_in = nil
    stream.next_out = nil
    output += piece
    return code
  }

  private static func startsGzipMember(_ bytes: [UInt8], at start: Int) -> Bool {
    start + 1 < bytes.count && bytes[start] == 0x1F && bytes[start + 1] == 0x8B
  }
}
