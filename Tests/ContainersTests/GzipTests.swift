import DecantContainers
import Foundation
import TestSupport
import Testing

/// Gzip members as RFC 1952 allows them, packed by Python's zlib.
@Suite struct GzipTests {
  private let packed: Packed

  init() throws { packed = try Packed() }

  /// Writes members with every combination of the optional parts of a header; `changes` may change the one in `z`.
  private func pack(_ plain: [UInt8], level: Int, nameLength: Int = 5, _ changes: String = "") throws {
    try packed.putPlain(plain)
    try packed.python(
      """
      import struct, zlib
      text = open(plain, 'rb').read()
      def member(flags, text):
        z = bytearray(b'\\x1f\\x8b\\x08' + bytes([flags]) + b'\\1\\2\\3\\4\\0\\3')
        if flags & 4: z += struct.pack('<H', 300) + b'e' * 300
        if flags & 8: z += b'n' * \(nameLength) + b'\\0'
        if flags & 16: z += b'a comment\\0'
        if flags & 2: z += struct.pack('<H', zlib.crc32(z) & 0xffff)
        packer = zlib.compressobj(\(level), zlib.DEFLATED, -15)
        z += packer.compress(text) + packer.flush()
        z += struct.pack('<II', zlib.crc32(text), len(text) & 0xffffffff)
        \(changes)
        return bytes(z)
      cut = len(text) // 32 + 1
      with open(packed, 'wb') as file:
        for flags in range(32): file.write(member(flags, text[flags * cut:(flags + 1) * cut]))
      """)
  }

  /// Reads the file when its bytes arrive `pieceSize` at a time.
  private func read(pieceSize: Int, step: Int) throws -> [ReadMember] {
    let bytes = try packed.bytes
    var place = 0
    let reader = try ContainerReader { buffer throws(ContainerError) in
      let count = min(pieceSize, buffer.count, bytes.count - place)
      buffer.copyBytes(from: bytes[place..<place + count])
      place += count
      return count
    }
    return try Packed.read(reader, step: step)
  }

  @Test(arguments: [0, 1, 6, 9], [1, 7, 70_000])
  func `all parts of a header, in any pieces`(level: Int, pieceSize: Int) throws {
    for plain in [[], [0x41], Plain.lines(100_000), Plain.random(40_000)] {
      try pack(plain, level: level)
      for step in plain.count < 2 || pieceSize > 1 ? [1, 5_000, 1 << 17] : [5_000] {
        #expect(try read(pieceSize: pieceSize, step: step).map(\.bytes) == [plain])
      }
    }
  }

  @Test func `a name that is longer than what is read at once`() throws {
    try pack(Plain.text, level: 6, nameLength: 300_000)
    #expect(try packed.read().map(\.bytes) == [Plain.text])
    try packed.put(Array(packed.bytes.prefix(200_000)))
    let error = #expect(throws: ContainerError.self) { try packed.read() }
    guard case .truncated = error else { Issue.record("\(String(describing: error))"); return }
  }

  @Test(arguments: [
    ("if flags == 2: z[10] ^= 1", "incorrect header checksum"),
    ("if flags == 30: z[20] ^= 1", "incorrect header checksum"),
    ("if flags == 5: z[3] |= 32", "unknown flags"),
    ("if flags == 3: z[-1] ^= 1", "incorrect length"),
    ("if flags == 3: z[-5] ^= 1", "incorrect checksum"),
    // A block of the type 3, which does not exist.
    ("if flags == 1: z[10] |= 6", "invalid block"),
  ])
  func `damage is named`(change: String, reason: String) throws {
    try pack(Plain.text, level: 6, change)
    let error = #expect(throws: ContainerError.self) { try packed.read() }
    #expect("\(String(describing: error))".contains("\(reason) in a gzip member"), "\(String(describing: error))")
  }

  @Test func `a compression other than deflate is named`() throws {
    try pack(Plain.text, level: 6, "if flags == 0: z[2] = 7")
    let error = #expect(throws: ContainerError.self) { try packed.read() }
    guard case .unsupported = error else { Issue.record("\(String(describing: error))"); return }
  }
}
