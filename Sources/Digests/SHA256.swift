/// SHA-256 (FIPS 180-4) of bytes that come piece by piece.
///
/// `SHA2` digests what is small and whole; this one is for values that are never in memory at once.
public struct SHA256 {
  private var state: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19
  )
  /// What came after the last whole block of 64 bytes.
  private var rest: [UInt8] = []
  private var byteCount: UInt64 = 0

  /// Begins with no bytes.
  public init() { rest.reserveCapacity(128) }

  /// Returns the 64 hexadecimal digits of the digest of `bytes`.
  public static func text(of bytes: UnsafeRawBufferPointer) -> String {
    var digest = SHA256()
    digest.update(bytes)
    return text(digest.finish())
  }

  /// The hexadecimal digits of a digest.
  public static func text(_ digest: [UInt8]) -> String { digest.map { hex($0) }.joined() }

  /// The two digits of a byte.
  public static func hex(_ byte: UInt8) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: [digits[Int(byte >> 4)], digits[Int(byte & 15)]], as: UTF8.self)
  }

  /// Takes in the next piece.
  public mutating func update(_ piece: UnsafeRawBufferPointer) {
    byteCount += UInt64(piece.count)
    var start = 0
    if !rest.isEmpty {
      let missing = min(64 - rest.count, piece.count)
      rest.append(contentsOf: piece[..<missing])
      start = missing
      guard rest.count == 64 else { return }
      rest.withUnsafeBytes { compress($0, blocks: 1) }
      rest.removeAll(keepingCapacity: true)
    }
    let blocks = (piece.count - start) / 64
    if blocks > 0 {
      compress(
        UnsafeRawBufferPointer(rebasing: piece[start..<start + blocks * 64]),
        blocks: blocks
      )
    }
    rest.append(contentsOf: piece[(start + blocks * 64)...])
  }

  /// Returns the 32 bytes of the digest; the value is of no use afterwards.
  public mutating func finish() -> [UInt8] {
    let bitCount = byteCount &* 8
    var end: [UInt8] = rest + [0x80]
    while end.count % 64 != 56 { end.append(0) }
    end += (0..<8).reversed().map { UInt8(truncatingIfNeeded: bitCount >> (8 * $0)) }
    end.withUnsafeBytes { compress($0, blocks: $0.count / 64) }
    let words = [state.0, state.1, state.2, state.3, state.4, state.5, state.6, state.7]
    return words.flatMap { word in
      (0..<4).reversed().map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
    }
  }

  private mutating func compress(_ bytes: UnsafeRawBufferPointer, blocks: Int) {
    var (a0, b0, c0, d0, e0, f0, g0, h0) = state
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      SHA256.rounds.withUnsafeBufferPointer { constants in
        for block in 0..<blocks {
          for index in 0..<16 {
            words[index] = UInt32(
              bigEndian: bytes.loadUnaligned(
                fromByteOffset: block * 64 + index * 4,
                as: UInt32.self
              )
            )
          }
          for index in 16..<64 {
            let (low, high) = (words[index - 15], words[index - 2])
            let small = SHA256.turn(low, 7) ^ SHA256.turn(low, 18) ^ (low &>> 3)
            let large = SHA256.turn(high, 17) ^ SHA256.turn(high, 19) ^ (high &>> 10)
            words[index] = words[index - 16] &+ small &+ words[index - 7] &+ large
          }
          var (a, b, c, d, e, f, g, h) = (a0, b0, c0, d0, e0, f0, g0, h0)
          for index in 0..<64 {
            let sum1 = SHA256.turn(e, 6) ^ SHA256.turn(e, 11) ^ SHA256.turn(e, 25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ sum1 &+ choice &+ constants[index] &+ words[index]
            let sum0 = SHA256.turn(a, 2) ^ SHA256.turn(a, 13) ^ SHA256.turn(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
          }
          (a0, b0, c0, d0) = (a0 &+ a, b0 &+ b, c0 &+ c, d0 &+ d)
          (e0, f0, g0, h0) = (e0 &+ e, f0 &+ f, g0 &+ g, h0 &+ h)
        }
      }
    }
    state = (a0, b0, c0, d0, e0, f0, g0, h0)
  }

  @inline(__always)
  private static func turn(_ word: UInt32, _ amount: UInt32) -> UInt32 {
    (word &>> amount) | (word &<< (32 - amount))
  }

  private static let rounds = SHA2Constants.rounds.prefix(64).map { UInt32($0 >> 32) }
}
