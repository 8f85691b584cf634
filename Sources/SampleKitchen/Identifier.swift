import DecantDigests

/// UUIDs that are the same in every run: each is made of the digest of a name.
enum Identifier {
  /// Returns the 16 bytes of the UUID that belongs to `name`.
  static func bytes(_ name: String) -> [UInt8] {
    var bytes = Array(SHA2.sha256(Array("kitchen sample \(name)".utf8)).prefix(16))
    // Version 8 is for UUIDs of one's own making; the variant is that of RFC 9562.
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes
  }

  /// Returns the UUID that belongs to `name` as upper-case text.
  static func text(_ name: String) -> String {
    let digits = bytes(name).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
      .map { digits[$0].joined() }.joined(separator: "-")
  }
}
