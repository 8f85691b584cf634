internal import DecantBase
internal import DecantDigests
internal import DecantJSON
internal import DecantSQLite

/// The SQL functions used in a mapping's statements; expressions of users must not call them.
enum MappingFunctions {
  /// The default namespace of identifiers: decant's own.
  static let namespace: [UInt8] = [
    0x5e, 0x1c, 0x9a, 0x52, 0x6b, 0x0d, 0x4f, 0x47, 0x9e, 0x3a, 0xd0, 0x2c, 0xa8, 0x6e, 0x71, 0xb4,
  ]

  /// Registers the functions on `connection`; values are anonymized with `key`.
  static func register(on connection: Connection, key: [UInt8]) throws(SQLiteError) {
    try connection.register(AnonymizationFunction(key: key), as: "disguised", [.deterministic])
    try ConvertedValue.register(on: connection, isLenient: false)
    try connection.register(StoredText(), as: "text_of", [.deterministic])
    try connection.register(StoredNumber(), as: "number_of", [.deterministic])
    try connection.register(ContentUUID(), as: "uuid_of_content", [.deterministic])
    try connection.register(ObjectUUID(version: 5), as: "uuid_of", [.deterministic])
    try connection.register(ObjectUUID(version: 4), as: "uuid_at_random", [.deterministic])
  }
}

/// The SQL function `uuid_of(namespace, name, key, number)`: a UUID of version 5 with the name `name/key`.
///
/// The name is `name/key/number` if the number is not 0. As `uuid_at_random`, with random bytes as the namespace, the
/// UUID has version 4.
private final class ObjectUUID: ScalarFunction {
  private let version: UInt8

  init(version: UInt8) { self.version = version }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 2) != .null else { return result.setNull() }
    let namespace = arguments.withBytes(at: 0) { Array($0) }
    let number = arguments.integer(at: 3)
    let name =
      "\(arguments.text(at: 1))/\(arguments.integer(at: 2))" + (number == 0 ? "" : "/\(number)")
    NamedUUID.bytes(namespace, Array(name.utf8), version: version).withUnsafeBytes {
      result.set($0)
    }
  }
}

/// The SQL function `uuid_of_content(namespace, value, …)`: a UUID of version 5 with the values as its name.
///
/// The name is a JSON array without white space, with bytes in hexadecimal digits; the result is NULL if all values
/// are.
private final class ContentUUID: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    var values: [JSONValue] = []
    for position in 1..<arguments.count {
      switch arguments.type(at: position) {
      case .null: values.append(.null)
      case .integer: values.append(.integer(arguments.integer(at: position)))
      case .real: values.append(.number(arguments.real(at: position)))
      case .text: values.append(.string(arguments.text(at: position)))
      case .blob:
        values.append(.string(arguments.withBytes(at: position) { $0.map(\.hex).joined() }))
      }
    }
    let isEmpty = (1..<arguments.count).allSatisfy { arguments.type(at: $0) == .null }
    guard !isEmpty else { return result.setNull() }
    let namespace = arguments.withBytes(at: 0) { Array($0) }
    let name = Array(JSONValue.array(values).text.utf8)
    NamedUUID.bytes(namespace, name, version: 5).withUnsafeBytes { result.set($0) }
  }
}

/// Name-based UUIDs (RFC 9562, section 5.5).
enum NamedUUID {
  /// Returns the sixteen bytes of the UUID of `name` in `namespace`.
  static func bytes(_ namespace: [UInt8], _ name: [UInt8], version: UInt8) -> [UInt8] {
    var bytes = Array(SHA1.digest(namespace + name).prefix(16))
    bytes[6] = bytes[6] & 0x0f | version << 4
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes
  }
}
