internal import CDecantCompression

/// Unpacks a gzip file: all of its members (RFC 1952), with their checksums, lengths and header checksums.
///
/// With ISA-L, which took 0.06 s for 100 MB of lines of JSON where zlib took 0.16 s.
///
/// Zeros may follow, as `gzip` allows for tapes.
final class GzipSource: ByteSource {
  private let input: BufferedInput
  private let state: UnsafeMutablePointer<inflate_state>
  /// The number of unpacked bytes of the current member.
  private var byteCount = 0
  private var place = Place.start

  /// Where the next byte is.
  private enum Place { case start, data, trailer, end }

  init(_ input: BufferedInput) throws(ContainerError) {
    guard let state = decant_inflate_new() else { throw .outOfMemory }
    (self.input, self.state) = (input, state)
  }

  deinit { free(state) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    while true {
      switch place {
      case .start:
        try readHeader()
        decant_inflate_start(state)
        (byteCount, place) = (0, .data)
      case .data:
        let count = try inflate(into: buffer)
        if decant_inflate_is_done(state) != 0 { place = .trailer }
        // What was unpacked is passed on before the trailer is checked, so that it can be salvaged.
        if count > 0 { return count }
      case .trailer: try finishMember()
      case .end: return 0
      }
    }
  }

  /// Unpacks once; returns the number of bytes produced, which may be 0.
  private func inflate(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    let isThere = try input.has(1)
    let window = input.window.bindMemory(to: UInt8.self)
    let output = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var (readCount, writtenCount) = (UInt32(window.count), UInt32(min(buffer.count, 1 << 30)))
    let code = decant_inflate_step(state, window.baseAddress, &readCount, output, &writtenCount)
    input.skip(Int(readCount))
    byteCount += Int(writtenCount)
    switch code {
    case ISAL_DECOMP_OK: break
    case ISAL_INVALID_BLOCK: throw damaged("invalid block")
    case ISAL_INVALID_SYMBOL: throw damaged("invalid code")
    case ISAL_INVALID_LOOKBACK: throw damaged("invalid distance")
    default: throw damaged("ISA-L error \(code)")
    }
    if readCount == 0, writtenCount == 0, decant_inflate_is_done(state) == 0 {
      throw isThere ? damaged("invalid block") : .truncated("a gzip member", at: input.position)
    }
    return Int(writtenCount)
  }

  /// Checks the end of a member, and looks for another one.
  private func finishMember() throws(ContainerError) {
    var count: Int32 = 0
    let rest = decant_inflate_rest(state, &count)
    var trailer: [UInt8] = []
    trailer.append(littleEndian: [(Int(count), Int(truncatingIfNeeded: rest))])
    trailer += try input.take(8 - trailer.count, of: "a gzip member")
    guard trailer.number32(at: 0) == decant_inflate_checksum(state) else { throw damaged("incorrect checksum") }
    guard trailer.number32(at: 4) == UInt32(truncatingIfNeeded: byteCount) else { throw damaged("incorrect length") }
    if try input.has(2), input.window[0] == 0x1F, input.window[1] == 0x8B {
      place = .start
    } else {
      try input.expectZeros(after: "gzip data")
      place = .end
    }
  }

  /// Reads the header of a member.
  private func readHeader() throws(ContainerError) {
    var checksum: UInt32 = 0
    let fixed = try takeHeader(10, &checksum)
    guard fixed[0] == 0x1F, fixed[1] == 0x8B else { throw damaged("no header") }
    guard fixed[2] == 8 else { throw .unsupported("the compression \(fixed[2]) in a gzip member", at: input.position) }
    let flags = HeaderFlags(rawValue: fixed[3])
    guard flags.isSubset(of: .known) else { throw damaged("unknown flags") }
    if flags.contains(.extra) { _ = try takeHeader(takeHeader(2, &checksum).number16(at: 0), &checksum) }
    if flags.contains(.name) { try skipHeaderText(&checksum) }
    if flags.contains(.comment) { try skipHeaderText(&checksum) }
    if flags.contains(.checksum) {
      let expected = Int(checksum & 0xFFFF)
      guard try takeHeader(2, &checksum).number16(at: 0) == expected else { throw damaged("incorrect header checksum") }
    }
  }

  /// Returns the next `count` bytes of a header, and updates its checksum.
  private func takeHeader(_ count: Int, _ checksum: inout UInt32) throws(ContainerError) -> [UInt8] {
    let bytes = try input.take(count, of: "a gzip header")
    checksum = bytes.withUnsafeBytes { CRC32.update(checksum, $0) }
    return bytes
  }

  /// Skips a text in a header, up to the zero that ends it, and updates the checksum of the header.
  private func skipHeaderText(_ checksum: inout UInt32) throws(ContainerError) {
    var isEnded = false
    while !isEnded {
      guard try input.has(1) else { throw .truncated("a gzip header", at: input.position) }
      let end = input.window.firstIndex(of: 0)
      isEnded = end != nil
      let count = end.map { $0 + 1 } ?? input.window.count
      checksum = CRC32.update(checksum, UnsafeRawBufferPointer(rebasing: input.window.prefix(count)))
      input.skip(count)
    }
  }

  private func damaged(_ reason: String) -> ContainerError {
    .damaged("\(reason) in a gzip member", at: input.position)
  }
}

/// The optional parts of a gzip header, in the bits of its fourth byte.
private struct HeaderFlags: OptionSet {
  let rawValue: UInt8

  /// The file was text; this has no effect.
  static let text = HeaderFlags(rawValue: 1)
  /// A checksum of the header.
  static let checksum = HeaderFlags(rawValue: 2)
  /// A list of fields, with its length.
  static let extra = HeaderFlags(rawValue: 4)
  /// The name of the packed file, ended by a zero.
  static let name = HeaderFlags(rawValue: 8)
  /// A comment, ended by a zero.
  static let comment = HeaderFlags(rawValue: 16)

  static let known: HeaderFlags = [.text, .checksum, .extra, .name, .comment]
}
