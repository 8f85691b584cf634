import DecantContainers
import TestSupport
import Testing

/// What is written is what other programs take for it.
@Suite struct ContainerWriterTests {
  @Test(arguments: Plain.allCases, Unpacker.allCases)
  func `another program unpacks what is packed`(_ plain: Plain, _ unpacker: Unpacker) throws {
    let bytes = plain.bytes
    let packed = try Packed()
    try packed.write([bytes], unpacker.compression)
    #expect(try unpacker.unpack(packed) == bytes)
    if unpacker == .none && bytes.isEmpty {
      #expect(throws: ContainerError.empty) { try packed.read() }
      return
    }
    let name: [UInt8]? = unpacker == .zip ? Array("out.decant".utf8) : nil
    let expected = ReadMember(name: name, depth: unpacker == .none ? 0 : 1, bytes: bytes)
    #expect(try packed.read() == [expected])
  }

  @Test(arguments: Unpacker.allCases.filter { $0 != .none })
  func `another program unpacks every level`(_ unpacker: Unpacker) throws {
    let bytes = Plain.lines(300_000)
    let packed = try Packed()
    for level in try #require(unpacker.compression.levels) {
      try packed.write([bytes], unpacker.compression, level: level)
      #expect(try unpacker.unpack(packed) == bytes, "level \(level)")
      #expect(try packed.read().map(\.bytes) == [bytes], "level \(level)")
      #expect(try packed.bytes.count < bytes.count)
    }
  }

  @Test(arguments: Unpacker.allCases.filter { $0 != .none }, [1, 9])
  func `what packs extremely well is no bomb, and other programs unpack it`(_ unpacker: Unpacker, level: Int) throws {
    var bytes = [UInt8](repeating: 0x20, count: 40 << 20)
    bytes.replaceSubrange(0..<300_000, with: Plain.lines(300_000))
    bytes.replaceSubrange((30 << 20)..<((30 << 20) + 300_000), with: Plain.lines(300_000))
    let packed = try Packed()
    try packed.write([bytes], unpacker.compression, level: level)
    #expect(try packed.bytes.count >= bytes.count / 510)
    #expect(try packed.bytes.count <= bytes.count / 100)
    let isSame = try unpacker.unpack(packed) == bytes
    #expect(isSame)
    let name: [UInt8]? = unpacker == .zip ? Array("out.decant".utf8) : nil
    let isRead = try packed.read() == [ReadMember(name: name, depth: 1, bytes: bytes)]
    #expect(isRead)
  }

  @Test(.enabled(if: Packed.has("unzip"), "there is no unzip"))
  func `unzip takes the zip`() throws {
    let packed = try Packed()
    for plain in [Plain.empty, .few, .random] {
      try packed.write([plain.bytes], .zip(member: "Bücher.decant"))
      try packed.run("unzip", "-tqq", packed.path)
    }
  }

  @Test(arguments: compressions)
  func `the pieces do not matter, and the same bytes give the same file`(_ compression: Compression) throws {
    let bytes = Plain.lines(2_500_000)
    let packed = try Packed()
    try packed.write([bytes], compression)
    let whole = try packed.bytes
    for size in [1 << 20, 999_983, 4096, 70] {
      let pieces = stride(from: 0, to: bytes.count, by: size).map {
        Array(bytes[$0..<min($0 + size, bytes.count)])
      }
      try packed.write([[]] + pieces + [[]], compression)
      #expect(try packed.bytes == whole, "pieces of \(size)")
    }
  }

  @Test func `zstd, xz and lz4 have checksums of their content`() throws {
    // The flags as RFC 8878 (3.1.1.1.1), the xz format (2.1.1.2) and the lz4 frame format have them.
    let packed = try Packed()
    try packed.write([Plain.text], .zstd)
    #expect(try packed.bytes[4] & 4 == 4)
    try packed.write([Plain.text], .xz)
    #expect(try packed.bytes[7] == 4)
    try packed.write([Plain.text], .lz4)
    #expect(try packed.bytes[4] & 4 == 4)
  }

  @Test(arguments: compressions)
  func `a level that there is not is an error`(_ compression: Compression) throws {
    let packed = try Packed()
    let allowed = compression.levels
    for level in [(allowed?.lowerBound ?? 0) - 1, (allowed?.upperBound ?? 0) + 1, .min, .max] {
      let error = ContainerError.invalidLevel(level, compression: compression.name, allowed: allowed)
      #expect(throws: error) { try packed.write([], compression, level: level) }
    }
  }

  @Test(.enabled(if: Effort.isThorough, "takes a while: DECANT_SLOW=1"))
  func `a zip of more than 4 GiB is one of 64 bits`() throws {
    let packed = try Packed()
    let piece = [[UInt8]](repeating: Plain.random(2 << 20), count: 32).flatMap { $0 }
    try packed.write([[UInt8]](repeating: piece, count: 66), .zip(member: "large"))
    try packed.python(
      """
      import zipfile, zlib
      with zipfile.ZipFile(packed) as z:
        assert z.getinfo('large').file_size == \(66 * piece.count)
        with z.open('large') as member:
          for _ in range(66): assert zlib.crc32(member.read(\(piece.count))) == \(crc(piece))
      """
    )
    let reader = try ContainerReader(path: packed.path)
    #expect(try reader.nextMember()?.name == "large")
    #expect(try reader.nextMember() == nil)
  }

  private func crc(_ bytes: [UInt8]) -> UInt32 { Deflate.crc32(bytes) }
}
