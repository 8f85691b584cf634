internal import Digests
internal import SQLite

/// The SQL function `disguised(value, isUUID, property)`: a value that says nothing but which others are equal to it.
///
/// HMAC (RFC 2104) of SHA-256 over the value's bytes: of a text its 64 hexadecimal digits, of a UUID one of
/// version 4 made of its first bytes. The key is random and in memory only, so that nobody can find a value by
/// trying what it might be; and so another run makes others of the same values.
final class DisguiseFunction: ScalarFunction {
  private let inner: [UInt8]
  private let outer: [UInt8]

  /// Makes a function with this key, of 64 bytes at the most.
  init(key: [UInt8]) {
    let block = key + [UInt8](repeating: 0, count: max(64 - key.count, 0))
    inner = block.map { $0 ^ 0x36 }
    outer = block.map { $0 ^ 0x5c }
  }

  /// Returns 32 random bytes of the system's.
  static func randomKey() -> [UInt8] {
    var system = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: 0...255, using: &system) }
  }

  /// Returns the 32 bytes of the keyed digest of `bytes`.
  func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var digest = SHA256()
    inner.withUnsafeBytes { digest.update($0) }
    digest.update(bytes)
    let first = digest.finish()
    outer.withUnsafeBytes { digest.update($0) }
    first.withUnsafeBytes { digest.update($0) }
    return digest.finish()
  }

  override func call(
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) {
    let isUUID = arguments.integer(at: 1) != 0
    switch arguments.type(at: 0) {
    case .null: result.setNull()
    case .text where !isUUID:
      var text = arguments.text(at: 0)
      result.set(SHA256.text(text.withUTF8 { digest(UnsafeRawBufferPointer($0)) }))
    case .blob where isUUID && arguments.withBytes(at: 0) { $0.count } == 16:
      var bytes = Array(arguments.withBytes(at: 0) { digest($0) }.prefix(16))
      bytes[6] = bytes[6] & 0x0f | 0x40
      bytes[8] = bytes[8] & 0x3f | 0x80
      bytes.withUnsafeBytes { result.set($0) }
    case .text, .blob, .integer, .real:
      result.fail(
        "disguise: \(arguments.text(at: 2)) has a value that is no \(isUUID ? "UUID" : "text"): "
          + "only redact can disguise it"
      )
    }
  }
}
