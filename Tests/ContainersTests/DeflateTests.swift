import DecantContainers
import Testing

/// What `zlib` and `gzip` of Python 3.11 make of `text`, at level 9.
private let text = [UInt8]("Pancakes, pancakes, pancakes: flour, milk and eggs.".utf8)
private let packed: [(format: Deflate.Format, hex: String)] = [
  (.raw, "0b48cc4b4ecc4e2dd65128c0605929a4e5e49716e928e466e6642b24e6a528a4a6a717eb0100"),
  (.zlib, "78da0b48cc4b4ecc4e2dd65128c0605929a4e5e49716e928e466e6642b24e6a528a4a6a717eb0100dc1c120d"),
  (
    .gzip,
    "1f8b08000000000002030b48cc4b4ecc4e2dd65128c0605929a4e5e49716e928e466e6642b24e6a528a4a6a7"
      + "17eb010056b4362333000000"
  ),
]

@Suite struct DeflateTests {
  @Test(arguments: packed)
  func `what another program packed unpacks`(_ sample: (format: Deflate.Format, hex: String)) throws {
    #expect(try Deflate.inflate(bytes(sample.hex), format: sample.format, limit: 1000) == text)
  }

  @Test(arguments: Deflate.Format.allCases)
  func `what is packed unpacks to the same`(_ format: Deflate.Format) throws {
    var generator = SystemRandomNumberGenerator()
    let samples: [[UInt8]] = [
      [], [0], text,
      (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7 * $0) },
      (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &generator) },
      [UInt8](repeating: 7, count: 65_536),
    ]
    for sample in samples {
      for level in [1, 6, 9] {
        let packed = try Deflate.deflate(sample, format: format, level: level)
        let unpacked = try Deflate.inflate(packed, format: format, limit: sample.count)
        #expect(unpacked == sample)
      }
    }
  }

  @Test func `gzip members in a row are one file`() throws {
    let member = try Deflate.deflate(text, format: .gzip)
    #expect(try Deflate.inflate(member + member, format: .gzip, limit: 1000) == text + text)
  }

  @Test(arguments: Deflate.Format.allCases)
  func `a bomb is an error at the limit`(_ format: Deflate.Format) throws {
    let bomb = try Deflate.deflate([UInt8](repeating: 0, count: 10_000_000), format: format)
    for limit in [0, 1, 65_535, 65_536, 9_999_999] {
      #expect(throws: ContainerError.tooLarge(limit: limit)) {
        try Deflate.inflate(bomb, format: format, limit: limit)
      }
    }
    #expect(try Deflate.inflate(bomb, format: format, limit: .max).count == 10_000_000)
  }

  @Test(arguments: packed)
  func `every truncation is an error`(_ sample: (format: Deflate.Format, hex: String)) throws {
    let whole = bytes(sample.hex)
    for count in 0..<whole.count {
      #expect(throws: ContainerError.self) {
        try Deflate.inflate([UInt8](whole[..<count]), format: sample.format, limit: 1000)
      }
    }
  }

  @Test(arguments: packed)
  func `a flipped byte is an error or a value, never a trap`(_ sample: (format: Deflate.Format, hex: String)) throws {
    let whole = bytes(sample.hex)
    for position in whole.indices {
      var damaged = whole
      damaged[position] ^= 0xFF
      _ = try? Deflate.inflate(damaged, format: sample.format, limit: 1000)
    }
  }

  @Test func `the checksum is the CRC-32 of zip and gzip`() {
    #expect(Deflate.crc32(text) == 0x2336_b456)
    #expect(Deflate.crc32([]) == 0)
    let seed = Deflate.crc32([UInt8](text[..<20]))
    #expect(Deflate.crc32([UInt8](text[20...]), seed: seed) == 0x2336_b456)
  }
}

private func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
  return stride(from: 0, to: digits.count - 1, by: 2).map {
    UInt8(digits[$0] * 16 + digits[$0 + 1])
  }
}
