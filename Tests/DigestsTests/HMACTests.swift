import DecantDigests
import Testing

@Suite struct HMACTests {
  /// Cases 1, 2 and 6 of RFC 4231: a key shorter than a block, a text for one, and one that is longer.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0b, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func `digests are those of the standard`(_ key: [UInt8], _ text: String, _ digest: String) {
    let code = HMAC(key: key)
    // A key serves for any number of texts.
    for _ in 1...2 {
      #expect(SHA256.text(Array(text.utf8).withUnsafeBytes { code.digest(of: $0) }) == digest)
    }
  }
}
