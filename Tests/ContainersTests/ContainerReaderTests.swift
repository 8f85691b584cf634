import DecantContainers
import Foundation
import TestSupport
import Testing

/// What other programs write is read.
@Suite struct ContainerReaderTests {
  private let packed: Packed

  init() throws { packed = try Packed() }

  @Test(arguments: Packer.all, [Plain.empty, .oneByte, .few, .blockAndOne])
  func `what another program packed is unpacked`(_ packer: Packer, _ plain: Plain) throws {
    let bytes = plain.bytes
    try packer.pack(bytes, packed)
    #expect(try packed.read() == [ReadMember(name: nil, depth: 1, bytes: bytes)])
  }

  @Test(arguments: Packer.all)
  func `the steps of reading do not matter`(_ packer: Packer) throws {
    try packer.pack(Plain.text, packed)
    for step in [1, 299, 300] {
      #expect(try packed.read(step: step).map(\.bytes) == [Plain.text])
    }
  }

  @Test(arguments: [
    [0x41], [0x50], [0x28], [UInt8]("{\"decant\":1}\n".utf8), [UInt8]("PK are two letters".utf8),
    [0x1F, 0x8A, 0, 0], Plain.text,
  ])
  func `what no format begins like is plain`(_ bytes: [UInt8]) throws {
    try expectPlain(bytes)
  }

  @Test func `zeros are plain`() throws { try expectPlain([UInt8](repeating: 0, count: 300_000)) }

  private func expectPlain(_ bytes: [UInt8]) throws {
    try packed.put(bytes)
    #expect(try packed.read() == [ReadMember(name: nil, depth: 0, bytes: bytes)])
  }

  @Test func `nothing is an error`() throws {
    try packed.put([])
    #expect(throws: ContainerError.empty) { try packed.read() }
  }

  @Test(arguments: Packer.all)
  func `bytes that follow are an error`(_ packer: Packer) throws {
    try packer.pack(Plain.text, packed)
    let whole = try packed.bytes
    for rest in [[UInt8]("{".utf8), [UInt8]("more that follows, and no end".utf8)] {
      try packed.put(whole + rest)
      #expect(throws: ContainerError.self) { try packed.read() }
    }
  }

  @Test func `an error is thrown again by every call`() throws {
    try packed.write([Plain.lines(300_000)], .gzip)
    try packed.put(packed.bytes.dropLast())
    let reader = try ContainerReader(path: packed.path)
    let error = try #require(throws: ContainerError.self) { try Packed.read(reader) }
    guard case .truncated = error else { Issue.record("\(error)"); return }
    #expect(throws: error) { try reader.nextMember() }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 1)
    defer { buffer.deallocate() }
    #expect(throws: error) { try reader.read(into: buffer) }
  }

  @Test func `a member that is left early is checked all the same`() throws {
    try packed.write([Plain.lines(3_000_000)], .gzip)
    let whole = try packed.bytes
    #expect(try ContainerReader(path: packed.path).nextMember()?.depth == 1)
    var damaged = whole
    damaged[whole.count - 5] ^= 1
    try packed.put(damaged)
    let reader = try ContainerReader(path: packed.path)
    #expect(try reader.nextMember()?.depth == 1)
    #expect(throws: ContainerError.self) { try reader.nextMember() }
  }

  @Test(arguments: ["old lz4", "zstd window", "xz dictionary", "xz dictionary of a later stream"])
  func `what is sound but not read says so`(_ sample: String) throws {
    switch sample {
    case "old lz4": try packed.put([0x02, 0x21, 0x4C, 0x18, 0, 0, 0, 0])
    case "zstd window":
      // A window of 256 MiB, then an empty last block (RFC 8878, 3.1.1).
      try packed.put([0x28, 0xB5, 0x2F, 0xFD, 0, 18 << 3, 1, 0, 0])
    default:
      // A dictionary of 1 GiB in the header of the first block (xz format, 3.1 and 5.3.1).
      try packed.python(
        """
        import lzma, struct, zlib
        data = bytearray(lzma.compress(b'soup'))
        size = (data[12] + 1) * 4
        assert data[14] == 0x21
        data[16] = 36
        data[8 + size:12 + size] = struct.pack('<I', zlib.crc32(data[12:8 + size]))
        open(packed, 'wb').write((lzma.compress(b'bread') if \(sample.hasSuffix("stream") ? 1 : 0) else b'') + data)
        """
      )
    }
    let error = #expect(throws: ContainerError.self) { try packed.read() }
    guard case .unsupported = error else { Issue.record("\(error as Any)"); return }
  }

  @Test(arguments: [Compression.gzip, .zstd, .xz, .lz4, .zip(member: "a")])
  func `a pipe that gives a little at a time is read`(_ compression: Compression) throws {
    let bytes = Plain.lines(300_000)
    try packed.write([bytes], compression)
    let pipe = Pipe()
    let whole = try packed.bytes
    let handle = pipe.fileHandleForWriting
    let feeder = Thread {
      for start in stride(from: 0, to: whole.count, by: 701) {
        try? handle.write(contentsOf: whole[start..<min(start + 701, whole.count)])
      }
      try? handle.close()
    }
    feeder.start()
    let reader = try ContainerReader(descriptor: pipe.fileHandleForReading.fileDescriptor)
    #expect(try Packed.read(reader).map(\.bytes) == [bytes])
  }
}
