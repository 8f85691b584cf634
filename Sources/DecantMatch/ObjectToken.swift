/// The token of an object in both stores.
enum ObjectToken {
  /// Returns a number that is unlikely to be a hash, and different from every other object's token.
  static func number(of key: Int64, _ root: Int64) -> Int64 {
    // The final steps of SplitMix64, which are a bijection.
    var word = UInt64(bitPattern: key) &+ UInt64(bitPattern: root &+ 1) &* 0x9E37_79B9_7F4A_7C15
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int64(bitPattern: word ^ (word >> 31))
  }
}
