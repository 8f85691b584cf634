/// SHA-256 and SHA-512 (FIPS 180-4): the digests that stand in a store's metadata.
///
/// The two differ in the width of a word, the amounts of the rotations and the number of rounds;
/// everything else is one algorithm.
public enum SHA2 {
  /// Returns the 32 bytes of the SHA-256 of `bytes`.
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    digest(
      bytes,
      rounds: SHA2Constants.rounds.prefix(64).map { UInt32($0 >> 32) },
      initial: SHA2Constants.initial.map { UInt32($0 >> 32) },
      amounts: Amounts(
        small0: (7, 18, 3),
        small1: (17, 19, 10),
        large0: (2, 13, 22),
        large1: (6, 11, 25)
      )
    )
  }

  /// Returns the 64 bytes of the SHA-512 of `bytes`.
  public static func sha512(_ bytes: [UInt8]) -> [UInt8] {
    digest(
      bytes,
      rounds: SHA2Constants.rounds,
      initial: SHA2Constants.initial,
      amounts: Amounts(
        small0: (1, 8, 7),
        small1: (19, 61, 6),
        large0: (28, 34, 39),
        large1: (14, 18, 41)
      )
    )
  }

  /// How far the four mixing functions rotate; the last number of the small ones is a shift.
  private struct Amounts {
    let small0, small1, large0, large1: (Int, Int, Int)
  }

  private static func digest<Word: FixedWidthInteger & UnsignedInteger & SendableMetatype>(
    _ message: [UInt8],
    rounds: [Word],
    initial: [Word],
    amounts: Amounts
  ) -> [UInt8] {
    let width = Word.bitWidth / 8
    let block = width * 16
    // A one bit, zeros and the length in bits make the message a whole number of blocks. The
    // length is two words wide; its lowest eight bytes hold every length there is.
    var bytes = message + [0x80]
    while bytes.count % block != block - 2 * width { bytes.append(0) }
    bytes += [UInt8](repeating: 0, count: 2 * width - 8) + bigEndian(UInt64(message.count) * 8)
    var state = initial
    for start in stride(from: 0, to: bytes.count, by: block) {
      let words = (0..<16).map { word in
        bytes[(start + word * width)..<(start + (word + 1) * width)].reduce(0) {
          $0 << 8 | Word($1)
        }
      }
      mix(words, into: &state, rounds: rounds, amounts: amounts)
    }
    return state.flatMap(bigEndian)
  }

  /// Mixes the sixteen words of one block into the state.
  private static func mix<Word: FixedWidthInteger & UnsignedInteger & SendableMetatype>(
    _ words: [Word],
    into state: inout [Word],
    rounds: [Word],
    amounts: Amounts
  ) {
    var schedule = words
    for round in 16..<rounds.count {
      let (near, far) = (schedule[round - 2], schedule[round - 15])
      let small0 = rotate(far, amounts.small0.0, amounts.small0.1) ^ (far >> amounts.small0.2)
      let small1 = rotate(near, amounts.small1.0, amounts.small1.1) ^ (near >> amounts.small1.2)
      schedule.append(schedule[round - 16] &+ small0 &+ schedule[round - 7] &+ small1)
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for (constant, word) in zip(rounds, schedule) {
      let (r0, r1) = (amounts.large0, amounts.large1)
      let large1 = rotate(e, r1.0, r1.1) ^ rotate(e, r1.2)
      let large0 = rotate(a, r0.0, r0.1) ^ rotate(a, r0.2)
      let first = h &+ large1 &+ ((e & f) ^ (~e & g)) &+ constant &+ word
      let second = large0 &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    for (position, word) in [a, b, c, d, e, f, g, h].enumerated() {
      state[position] &+= word
    }
  }

  /// Returns `word` rotated to the right by each of `amounts`, combined by exclusive or.
  private static func rotate<Word: FixedWidthInteger & SendableMetatype>(
    _ word: Word,
    _ amounts: Int...
  ) -> Word {
    amounts.reduce(0) { $0 ^ (word >> $1 | word << (Word.bitWidth - $1)) }
  }

  private static func bigEndian<Word: FixedWidthInteger & SendableMetatype>(_ word: Word) -> [UInt8]
  {
    stride(from: Word.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: word >> $0)
    }
  }
}
