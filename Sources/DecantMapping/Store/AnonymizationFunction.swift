internal import DecantDigests
internal import DecantSQLite

/// The SQL function `disguised(value, isUUID, property)`: a value that reveals only which values are equal.
///
/// It is the HMAC-SHA-256 of the value's bytes: 64 hexadecimal digits for a text, and a UUID of version 4 made from the
/// first bytes for a UUID. The key is random and only in memory, so that nobody can guess a value by trying candidates;
/// another run produces other results for the same values.
final class AnonymizationFunction: ScalarFunction {
  private let code: HMAC

  /// Creates a function with this key.
  init(key: [UInt8]) { code = HMAC(key: key) }

  /// Returns 32 random bytes of the system's generator.
  static func randomKey() -> [UInt8] {
    var system = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: 0...255, using: &system) }
  }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    let isUUID = arguments.integer(at: 1) != 0
    switch arguments.type(at: 0) {
    case .null: result.setNull()
    case .text where !isUUID:
      var text = arguments.text(at: 0)
      result.set(SHA256.text(text.withUTF8 { code.digest(of: UnsafeRawBufferPointer($0)) }))
    case .blob where isUUID && arguments.withBytes(at: 0) { $0.count } == 16:
      var bytes = Array(arguments.withBytes(at: 0) { code.digest(of: $0) }.prefix(16))
      bytes[6] = bytes[6] & 0x0f | 0x40
      bytes[8] = bytes[8] & 0x3f | 0x80
      bytes.withUnsafeBytes { result.set($0) }
    case .text, .blob, .integer, .real:
      result.fail(
        "anonymize: \(arguments.text(at: 2)) has a value that is not a \(isUUID ? "UUID" : "text"): "
          + "only redact can anonymize it"
      )
    }
  }
}
