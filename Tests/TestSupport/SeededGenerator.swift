import Foundation

/// A generator whose numbers follow from its seed alone, so that a failure can be run again.
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Starts at `seed`.
  public init(seed: UInt64) { state = seed }

  /// The seeds a property is tried with: `count` of them, or the one that `DECANT_SEED` names.
  public static func seeds(_ count: UInt64) -> [UInt64] {
    if let text = ProcessInfo.processInfo.environment["DECANT_SEED"], let seed = UInt64(text) {
      return [seed]
    }
    return Array(1...(Effort.isThorough ? count * 50 : count))
  }

  /// SplitMix64, after Steele, Lea and Flood.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
